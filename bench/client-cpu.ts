import {
  cheapestKy,
  clients,
  fetchName,
  kyName,
  ours,
  pooled,
  withoutKy,
  withSignal,
} from './peers/clients.js';
import { sdks } from './peers/sdks.js';
import { ratioOf, takeTurns } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark, Row } from './support/report.js';
import { type ClientProcess, startClient, startPlainServer } from './support/server.js';

/** CPU time of one GET and one POST over loopback HTTP, the client's validation on, by both its transports. */
export const clientCpu: Benchmark = {
  title: 'CPU time of a call',
  about: `One GET and one POST over loopback HTTP, to a plain \`node:http\` server in another process that
answers every request with the same ticket, \`tickets.get\` and \`tickets.create\` with validation on. Every
client has a process of its own, as in an app, and none collects the garbage of another; all take turns in
the same rounds, 400 calls a side in each: 8 for their compilers, then 45 that count. The clients of other
APIs do what they are made for, with their own defaults, and get the same bytes: \`openai\`
\`models.retrieve\` and \`vectorStores.create\`, \`stripe\` \`customers.retrieve\` and \`customers.create\`.
Three rows take the client's figure apart: what the signal costs that a limit of time needs, what ky costs in
the way the client uses it, with a \`fetch\` that answers from its hook and nothing else, and what the client
costs without ky. Each \`AbortSignal\` of Node.js is dear, and a call has four: the client's own, ky's, and one
inside each of two \`Request\`s.`,
  peers: ['ky', 'openai', 'stripe'],
  run: async () => {
    const server = await startPlainServer();
    const processes: Record<string, ClientProcess> = {};
    try {
      for (const name of Object.keys(clients)) {
        if (!sdks[name]) processes[name] = await startClient(name, server.url);
      }
      const { running, notRun } = await start(
        Object.fromEntries(Object.keys(sdks).map((name) => [name, () => startClient(name, server.url)])),
      );
      Object.assign(processes, running);
      const rows: Row[] = [];
      for (const method of ['GET', 'POST'] as const) {
        const sides = Object.entries(processes).map(([name, { take }]) => [
          name,
          { take: take.bind(undefined, method) },
        ]);
        const times = await takeTurns<string>(Object.fromEntries(sides), {
          repeat: 400,
          rounds: 45,
          warmUp: 8,
          clock: 'cpu',
        });
        for (const { side, base, most } of [...goals[method], ...context]) {
          const row = { what: `CPU time of one ${method} through ${side}`, against: base };
          if (notRun[side]) rows.push({ ...row, notRun: notRun[side] });
          else rows.push({ ...row, figure: ratioOf(times, side, base), ...(most && { reach: { most } }) });
        }
      }
      return rows;
    } finally {
      for (const { stop } of [server, ...Object.values(processes)]) stop();
    }
  },
};

interface Comparison {
  side: string;
  base: string;
  most?: number;
}

const goals: Record<'GET' | 'POST', Comparison[]> = {
  GET: [
    { side: ours, base: fetchName, most: 1.35 },
    { side: ours, base: kyName, most: 1 },
    { side: pooled, base: fetchName, most: 0.75 },
  ],
  POST: [
    { side: ours, base: fetchName, most: 1.5 },
    { side: ours, base: kyName, most: 1 },
    { side: pooled, base: fetchName, most: 0.6 },
  ],
};

const context: Comparison[] = [kyName, withSignal, cheapestKy, withoutKy, ...Object.keys(sdks)].map(
  (side) => ({
    side,
    base: fetchName,
  }),
);
