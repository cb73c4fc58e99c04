import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { figure } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo } from './support/world.js';

/** Memory of 100,000 tickets with 500-byte descriptions, against the JSON text of the same. */
export const memory: Benchmark = async () => {
  if (!globalThis.gc) throw new Error('memory: run Node.js with --expose-gc, as `npm run bench` does');
  // From text, so that no string of the seed is shared between the tickets.
  const text = JSON.stringify(apollo(100_000));
  const ratios: number[] = [];
  // All are kept: one that is given up in the midst of the next measurement would be taken off it.
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
  return [
    {
      what: 'memory of 100,000 tickets with descriptions of 500 bytes',
      against: 'the JSON text of the same tickets',
      figure: figure(ratios),
      reach: { most: 4 },
    },
  ];
};

const used = () => process.memoryUsage().heapUsed;

async function textOf(mock: MockServer): Promise<number> {
  let length = 0;
  for (let page = 1; page <= 500; page++) {
    const response = await mock.fetch(
      `http://worktrack.test/api/v1/projects/prj_apollo/tickets?per_page=200&page=${page}`,
      { headers: { authorization: 'Bearer wt_bench' } },
    );
    const { data } = (await response.json()) as { data: { data: unknown[] } };
    length += JSON.stringify(data.data).length;
  }
  return length;
}
