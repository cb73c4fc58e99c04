import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { operationIds, operationOf, scopes } from 'worktrack/contract';
import { root } from '../../tools/entries.js';
import { openApiDocument } from '../../tools/openapi/document.js';

const file = `${root}docs/public/openapi.json`;
const document = await openApiDocument();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as {
  operationId: string;
  security: [{ credential: [string] }];
  responses: Record<string, unknown>;
}[];

test('openapi.json matches the contract (update it with npm run openapi)', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
});

test("openapi.json follows Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: file, config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});

test('every operation has an ID, a scope, a success response, and error responses', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...operationIds].sort());
  for (const { operationId, security, responses } of operations) {
    const { scope, status, errorCodes } = operationOf(operationId as (typeof operationIds)[number]);
    expect(security).toEqual([{ credential: [scope] }]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(status), '401', '403', '429']));
    expect('422' in responses, operationId).toBe(errorCodes.length > 0);
  }
  expect(new Set(operations.map(({ security }) => security[0].credential[0]))).toEqual(new Set(scopes));
});

test("every number is an integer, even if it's nested or nullable", () => {
  const types: unknown[] = [];
  JSON.stringify(document, (name, value) => {
    if (name === 'type') types.push(...[value].flat());
    return value;
  });
  expect(types).toContain('integer');
  expect(types).not.toContain('number');
});

test('openapi.json requires only the response fields that the specification guarantees', () => {
  const requestSchemas = /^(Create|Update|Delete|Move|Reorder|Send)/;
  const responses = Object.entries(document.components.schemas).filter(
    ([name]) => !requestSchemas.test(name),
  );
  const required = responses.flatMap(([name, schema]) => {
    const fields = JSON.stringify(schema).match(/"required":\[[^\]]*\]/g) ?? [];
    return fields.length > 0 ? [[name, ...fields.flatMap((text) => JSON.parse(`{${text}}`).required)]] : [];
  });
  expect(Object.fromEntries(required.map(([name, ...fields]) => [name, fields]))).toEqual({
    Organization: ['id'],
    Project: ['id'],
    Member: ['id'],
    Label: ['id'],
    Board: ['id'],
    Ticket: ['id'],
    Document: ['id'],
    Tag: ['ticket_count'],
    // The envelope of lists
    Page: ['data'],
  });
  expect(document.components.schemas.CreateTicket?.required).toEqual(['title']);
});
