import { createMockServer } from 'worktrack/mock-server';
import { figure, time } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, boardId, ticketId } from './support/world.js';

/** Measures how long it takes to create and reset a mock server, and to snapshot and restore 100,000 tickets. */
export const snapshots: Benchmark = {
  title: 'Create, reset, and restore a mock server',
  about: `This benchmark measures how long \`createMockServer()\` and \`reset()\` take with the default seed data (180 runs
each). It also measures how long it takes to snapshot 100,000 tickets, move a ticket, and restore the snapshot.`,
  run: async () => {
    const fresh = createMockServer();
    const milliseconds = async (work: () => unknown) => {
      const measured: number[] = [];
      for (let round = 0; round < 200; round++) measured.push(await time(work, alone));
      return figure(measured.slice(20));
    };
    const world = apollo(100_000);
    const mock = createMockServer({ world });
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) {
      const ours = await time(async () => {
        const snapshot = mock.snapshot();
        await mock.fetch(`http://worktrack.test/api/v1/tickets/${ticketId(5)}/move`, {
          method: 'POST',
          headers: { authorization: 'Bearer wt_bench' },
          body: JSON.stringify({ board_id: boardId(0), position: 99_000 }),
        });
        mock.restore(snapshot);
      }, alone);
      ratios.push(ours / (await time(() => structuredClone(world), alone)));
    }
    return [
      {
        what: 'time per `createMockServer()` call',
        against: '–',
        unit: 'ms',
        figure: await milliseconds(() => createMockServer()),
        goal: { max: 1 },
      },
      {
        what: 'time per `mock.reset()` call',
        against: '–',
        unit: 'ms',
        figure: await milliseconds(() => fresh.reset()),
        goal: { max: 1 },
      },
      {
        what: 'time for `snapshot()`, a move, and `restore()` with 100,000 tickets',
        against: '`structuredClone` on the same seed data',
        figure: figure(ratios),
        goal: { max: 0.01 },
      },
    ];
  },
};

/** Each turn forces garbage collection and then makes a single call. */
const alone = { collect: true };
