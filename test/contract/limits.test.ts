import { describe, expect, test } from 'vitest';
import { operationOf, type Schema, validate } from 'worktrack/contract';
import { bodies } from '../rules/requests.js';
import { everyBodyField, type Field, queryFields } from './fields.js';

const bodySchema = (operation: (typeof everyBodyField)[number]['operation']) => {
  const { body } = operationOf(operation);
  if (!body) throw new Error(`${operation} has no body in the contract`);
  return body as Schema<unknown, never>;
};

const rows = (has: (field: Field) => boolean) => everyBodyField.filter(({ field }) => has(field));

/** The fields that the contract blames when one field of an accepted body is replaced. */
function blamed({ operation, name }: (typeof everyBodyField)[number], value: unknown): string[] {
  const checked = validate(bodySchema(operation), { ...bodies[operation], [name]: value });
  return checked.ok ? [] : Object.keys(checked.fieldErrors);
}

describe("the contract has the specification's limits", () => {
  test.each(rows(({ maxLength }) => maxLength !== undefined))(
    '$operation accepts at most $field.maxLength characters in $name',
    (row) => {
      const text = '\u{1F680}'.repeat(row.field.maxLength ?? 0);
      expect(blamed(row, text)).toEqual([]);
      expect(blamed(row, `${text}x`)).toEqual([row.name]);
    },
  );

  test.each(rows(({ minimum }) => minimum !== undefined))(
    '$operation accepts integers from $field.minimum as $name',
    (row) => {
      const { minimum = 0 } = row.field;
      expect(blamed(row, minimum)).toEqual([]);
      expect(blamed(row, minimum - 1)).toEqual([row.name]);
      expect(blamed(row, minimum + 0.5)).toEqual([row.name]);
    },
  );

  test.each(rows(({ maxItems }) => maxItems !== undefined))(
    '$operation accepts at most $field.maxItems items in $name',
    (row) => {
      const items = Array.from({ length: row.field.maxItems ?? 0 }, (_, index) => `item ${index}`);
      expect(blamed(row, items)).toEqual([]);
      expect(blamed(row, [...items, 'more'])).toEqual([row.name]);
    },
  );

  test.each(rows(({ type }) => type === 'strings'))(
    '$operation rejects an empty $name only if the specification requires items',
    (row) => {
      expect(blamed(row, [])).toEqual(row.field.minItems ? [row.name] : []);
    },
  );

  test.each(rows(({ itemMaxLength }) => itemMaxLength !== undefined))(
    '$operation accepts at most $field.itemMaxLength characters in each item of $name',
    (row) => {
      const text = '\u{1F680}'.repeat(row.field.itemMaxLength ?? 0);
      expect(blamed(row, [text])).toEqual([]);
      expect(blamed(row, ['ok', `${text}x`])).toEqual([`${row.name}.1`]);
    },
  );

  test.each(rows(({ oneOf }) => oneOf !== undefined))(
    '$operation accepts only the listed values of $name',
    (row) => {
      for (const value of row.field.oneOf ?? []) expect(blamed(row, value)).toEqual([]);
      expect(blamed(row, 'other')).toEqual([row.name]);
    },
  );

  test.each(everyBodyField)(
    '$operation allows null and a missing $name only if the specification does',
    (row) => {
      expect(blamed(row, null)).toEqual(row.field.nullable ? [] : [row.name]);
      const { [row.name]: _, ...rest } = bodies[row.operation] ?? {};
      const checked = validate(bodySchema(row.operation), rest);
      if (row.operation === 'tickets.create' && row.name === 'board_id') expect(checked.ok).toBe(false);
      else expect(checked.ok).toBe(!row.field.required);
    },
  );

  test.each(['tickets.list', 'documents.list'] as const)(
    '%s has the limits and values of its query parameters',
    (id) => {
      const { query } = operationOf(id);
      if (!query) throw new Error(`${id} has no query in the contract`);
      for (const [name, field] of Object.entries(queryFields[id] ?? {})) {
        const ok = (value: unknown) => validate(query as Schema<unknown, never>, { [name]: value }).ok;
        for (const value of field.oneOf ?? []) expect(ok(value)).toBe(true);
        if (field.oneOf) expect(ok('other')).toBe(false);
        if (field.minimum === undefined || field.maximum === undefined) continue;
        expect([field.minimum - 1, field.minimum, field.maximum, field.maximum + 1].map(ok)).toEqual([
          false,
          true,
          true,
          false,
        ]);
      }
    },
  );

  test('every operation rejects an unknown field and names it', () => {
    for (const operation of new Set(everyBodyField.map((row) => row.operation))) {
      const checked = validate(bodySchema(operation), { ...bodies[operation], colour: 'red' });
      expect(checked).toMatchObject({
        ok: false,
        fieldErrors: { colour: [expect.stringMatching(/^unknown field; /)] },
      });
    }
  });
});
