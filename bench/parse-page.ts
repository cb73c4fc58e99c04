import { operationOf, pageInfoSchema, type Schema, validate } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, projectId } from './support/world.js';

/** What the response policy does about a page of 200 tickets, against the `JSON.parse` that comes before it. */
export const parsePage: Benchmark = {
  title: 'Checking an answer',
  about: `The response policy on a page of 200 tickets that fits the contract, as CPU time on top of the
\`JSON.parse\` that comes before it.`,
  run: async () => {
    const mock = createMockServer({ world: apollo(200) });
    const page = await mock.fetch(`http://worktrack.test/api/v1/projects/${projectId}/tickets?per_page=200`, {
      headers: { authorization: `Bearer ${mock.clientOptions().token}` },
    });
    const text = await page.text();
    const { data, ...figures } = JSON.parse(text).data;
    const schemas = [operationOf('tickets.list').response, pageInfoSchema] as Schema<unknown, never>[];
    const policy = () => {
      const fits = schemas.every((schema, index) => validate(schema, [data, figures][index]).ok);
      if (!fits) throw new Error('parse-page: the page does not fit the contract');
    };
    return [
      {
        what: 'response policy on a page of 200 tickets, on top of reading it',
        against: '`JSON.parse` of the same text',
        figure: await ratio(policy, () => JSON.parse(text), { repeat: 200 }),
        reach: { most: 0.3 },
      },
    ];
  },
};
