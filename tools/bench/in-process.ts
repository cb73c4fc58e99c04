import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { startPlainServer } from './support/server.js';
import { apollo, ticketId } from './support/world.js';

/** Compares the client's throughput over `mock.fetch` with its throughput over loopback HTTP. */
export const inProcess: Benchmark = {
  title: 'In-process throughput',
  about: `This benchmark measures how many sequential \`tickets.get\` calls a client completes per second. The benchmark
yields to the event loop after every ten calls, as a test runner does between tests. The \`node:http\` server
always sends the same ticket.`,
  run: async () => {
    const { url, stop } = await startPlainServer();
    try {
      const mock = createMockServer({ world: apollo(100) });
      const direct = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
      const overHttp = new Worktrack({ ...mock.clientOptions(), baseUrl: url });
      // The two sides are swapped, because throughput is the inverse of the time per call.
      const figure = await ratio(tenCalls(overHttp), tenCalls(direct), {
        repeat: 200,
        rounds: 9,
        clock: 'wall',
      });
      return [
        {
          what: 'client throughput (calls/s) with `mock.fetch`',
          against: 'the same client with a plain `node:http` server',
          figure,
          goal: { min: 3 },
        },
      ];
    } finally {
      stop();
    }
  },
};

const tenCalls = (client: Worktrack) => async () => {
  for (let call = 0; call < 10; call++) await client.tickets.get(ticketId(1));
  await turnOfTheEventLoop();
};
