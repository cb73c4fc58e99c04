import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { figure, time } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, projectId } from './support/world.js';

/** What the response policy adds to reading a page of 200 tickets, in units of its `JSON.parse`. */
export const parsePage: Benchmark = async () => {
  const mock = createMockServer({ world: apollo(200) });
  const page = await mock.fetch(`http://worktrack.test/api/v1/projects/${projectId}/tickets?per_page=200`, {
    headers: { authorization: `Bearer ${mock.clientOptions().token}` },
  });
  const text = await page.text();
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: async () => new Response(text, { headers: { 'content-type': 'application/json' } }),
  });
  const list = (responseValidation: 'warn' | 'off') => () =>
    client.tickets.list(projectId, { per_page: 200 }, { responseValidation });
  const sides = [list('warn'), list('off'), () => JSON.parse(text)] as const;
  const ratios: number[] = [];
  for (let round = -5; round < 25; round++) {
    const times = [0, 0, 0];
    // In turns, ten times each: what is sought is a small difference of large times.
    for (let turn = 0; turn < 10; turn++) {
      for (const [side, work] of sides.entries()) times[side] = (times[side] ?? 0) + (await time(work));
    }
    if (round >= 0) ratios.push(((times[0] as number) - (times[1] as number)) / (times[2] as number));
  }
  return [
    {
      what: 'response policy on a page of 200 tickets, on top of reading it',
      against: '`JSON.parse` of the same text',
      figure: figure(ratios),
      reach: { most: 0.3 },
    },
  ];
};
