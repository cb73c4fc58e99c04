import { expect, test } from 'vitest';
import { operationIds, operationOf } from 'worktrack/contract';
import { at, held, type Place, validate, valueAt } from './validator.js';

// The validator is ajv; the examples are what the reference server was sent and answered.

const places = operationIds.map((id) => {
  const { path, method } = operationOf(id);
  return { id, operation: { pointer: ['paths', path, method.toLowerCase()] } };
});

interface MediaType {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** The examples of a body, each held to the body's schema. */
function examplesOf(what: string, place: Place | undefined): [name: string, value: unknown][] {
  const media = place && at(place, 'content', 'application/json');
  const schema = media && at(media, 'schema');
  if (!schema) return [];
  const { example, examples = {} } = valueAt(media.pointer) as MediaType;
  const all: [string, unknown][] = Object.entries(examples).map(([name, { value }]) => [name, value]);
  if (example !== undefined) all.push(['', example]);
  for (const [name, value] of all) validate(`${what} ${name}`, schema, value);
  return all;
}

test.each(places)('$id has an example of its body and of every answer, and all of them fit', (place) => {
  const { id, operation } = place;
  const { body, response, errorCodes, status } = operationOf(id);
  expect(examplesOf(`${id} request`, at(operation, 'requestBody'))).toHaveLength(body ? 1 : 0);

  const answers = valueAt([...operation.pointer, 'responses']) as Record<string, unknown>;
  for (const [answered] of Object.entries(answers)) {
    const examples = examplesOf(`${id} ${answered}`, at(operation, 'responses', answered));
    const codes = examples.map(([name]) => name);
    if (Number(answered) === status) expect(examples).toHaveLength(response ? 1 : 0);
    else if (answered === '422') expect(codes).toEqual(errorCodes);
    else expect(codes, `${id} ${answered}`).not.toEqual([]);
    for (const [name, value] of examples) if (name) expect(value).toMatchObject({ code: name });
  }
});

test('every parameter of a path has an example, and those of lists have some', () => {
  const examples = places.flatMap(({ id, operation }) => {
    const parameters = valueAt([...operation.pointer, 'parameters']) as unknown[];
    return parameters.flatMap((_, index) => {
      const place = at(operation, 'parameters', String(index));
      const schema = place && at(place, 'schema');
      if (!schema) throw new Error(`${id}: parameter ${index} has no schema`);
      const { name, example, in: where } = valueAt(place.pointer) as Record<string, string>;
      if (example !== undefined) validate(`${id} ${name}`, schema, example);
      return [{ id, name, where, has: example !== undefined }];
    });
  });
  expect(examples.filter(({ where, has }) => where === 'path' && !has)).toEqual([]);
  const queries = examples.filter(({ where, has }) => where === 'query' && has);
  expect(new Set(queries.map(({ id }) => id))).toEqual(new Set(['tickets.list', 'documents.list']));
});

test.each([
  ['a query', 'GET', '/api/v1/projects/p/tickets?per_page=1000', undefined, /tickets\.list query per_page/],
  ['a body', 'POST', '/api/v1/organizations/o/projects', '{"name":7,"key":"A"}', /projects\.create request/],
  ['an answer', 'GET', '/api/v1/projects/p', undefined, /projects\.get 200/],
])(
  '%s that does not fit the document does not pass for one of it',
  async (_, method, path, body, message) => {
    const fetch = held(async () => Response.json({ data: { id: 7 } }));
    await expect(fetch(`https://work.example.com${path}`, { method, ...(body && { body }) })).rejects.toThrow(
      message,
    );
  },
);

test('a response of the mock server without a field of the record is rejected', async () => {
  const { id, operation } = places.find((place) => place.id === 'tickets.get') as (typeof places)[number];
  const content = at(operation, 'responses', '200', 'content', 'application/json');
  const { data } = (valueAt(content?.pointer ?? []) as { example: { data: Record<string, unknown> } })
    .example;
  const { started_at: _, ...incomplete } = data;
  const fetch = held(async () => Response.json({ data: incomplete }));
  await expect(fetch('https://work.example.com/api/v1/tickets/tkt_radio')).rejects.toThrow(
    `${id} 200: data/data must have required property 'started_at'`,
  );
});
