import { describe, expect, test } from 'vitest';
import { type OperationId, operationOf, type Schema, validate } from 'worktrack/contract';
import { everyBodyField, everyOperation, type Field, operations } from '../support/operations.js';

const bodySchema = (operation: OperationId) => {
  const { body } = operationOf(operation);
  if (!body) throw new Error(`${operation} has no body in the contract`);
  return body as Schema<unknown, never>;
};

const rows = (has: (field: Field) => boolean) =>
  everyBodyField
    .filter(({ field }) => has(field))
    .map((row) => ({
      ...row,
      what: `${row.operation} ${row.name}`,
      /** Sets the field in the example body and returns the invalid fields. */
      invalid: (value: unknown): string[] => {
        const body = { ...operations[row.operation].example, [row.name]: value };
        const checked = validate(bodySchema(row.operation), body);
        return checked.ok ? [] : Object.keys(checked.fieldErrors);
      },
    }));

describe('contract limits', () => {
  test('F-4 the contract limits strings to the specified number of code points', () => {
    for (const { name, field, what, invalid } of rows(({ maxLength }) => maxLength !== undefined)) {
      const text = '\u{1F680}'.repeat(field.maxLength ?? 0);
      expect(invalid(text), what).toEqual([]);
      expect(invalid(`${text}x`), what).toEqual([name]);
    }
  });

  test('F-6 the contract enforces the specified minimum for integers', () => {
    for (const { name, field, what, invalid } of rows(({ minimum }) => minimum !== undefined)) {
      const { minimum = 0 } = field;
      expect(invalid(minimum), what).toEqual([]);
      expect(invalid(minimum - 1), what).toEqual([name]);
      expect(invalid(minimum + 0.5), what).toEqual([name]);
    }
  });

  test('F-5 the contract limits lists to the specified number of entries', () => {
    for (const { name, field, what, invalid } of rows(({ maxItems }) => maxItems !== undefined)) {
      const items = Array.from({ length: field.maxItems ?? 0 }, (_, index) => `item ${index}`);
      expect(invalid(items), what).toEqual([]);
      expect(invalid([...items, 'more']), what).toEqual([name]);
    }
  });

  test('F-5 the contract allows empty lists unless the specification requires an entry', () => {
    for (const { name, field, what, invalid } of rows(({ type }) => type === 'strings')) {
      expect(invalid([]), what).toEqual(field.minItems ? [name] : []);
    }
  });

  test('F-4 the contract limits list entries to the specified number of code points', () => {
    for (const { name, field, what, invalid } of rows(({ itemMaxLength }) => itemMaxLength !== undefined)) {
      const text = '\u{1F680}'.repeat(field.itemMaxLength ?? 0);
      expect(invalid([text]), what).toEqual([]);
      expect(invalid(['ok', `${text}x`]), what).toEqual([`${name}.1`]);
    }
  });

  test('F-7 the contract allows only the specified values of enum fields', () => {
    for (const { name, field, what, invalid } of rows(({ oneOf }) => oneOf !== undefined)) {
      for (const value of field.oneOf ?? []) expect(invalid(value), what).toEqual([]);
      expect(invalid('other'), what).toEqual([name]);
    }
  });

  test('F-2 the contract allows null only for nullable fields', () => {
    for (const { name, field, what, invalid } of rows(() => true)) {
      expect(invalid(null), what).toEqual(field.nullable ? [] : [name]);
    }
  });

  test('F-3, C-26 the contract requires exactly the fields the specification requires', () => {
    for (const { operation, name, field, what } of rows(() => true)) {
      const { [name]: _, ...rest } = operations[operation].example ?? {};
      const isOnlyBoard = operation === 'tickets.create' && name === 'board_id';
      expect(validate(bodySchema(operation), rest).ok, what).toBe(!field.required && !isOnlyBoard);
    }
  });

  test('F-7, F-9 the contract enforces the specified limits and values of query parameters', () => {
    for (const id of everyOperation) {
      const { query } = operationOf(id);
      for (const [name, field] of Object.entries(operations[id].query)) {
        const ok = (value: unknown) => validate(query as Schema<unknown, never>, { [name]: value }).ok;
        const { oneOf = [], minimum, maximum } = field;
        expect(oneOf.map(ok), `${id} ${name}`).toEqual(oneOf.map(() => true));
        if (field.oneOf) expect(ok('other'), `${id} ${name}`).toBe(false);
        if (minimum !== undefined) expect([minimum - 1, minimum].map(ok), name).toEqual([false, true]);
        if (maximum !== undefined) expect([maximum, maximum + 1].map(ok), name).toEqual([true, false]);
      }
    }
  });

  test('C-7 the contract rejects an unknown field and reports its name', () => {
    for (const operation of new Set(everyBodyField.map((row) => row.operation))) {
      const checked = validate(bodySchema(operation), { ...operations[operation].example, colour: 'red' });
      expect(checked, operation).toMatchObject({
        ok: false,
        fieldErrors: { colour: [expect.stringMatching(/^unknown field; /)] },
      });
    }
  });
});
