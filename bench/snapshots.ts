import { createMockServer } from 'worktrack/mock-server';
import { figure, time } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, boardId, ticketId } from './support/world.js';

/** Making and resetting the default server; keeping and restoring 100,000 tickets. */
export const snapshots: Benchmark = {
  title: 'Making, resetting and restoring',
  about: `\`createMockServer()\` and \`reset()\` with the default world, 180 times each; \`snapshot()\`, a change and
\`restore()\` with 100,000 tickets.`,
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
        const kept = mock.snapshot();
        await mock.fetch(`http://worktrack.test/api/v1/tickets/${ticketId(5)}/move`, {
          method: 'POST',
          headers: { authorization: 'Bearer wt_bench' },
          body: JSON.stringify({ board_id: boardId(0), position: 99_000 }),
        });
        mock.restore(kept);
      }, alone);
      ratios.push(ours / (await time(() => structuredClone(world), alone)));
    }
    return [
      {
        what: '`createMockServer()`',
        against: 'a clock',
        unit: 'ms',
        figure: await milliseconds(() => createMockServer()),
        reach: { most: 1 },
      },
      {
        what: '`mock.reset()`',
        against: 'a clock',
        unit: 'ms',
        figure: await milliseconds(() => fresh.reset()),
        reach: { most: 1 },
      },
      {
        what: '`snapshot()`, a move and `restore()` at 100,000 tickets',
        against: '`structuredClone` of the same',
        figure: figure(ratios),
        reach: { most: 0.01 },
      },
    ];
  },
};

/** One at a time, and without the garbage of the one before. */
const alone = { collect: true };
