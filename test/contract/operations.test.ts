import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  errorCodes,
  errorCodesOf,
  fieldsOf,
  operationIds,
  operationOf,
  type Schema,
  scopes,
  validate,
} from 'worktrack/contract';
import {
  everyBodyField,
  everyOperation,
  everyScope,
  operations,
  recordFields,
} from '../support/operations.js';

const rows = everyOperation.map((id) => ({ id, ...operations[id] }));
const hasFields = (fields: object) => Object.keys(fields).length > 0;
const fieldNames = (schema: object | undefined) =>
  schema ? [...fieldsOf(schema as Schema<unknown, never>).keys()].sort() : [];

describe('the contract', () => {
  test('contains every operation, with the number given in the specification', () => {
    const numbers = operationIds.map((id) => [id, `O-${operationOf(id).number}`]);
    expect(Object.fromEntries(numbers)).toEqual(Object.fromEntries(rows.map(({ id, rule }) => [id, rule])));
  });

  for (const { rule, id, method, path, scope, status, body, query, errors, returns } of rows) {
    test(`${rule} the contract definition of ${id} matches the specification`, () => {
      const operation = operationOf(id);
      expect(operation).toMatchObject({ method, path, scope, status, paginated: returns?.as === 'page' });
      expect(fieldNames(operation.body)).toEqual(Object.keys(body).sort());
      expect(fieldNames(operation.query)).toEqual(Object.keys(query).sort());
      for (const error of errors) expect(errorCodesOf(operation, error)).not.toEqual([]);
      const ids = [...path.matchAll(/\{(\w+)\}/g)].filter(([, name]) => name !== 'organization');
      const codes = {
        400: hasFields(body) ? ['malformed_json'] : [],
        401: ['invalid_credential'],
        403: ['missing_scope', 'wrong_organization'],
        404: ids.length > 0 ? ['not_found'] : [],
        413: hasFields(body) ? ['payload_too_large'] : [],
        422: operation.errorCodes,
        429: ['rate_limited'],
        500: [],
      };
      for (const [error, expected] of Object.entries(codes)) {
        expect(errorCodesOf(operation, Number(error))).toEqual(expected);
      }
      const validates = hasFields({ ...body, ...query });
      expect(operation.errorCodes.includes('validation_failed')).toBe(validates);
    });
  }

  test('F-7, F-9 the contract enforces the specified limits and allowed values for query parameters', () => {
    for (const { id, query } of rows) {
      const schema = operationOf(id).query as Schema<unknown, never>;
      for (const [name, { oneOf, minimum, maximum }] of Object.entries(query)) {
        const ok = (value: unknown) => validate(schema, { [name]: value }).ok;
        if (oneOf)
          expect([...oneOf, 'other'].map(ok), `${id} ${name}`).toEqual([...oneOf.map(() => true), false]);
        if (minimum !== undefined) expect([minimum - 1, minimum].map(ok), name).toEqual([false, true]);
        if (maximum !== undefined) expect([maximum, maximum + 1].map(ok), name).toEqual([true, false]);
      }
    }
  });

  test('G-6 the contract defines the specified scopes', () => {
    expect([...scopes]).toEqual(everyScope);
  });

  test('assigns every 422 error code to at least one operation', () => {
    const listed = new Set(operationIds.flatMap((id) => operationOf(id).errorCodes));
    const known = Object.entries(errorCodes)
      .filter(([, status]) => status === 422)
      .map(([code]) => code);
    expect([...listed].sort()).toEqual(known.sort());
  });

  test('marks every operation as idempotent except for POST operations other than tickets.move', () => {
    const idempotent = operationIds.filter((id) => operationOf(id).idempotent);
    expect(idempotent).toEqual(
      operationIds.filter((id) => operations[id].method !== 'POST' || id === 'tickets.move'),
    );
  });
});

describe('docs/specification.md', () => {
  const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');

  test('lists the number, method, path, scope, and status of every operation', () => {
    for (const { rule, id, method, path, scope, status } of rows) {
      expect(page).toContain(`| ${rule} | \`${id}\` | ${method} \`${path}\` | \`${scope}\` | ${status}`);
    }
  });

  test('lists the response fields that the tests check', () => {
    const [section = ''] = /^## Response fields$.*?^## /ms.exec(page) ?? [];
    for (const name of [
      'organization',
      'project',
      'board',
      'ticket',
      'document',
      'member',
      'label',
    ] as const) {
      const [, row = ''] = new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(section) ?? [];
      expect([...row.matchAll(/`(\w+)`/g)].map(([, field]) => field).sort(), name).toEqual(
        recordFields[name],
      );
    }
  });

  test('contains every request field, limit, and error code', () => {
    for (const { name, field } of everyBodyField) {
      expect(page).toContain(`\`${name}\``);
      if (field.maxLength)
        expect(page).toContain(`string (max ${field.maxLength.toLocaleString('en-US')} characters)`);
    }
    for (const code of Object.keys(errorCodes)) expect(page).toContain(`\`${code}\``);
  });
});
