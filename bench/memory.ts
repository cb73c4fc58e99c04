import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { figure } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo } from './support/world.js';

/** Compares the memory used by tickets with the size of their JSON. */
export const memory: Benchmark = {
  title: 'Mock server memory',
  about: `This benchmark measures how much the heap grows, after garbage collection, when the mock server loads seed data.
Each ticket has a description of about 500 bytes.`,
  run: async () => {
    if (!globalThis.gc) throw new Error('memory: run Node.js with --expose-gc, as `npm run bench` does');
    // Create each server from JSON, because parsing it creates separate strings for each ticket.
    const text = JSON.stringify(apollo(100_000));
    const ratios: number[] = [];
    // Keep a reference to every server, because garbage-collecting one during the next measurement would
    // lower the result.
    const servers: MockServer[] = [];
    for (let round = 0; round < 3; round++) {
      globalThis.gc();
      const before = used();
      const mock = createMockServer({ world: text });
      servers.push(mock);
      globalThis.gc();
      const memory = used() - before;
      ratios.push(memory / (await textOf(mock)));
    }
    const million = unshared(apollo(1_000_000, 100));
    globalThis.gc();
    const before = used();
    const mock = createMockServer({ world: million });
    globalThis.gc();
    // Add the size of the descriptions: the mock server reuses these strings, which were created before the
    // measurement.
    const grown = used() - before + descriptionLength * 1_000_000;
    return [
      {
        what: 'heap used by 1,000,000 tickets',
        against: "the size of the tickets' JSON",
        figure: figure([grown / (await textOf(mock, 1_000_000))]),
        goal: { max: 4 },
      },
      {
        what: 'heap used by 100,000 tickets',
        against: "the size of the tickets' JSON",
        figure: figure(ratios),
        goal: { max: 4 },
      },
    ];
  },
};

const used = () => process.memoryUsage().heapUsed;

const descriptionLength = 500;

/** Gives each ticket a separate description string, so the descriptions don't share memory. */
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
