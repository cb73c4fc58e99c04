import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { ratio, type Work } from './support/measure.js';
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
  const parse: Work = () => JSON.parse(text);
  const [on, off] = [list('warn'), list('off')].map((work) => async () => {
    for (let index = 0; index < 20; index++) await work();
  }) as [Work, Work];
  const parses = () => {
    for (let index = 0; index < 20; index++) parse();
  };
  const withPolicy = await ratio(on, parses, { repeat: 1 });
  const without = await ratio(off, parses, { repeat: 1 });
  const added = (key: 'median' | 'low' | 'high') => withPolicy[key] - without.median;
  return [
    {
      what: 'response policy on a page of 200 tickets, on top of reading it',
      against: '`JSON.parse` of the same text',
      figure: { median: added('median'), low: added('low'), high: added('high') },
      reach: { most: 0.3 },
    },
  ];
};
