import { Agent, get } from 'node:http';
import { ratioOf, takeTurns, type Work } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark } from './support/report.js';
import { type Server, startPeerServer, startPlainServer, startReferenceServer } from './support/server.js';
import { projectId } from './support/world.js';

const concurrency = 8;

/** Compares the throughput of mock servers with that of a server that always sends the same bytes. */
export const standalone: Benchmark = {
  title: 'Standalone server throughput',
  about: `This benchmark measures how many requests per second each server handles. Each request reads a page of 50 tickets
over loopback HTTP, with ${concurrency} requests in flight. The plain \`node:http\` server sends the same bytes. Each server runs
in its own process.

\`json-server\` keeps similar tickets in memory. Prism always returns the example in this API's \`openapi.json\`, because it
doesn't store records. \`emulate\` runs its GitHub service and lists issues with the same content.`,
  peers: ['json-server', '@stoplight/prism-http-server', 'emulate'],
  run: async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
    const bare = await startPlainServer();
    const servers: Record<string, Server> = {};
    try {
      for (const [side, size] of Object.entries(ours)) servers[side] = await reference(size);
      const [ticket] = await tickets(servers, agent);
      const { running, notRun } = await start(
        Object.fromEntries(
          peers.map(([side, name, size]) => [side, () => startPeerServer(name, size, ticket)]),
        ),
      );
      Object.assign(servers, running);
      const sides: Record<string, Work> = {};
      const load = (server: Pick<Server, 'url' | 'tokens'>) => () =>
        Promise.all(Array.from({ length: concurrency }, () => read(server, agent)));
      for (const [side, server] of Object.entries(servers)) {
        const path = `/${encodeURIComponent(side)}`;
        await bare.serve(path, await read(server, agent));
        sides[side] = load(server);
        sides[sameBytes(side)] = load({ url: bare.url + path });
      }
      const plan = { repeat: 2000 / concurrency, within: 600, rounds: 9, clock: 'wall' } as const;
      const times = await takeTurns(sides, plan);
      return [...Object.keys(ours), ...peers.map(([side]) => side)].map((side) => {
        const row = { what: side, against: 'the throughput of a plain `node:http` server' };
        if (notRun[side]) return { ...row, notRun: notRun[side] };
        // The two sides are swapped, because throughput is the inverse of the time per request.
        const figure = ratioOf(times, sameBytes(side), side);
        return { ...row, figure, ...(ours[side] === large && { goal: { min: 0.35 } }) };
      });
    } finally {
      for (const server of [bare, ...Object.values(servers)]) server.stop();
      agent.destroy();
    }
  },
};

const large = 100_000;

const ours: Record<string, number> = {
  'this mock server (1,000 records)': 1000,
  'this mock server (100,000 records)': large,
};

const peers = [
  ['`json-server` (1,000 records)', 'json-server', 1000],
  ['`json-server` (100,000 records)', 'json-server', large],
  ['Prism (one example page)', 'prism', 0],
  ['`emulate` (1,000 records)', 'emulate', 1000],
  ['`emulate` (100,000 records)', 'emulate', large],
] as const;

const sameBytes = (side: string) => `the bytes of ${side}`;

async function reference(size: number): Promise<Server> {
  const { url, stop } = await startReferenceServer(size);
  return { url: `${url}/api/v1/projects/${projectId}/tickets?per_page=50`, stop };
}

/** Returns a page of tickets from the first server, which is one of our mock servers. */
async function tickets(servers: Record<string, Server>, agent: Agent): Promise<[object]> {
  const [first] = Object.values(servers) as [Server];
  return JSON.parse(await read(first, agent)).data.data;
}

let requests = 0;

function read({ url, tokens = ['wt_bench'] }: Pick<Server, 'url' | 'tokens'>, agent: Agent): Promise<string> {
  const authorization = `Bearer ${tokens[requests++ % tokens.length]}`;
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    });
    request.on('error', reject);
  });
}
