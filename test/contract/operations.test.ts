import { describe, expect, test } from 'vitest';
import {
  errorCodes,
  errorCodesOf,
  fieldsOf,
  operationIds,
  operationOf,
  type Schema,
  scopes,
} from 'worktrack/contract';
import { endpoints, everyOperation } from './endpoints.js';
import { bodyFields, queryFields } from './fields.js';
import { everyScope, scopeTable } from './scopes.js';

describe("the contract matches the specification's endpoint table", () => {
  test('it has the same thirty operations, numbered from 1 to 30', () => {
    expect([...operationIds].sort()).toEqual([...everyOperation].sort());
    expect(operationIds.map((id) => operationOf(id).number)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test.each(everyOperation)('%s has the same number, method, path, scope, and status', (id) => {
    const { number, method, path, scope, success } = endpoints[id];
    expect(operationOf(id)).toMatchObject({ number, method, path, scope, status: success });
  });

  test.each(everyOperation)('%s has the same payload fields', (id) => {
    const { body, query } = operationOf(id);
    const expected = endpoints[id];
    const names = (schema: typeof body) =>
      schema ? [...fieldsOf(schema as Schema<unknown, never>).keys()] : undefined;
    expect(names(body)?.sort()).toEqual(expected.in === 'body' ? [...expected.payload].sort() : undefined);
    expect(names(query)?.sort()).toEqual(
      expected.in === 'query' ? [...expected.payload, 'page'].sort() : undefined,
    );
  });

  test('only the lists of tickets and documents are paginated', () => {
    expect(operationIds.filter((id) => operationOf(id).paginated)).toEqual([
      'tickets.list',
      'documents.list',
    ]);
  });

  test.each(everyOperation)('%s has the error statuses of the table', (id) => {
    const operation = operationOf(id);
    for (const status of endpoints[id].others)
      expect(errorCodesOf(operation, status).length).toBeGreaterThan(0);
    expect(errorCodesOf(operation, 401)).toEqual(['invalid_credential']);
    expect([...errorCodesOf(operation, 403)].sort()).toEqual(['missing_scope', 'wrong_organization']);
    const validates = Object.keys({ ...bodyFields[id], ...queryFields[id] }).length > 0;
    expect(operation.errorCodes.includes('validation_failed')).toBe(validates);
  });

  test('each of the thirteen scopes allows the same operations', () => {
    expect([...scopes]).toEqual(everyScope);
    expect(scopes).toHaveLength(13);
    for (const scope of scopes) {
      const opened = operationIds
        .filter((id) => operationOf(id).scope === scope)
        .map((id) => operationOf(id).number);
      expect({ scope, opened }).toEqual({ scope, opened: scopeTable[scope] });
    }
  });

  test('the error codes of the operations are exactly the codes with status 422', () => {
    const listed = new Set(operationIds.flatMap((id) => operationOf(id).errorCodes));
    const known = Object.entries(errorCodes)
      .filter(([, status]) => status === 422)
      .map(([code]) => code);
    expect([...listed].sort()).toEqual(known.sort());
  });

  test('idempotent operations are all except POST, plus tickets.move', () => {
    const idempotent = operationIds.filter((id) => operationOf(id).idempotent);
    expect(idempotent).toEqual(
      operationIds.filter((id) => endpoints[id].method !== 'POST' || id === 'tickets.move'),
    );
  });
});
