import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { figure } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo } from './support/world.js';

/** Memory of 100,000 tickets with 500-byte descriptions, compared with their JSON. */
export const memory: Benchmark = {
  title: 'Memory of the mock server',
  about: `This benchmark measures by how much the heap grows when seed data is loaded, after garbage collection, compared
with the length of the JSON of the same tickets.`,
  run: async () => {
    if (!globalThis.gc) throw new Error('memory: run Node.js with --expose-gc, as `npm run bench` does');
    // From JSON, so that the tickets share no strings.
    const text = JSON.stringify(apollo(100_000));
    const ratios: number[] = [];
    // All servers stay referenced. Collecting one during the next measurement would distort the result.
    const kept: MockServer[] = [];
    for (let round = 0; round < 3; round++) {
      globalThis.gc();
      const before = used();
      const mock = createMockServer({ world: text });
      kept.push(mock);
      globalThis.gc();
      const memory = used() - before;
      ratios.push(memory / (await textOf(mock)));
    }
    const million = unshared(apollo(1_000_000, 100));
    globalThis.gc();
    const before = used();
    const mock = createMockServer({ world: million });
    globalThis.gc();
    // The descriptions are strings of the seed data, which existed before.
    const grown = used() - before + descriptionLength * 1_000_000;
    return [
      {
        what: 'memory of 1,000,000 tickets',
        against: 'the JSON of the same tickets',
        figure: figure([grown / (await textOf(mock, 1_000_000))]),
        goal: { max: 4 },
      },
      {
        what: 'memory of 100,000 tickets with descriptions of 500 bytes',
        against: 'the JSON of the same tickets',
        figure: figure(ratios),
        goal: { max: 4 },
      },
    ];
  },
};

const used = () => process.memoryUsage().heapUsed;

const descriptionLength = 500;

/** Gives each ticket its own description, which shares no memory with the others. */
function unshared(world: World): World {
  let number = 0;
  for (const board of world.organizations?.[0]?.projects?.[0]?.boards ?? []) {
    for (const ticket of board.tickets ?? []) {
      ticket.description_html = Buffer.from(
        `${number++}`.padEnd(descriptionLength, ' lorem ipsum'),
      ).toString();
    }
  }
  return world;
}

async function textOf(mock: MockServer, tickets = 100_000): Promise<number> {
  let length = 0;
  for (let page = 1; page <= tickets / 200; page++) {
    const response = await mock.fetch(
      `http://worktrack.test/api/v1/projects/prj_apollo/tickets?per_page=200&page=${page}`,
      { headers: { authorization: 'Bearer wt_bench' } },
    );
    const { data } = (await response.json()) as { data: { data: unknown[] } };
    length += JSON.stringify(data.data).length;
  }
  return length;
}
