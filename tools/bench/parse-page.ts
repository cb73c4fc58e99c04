import { operationOf, pageInfoSchema, type Schema, validate } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, projectId } from './support/world.js';

/** Compares the cost of validating a page of 200 tickets with the cost of parsing its JSON. */
export const parsePage: Benchmark = {
  title: 'Validating a response',
  about: `This benchmark measures how much CPU time \`responseValidation\` adds for a valid page of 200 tickets.`,
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
      if (!fits) throw new Error("parse-page: the page doesn't match the contract");
    };
    return [
      {
        what: 'CPU time to validate a page of 200 tickets',
        against: '`JSON.parse` on the same page',
        figure: await ratio(policy, () => JSON.parse(text), { repeat: 200 }),
        goal: { max: 0.3 },
      },
    ];
  },
};
