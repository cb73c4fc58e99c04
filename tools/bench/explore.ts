import { exploreFaults, noDuplicates, type Workflow } from 'worktrack/explore';
import { createMockServer } from 'worktrack/mock-server';
import { figure, takeTurns } from './support/measure.js';
import type { Benchmark } from './support/report.js';

/** Measures how many runs `exploreFaults` completes per second. */
export const explore: Benchmark = {
  title: 'Explore failures',
  about: `This benchmark measures how many runs \`exploreFaults\` completes per second of CPU time. For each of
five tickets, the workflow runs a search and then creates the ticket (ten requests in total).`,
  run: async () => {
    const mock = createMockServer();
    const project = mock.add.project().id;
    const board = mock.add.board({ project }).id;
    const workflow: Workflow = async ({ client }) => {
      for (const title of ['Ticket 1', 'Ticket 2', 'Ticket 3', 'Ticket 4', 'Ticket 5']) {
        const found = await client.tickets.list(project, { q: title }).toArray({ limit: 1 });
        if (found.length === 0) await client.tickets.create(project, { board_id: board, title });
      }
    };
    const runs = 131;
    const { exploration } = await takeTurns(
      {
        exploration: async () => {
          const report = await exploreFaults(mock, workflow, { check: noDuplicates() });
          if (report.runs !== runs || !report.survived) throw new Error(`explore: ${report}`);
        },
      },
      { rounds: 9, warmUp: 3, clock: 'cpu' },
    );
    return [
      {
        what: 'runs per second of `exploreFaults` with ten requests',
        against: '–',
        unit: 'per second',
        figure: figure(exploration.map((milliseconds) => (runs / milliseconds) * 1000)),
        goal: { min: 100 },
      },
    ];
  },
};
