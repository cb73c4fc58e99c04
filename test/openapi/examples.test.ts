import { expect, test } from 'vitest';
import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { at, checkedFetch, type Location, validate, valueAt } from './validator.js';

// The examples were recorded: they're requests to the mock server and its responses. Ajv validates them.

const locations = operationIds.map((id) => {
  const { path, method } = operationOf(id);
  return { id, operation: { pointer: ['paths', path, method.toLowerCase()] } };
});

interface MediaType {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** Validates a body's examples against its schema and returns them. */
function examplesOf(what: string, location: Location | undefined): [name: string, value: unknown][] {
  const media = location && at(location, 'content', 'application/json');
  const schema = media && at(media, 'schema');
  if (!schema) return [];
  const { example, examples = {} } = valueAt(media.pointer) as MediaType;
  const all: [string, unknown][] = Object.entries(examples).map(([name, { value }]) => [name, value]);
  if (example !== undefined) all.push(['', example]);
  for (const [name, value] of all) validate(`${what} ${name}`, schema, value);
  return all;
}

test('every request and response body has an example that matches its schema', () => {
  for (const { id, operation } of locations) {
    const { body } = operationOf(id);
    expect(examplesOf(`${id} request`, at(operation, 'requestBody'))).toHaveLength(body ? 1 : 0);
    const responses = valueAt([...operation.pointer, 'responses']) as Record<string, unknown>;
    for (const status of Object.keys(responses)) expectResponseExamples(id, operation, status);
  }
});

function expectResponseExamples(id: OperationId, operation: Location, status: string) {
  const what = `${id} ${status}`;
  const { response, errorCodes, status: success } = operationOf(id);
  const examples = examplesOf(what, at(operation, 'responses', status));
  const codes = examples.map(([name]) => name);
  if (status === String(success)) expect(examples, what).toHaveLength(response ? 1 : 0);
  else if (status === '422') expect(codes, what).toEqual(errorCodes);
  else expect(codes, what).not.toEqual([]);
  for (const [name, value] of examples) if (name) expect(value, what).toMatchObject({ code: name });
}

test('every path parameter and every query parameter of tickets.list and documents.list has an example', () => {
  const examples = locations.flatMap(({ id, operation }) => {
    const parameters = valueAt([...operation.pointer, 'parameters']) as unknown[];
    return parameters.flatMap((_, index) => {
      const location = at(operation, 'parameters', String(index));
      const schema = location && at(location, 'schema');
      if (!schema) throw new Error(`${id}: parameter ${index} has no schema`);
      const { name, example, in: position } = valueAt(location.pointer) as Record<string, string>;
      if (example !== undefined) validate(`${id} ${name}`, schema, example);
      return [{ id, name, position, has: example !== undefined }];
    });
  });
  expect(examples.filter(({ position, has }) => position === 'path' && !has)).toEqual([]);
  const queries = examples.filter(({ position, has }) => position === 'query' && has);
  expect(new Set(queries.map(({ id }) => id))).toEqual(new Set(['tickets.list', 'documents.list']));
});

test.each([
  ['a query', 'GET', '/api/v1/projects/p/tickets?per_page=1000', undefined, /tickets\.list query per_page/],
  ['a body', 'POST', '/api/v1/organizations/o/projects', '{"name":7,"key":"A"}', /projects\.create request/],
  ['a response', 'GET', '/api/v1/projects/p', undefined, /projects\.get 200/],
])("checkedFetch rejects %s that doesn't match the document", async (_, method, path, body, message) => {
  const fetch = checkedFetch(async () => Response.json({ data: { id: 7 } }));
  await expect(fetch(`https://work.example.com${path}`, { method, ...(body && { body }) })).rejects.toThrow(
    message,
  );
});

test('checkedFetch rejects a response with a missing record field', async () => {
  const { id, operation } = locations.find(
    (location) => location.id === 'tickets.get',
  ) as (typeof locations)[number];
  const content = at(operation, 'responses', '200', 'content', 'application/json');
  const { data } = (valueAt(content?.pointer ?? []) as { example: { data: Record<string, unknown> } })
    .example;
  const { started_at: _, ...incomplete } = data;
  const fetch = checkedFetch(async () => Response.json({ data: incomplete }));
  await expect(fetch('https://work.example.com/api/v1/tickets/tkt_radio')).rejects.toThrow(
    `${id} 200: data/data must have required property 'started_at'`,
  );
});
