import { createMockServer, type MockServer, type World } from 'worktrack/mock-server';
import { figure, heapUsed } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo } from './support/world.js';

/** Compares the memory used by tickets with the size of their JSON. */
export const memory: Benchmark = {
  title: 'Mock server memory',
  about: `This benchmark measures how much the heap grows, after garbage collection, when the mock server loads seed data.
Each ticket has a description of about 500 bytes.`,
  run: async () => {
    // Create each server from JSON, because parsing it creates separate strings for each ticket.
    const text = JSON.stringify(apollo(100_000));
    const ratios: number[] = [];
    // Keep a reference to every server, because garbage-collecting one during the next measurement would
    // lower the result.
    const servers: MockServer[] = [];
    for (let round = 0; round < 3; round++) {
      const before = heapUsed();
      const mock = createMockServer({ world: text });
      servers.push(mock);
      ratios.push((heapUsed() - before) / (await textOf(mock)));
    }
    const million = unshared(apollo(1_000_000, 100));
    const before = heapUsed();
    const mock = createMockServer({ world: million });
    // Add the size of the descriptions: the mock server reuses these strings, which were created before the
    // measurement.
    const grown = heapUsed() - before + descriptionLength * 1_000_000;
    const row = (count: string, values: number[]) => ({
      ...{ what: `heap used by ${count} tickets`, against: "the size of the tickets' JSON" },
      figure: figure(values),
      goal: { max: 4 },
    });
    return [row('1,000,000', [grown / (await textOf(mock, 1_000_000))]), row('100,000', ratios)];
  },
};

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
