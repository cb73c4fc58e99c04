import { describe, expect, test } from 'vitest';
import { everyBodyField, type Field, operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call, withBody } from './requests.js';
import { serve } from './world.js';

/** Invalid values for each field type, except null, which has its own tests. */
const wrong: Record<Field['type'], readonly unknown[]> = {
  string: [1, 0, true, false, [], ['x'], {}],
  integer: ['1', 1.5, true, [], [1], {}],
  boolean: ['true', '', 0, 1, [], {}],
  'date-time': [
    1767225600000,
    true,
    [],
    {},
    '',
    'tomorrow',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01 00:00:00',
  ],
  strings: ['x', 1, true, {}, [1], ['x', true], [null], [[]], [{}]],
};

describe('field types', () => {
  test.each(withBody)(
    'F-1, E-10 %s rejects values of the wrong type and reports the field',
    async (operation) => {
      const { body, example } = operations[operation];
      const mock = serve();
      for (const [name, { type }] of Object.entries(body)) {
        for (const value of wrong[type]) {
          const response = await call(mock, operation, { body: { ...example, [name]: value } });
          expectError(response, 'validation_failed', undefined, `${name}: ${JSON.stringify(value)}`);
          const fields = Object.keys(response.body.errors);
          expect(fields.filter((field) => field === name || field.startsWith(`${name}.`))).not.toEqual([]);
        }
      }
      await expectUnchanged(mock);
    },
  );

  test('F-2 every non-nullable field rejects null', async () => {
    const mock = serve();
    for (const { operation, name } of everyBodyField.filter(({ field }) => !field.nullable)) {
      const body = { ...operations[operation].example, [name]: null };
      expectError(await call(mock, operation, { body }), 'validation_failed', name, `${operation} ${name}`);
    }
    await expectUnchanged(mock);
  });

  test('F-2 null clears every nullable field', async () => {
    for (const { operation, name } of everyBodyField.filter(({ field }) => field.nullable)) {
      const body = { ...operations[operation].example, [name]: null };
      const { status, data } = await call(serve(), operation, { body });
      expect(status, `${operation} ${name}`).toBe(operations[operation].status);
      if (operation !== 'notifications.send') expect(data[name], `${operation} ${name}`).toBeNull();
    }
  });

  test('F-3, E-10 every operation rejects a body that is missing a required field', async () => {
    const mock = serve();
    for (const { operation, name } of everyBodyField.filter(({ field }) => field.required)) {
      const { [name]: _, ...body } = operations[operation].example ?? {};
      expectError(await call(mock, operation, { body }), 'validation_failed', name, `${operation} ${name}`);
    }
    await expectUnchanged(mock);
  });

  test('F-3 every operation accepts a body with only the required fields', async () => {
    for (const operation of withBody) {
      const { body: fields, example, status } = operations[operation];
      const required = Object.keys(fields).filter((name) => fields[name]?.required);
      const body: Record<string, unknown> = Object.fromEntries(
        required.map((name) => [name, example?.[name]]),
      );
      if (operation === 'tickets.create') body.board_id = 'brd_todo';
      const empty = { boards: [{ id: 'brd_todo', name: 'Empty', tickets: [] }] };
      const mock = serve(operation === 'boards.delete' ? empty : {});
      expect((await call(mock, operation, { body })).status, operation).toBe(status);
    }
  });

  test('E-1 an error response reports every invalid field', async () => {
    const response = await call(serve(), 'documents.create', {
      body: { caption: 1, status: 'lost', tag_names: ['ok', 7] },
    });
    expectError(response, 'validation_failed');
    expect(Object.keys(response.body.errors).sort()).toEqual(['caption', 'status', 'tag_names.1', 'title']);
  });

  test('C-10, R-2 a date-time can have any offset and is returned in UTC', async () => {
    const mock = serve();
    const dates = [
      ['2027-01-01T00:00:00Z', 0],
      ['2027-01-01T01:00:00+01:00', 0],
      ['2026-12-31T14:30:00-09:30', 0],
      ['2027-01-01T00:00:00.250Z', 250],
    ] as const;
    for (const [due_at, milliseconds] of dates) {
      const { data } = await call(mock, 'tickets.update', { body: { due_at } });
      expect(data.due_at, due_at).toMatch(/Z$/);
      expect(Date.parse(data.due_at), due_at).toBe(Date.UTC(2027, 0, 1) + milliseconds);
    }
  });
});
