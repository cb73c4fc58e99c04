import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { startPlainServer } from './support/server.js';
import { apollo, ticketId } from './support/world.js';

/** Calls a second of the client with `mock.fetch`, against the same client over loopback HTTP. */
export const inProcess: Benchmark = {
  title: 'Calls a second in process',
  about: `\`tickets.get\` one after the other, by a clock. Both sides take turns in the same rounds: 9 that count,
2,000 calls a side in each. Every ten calls the event loop has a turn, as between two tests: without one, what a
\`fetch\` leaves behind is not collected, however many follow it, and only the side without a network is short of it.`,
  run: async () => {
    const { url, stop } = await startPlainServer();
    try {
      const mock = createMockServer({ world: apollo(100) });
      const near = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
      const far = new Worktrack({ ...mock.clientOptions(), baseUrl: url });
      // Calls a second are the reverse of time a call: theirs over ours.
      const figure = await ratio(tenCalls(far), tenCalls(near), { repeat: 200, rounds: 9, clock: 'wall' });
      return [
        {
          what: 'calls a second of the client with `mock.fetch`',
          against: 'the same client over loopback HTTP, to a server that answers fixed bytes',
          figure,
          reach: { least: 3 },
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
