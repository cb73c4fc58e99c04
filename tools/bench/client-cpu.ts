import { cheapestKy, clients, fetchName, kyName, ours, pooled, withSignal } from './peers/clients.js';
import { sdks } from './peers/sdks.js';
import { ratioOf, takeTurns } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark, Row } from './support/report.js';
import { type ClientProcess, startClient, startPlainServer } from './support/server.js';

/** Compares how much CPU time different clients use for one GET and one POST. */
export const clientCpu: Benchmark = {
  title: 'CPU time per call',
  about: `This benchmark measures the CPU time of one GET (\`tickets.get\`) and one POST (\`tickets.create\`) over loopback
HTTP, including validation. A plain \`node:http\` server responds to every request with the same ticket. Each client runs
in its own process, with 8 warm-up rounds and 45 measured rounds of 400 calls.

\`openai\` (\`models.retrieve\`, \`vectorStores.create\`) and \`stripe\` (\`customers.retrieve\`, \`customers.create\`) use their
default options and receive the same bytes. The other rows show where the client's overhead comes from.`,
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
        for (const { side, base, max } of [...goals[method], ...context]) {
          const row = { what: `CPU time per ${method}: ${side}`, against: base };
          if (notRun[side]) rows.push({ ...row, notRun: notRun[side] });
          else rows.push({ ...row, figure: ratioOf(times, side, base), ...(max && { goal: { max } }) });
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
  max?: number;
}

const goals: Record<'GET' | 'POST', Comparison[]> = {
  GET: [
    { side: ours, base: fetchName, max: 1.6 },
    { side: ours, base: kyName, max: 1 },
    { side: pooled, base: ours, max: 0.75 },
  ],
  POST: [
    { side: ours, base: fetchName, max: 1.5 },
    { side: ours, base: kyName, max: 1 },
    { side: pooled, base: ours, max: 0.75 },
  ],
};

const context: Comparison[] = [kyName, withSignal, cheapestKy, ...Object.keys(sdks)].map((side) => ({
  side,
  base: fetchName,
}));
