import ky from 'ky';
import { type Transport, Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { type Client, sdks } from './peers/sdks.js';
import { ratioOf, takeTurns } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark, Row } from './support/report.js';
import { startPlainServer } from './support/server.js';

/** CPU time of one GET and one POST over loopback HTTP, the client's validation on, by both its transports. */
export const clientCpu: Benchmark = {
  title: 'CPU time of a call',
  about: `One GET and one POST over loopback HTTP, to a plain \`node:http\` server in another process that
answers every request with the same ticket, \`tickets.get\` and \`tickets.create\` with validation on. All
sides run in one process and in the same rounds: 9 that count, 2,000 calls a side in each. The clients of
other APIs do what they are made for, with their own defaults, and get the same bytes: \`openai\`
\`models.retrieve\` and \`vectorStores.create\`, \`stripe\` \`customers.retrieve\` and \`customers.create\`.
Two rows take the client's figure apart: what ky costs in the way the client uses it, with a \`fetch\` that answers
from its hook and nothing else, and what the client costs without ky.`,
  peers: ['ky', 'openai', 'stripe'],
  run: async () => {
    const { url, stop } = await startPlainServer();
    try {
      const own = {
        [fetchName]: onFetch(url),
        [kyName]: onKy(url),
        [cheapestKy]: onCheapestKy(url),
        ...ours(url),
      };
      const { running, notRun } = await start(
        Object.fromEntries(Object.entries(sdks).map(([name, make]) => [name, () => make(url)])),
      );
      const rows: Row[] = [];
      for (const method of ['GET', 'POST'] as const) {
        const sides = Object.entries<Client>({ ...own, ...running });
        const times = await takeTurns(
          Object.fromEntries(sides.map(([name, client]) => [name, client[method]])),
          { repeat: 2000, rounds: 9, clock: 'cpu' },
        );
        for (const { side, base, most } of [...goals[method], ...context]) {
          const row = { what: `CPU time of one ${method} through ${side}`, against: base };
          if (notRun[side]) rows.push({ ...row, notRun: notRun[side] });
          else rows.push({ ...row, figure: ratioOf(times, side, base), ...(most && { reach: { most } }) });
        }
      }
      return rows;
    } finally {
      stop();
    }
  },
};

const fetchName = '`fetch` + `json()`';
const kyName = 'bare `ky`';
const client = 'the client';
const pooled = 'the client with `nodeTransport()`';
const cheapestKy = '`ky`, answered by `fetch` in its hook';
const withoutKy = 'the client over a bare `fetch`, without ky';

interface Comparison {
  side: string;
  base: string;
  most?: number;
}

const goals: Record<'GET' | 'POST', Comparison[]> = {
  GET: [
    { side: client, base: fetchName, most: 1.35 },
    { side: client, base: kyName, most: 1 },
    { side: pooled, base: fetchName, most: 0.75 },
  ],
  POST: [
    { side: client, base: fetchName, most: 1.5 },
    { side: client, base: kyName, most: 1 },
    { side: pooled, base: fetchName, most: 0.6 },
  ],
};

const context: Comparison[] = [kyName, cheapestKy, withoutKy, ...Object.keys(sdks)].map((side) => ({
  side,
  base: fetchName,
}));

function ours(baseUrl: string): Record<string, Client> {
  const options = { baseUrl, token: 'wt_bench', organization: 'org_1' };
  const calls = (client: Worktrack): Client => ({
    GET: () => client.tickets.get('tkt_1'),
    POST: () => client.tickets.create('prj_1', body),
  });
  return {
    [client]: calls(new Worktrack(options)),
    [pooled]: calls(new Worktrack({ ...options, transport: nodeTransport() })),
    [withoutKy]: calls(new Worktrack({ ...options, transport: overFetch })),
  };
}

const overFetch: Transport = async ({ url, method, headers, body, cancellation }) => {
  const response = await fetch(url, { method, headers, body: body ?? null, signal: cancellation.signal });
  return {
    status: response.status,
    headers: response.headers,
    read: async () => ({ text: await response.text() }),
    discard: () => void response.body?.cancel(),
  };
};

const onFetch = (url: string): Client => ({
  GET: async () => (await fetch(url + get, { headers })).json(),
  POST: async () => (await fetch(url + post, posted())).json(),
});

const onCheapestKy = (url: string): Client => ({
  GET: async () => (await throughKy(url, { context: { send: () => fetch(url + get, { headers }) } })).json(),
  POST: async () => (await throughKy(url, { context: { send: () => fetch(url + post, posted()) } })).json(),
});

const throughKy = ky.create({
  retry: 0,
  hooks: { beforeRequest: [(_, { context }) => (context as { send: () => Promise<Response> }).send()] },
});

const onKy = (url: string): Client => ({
  GET: () => ky(url + get, { headers }).json(),
  POST: () => ky.post(url + post, { headers, json: body }).json(),
});

const get = '/api/v1/tickets/tkt_1';
const post = '/api/v1/projects/prj_1/tickets';
const headers = { authorization: 'Bearer wt_bench', accept: 'application/json' };
const body = { board_id: 'brd_1', title: 'Launch' };
const posted = () => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
