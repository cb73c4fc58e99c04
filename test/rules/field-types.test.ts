import { describe, expect, test } from 'vitest';
import { everyBodyField, type Field } from '../contract/fields.js';
import { bodies, call } from './requests.js';
import { expectRefusal } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

/** Values that are not of a field's type, null aside. */
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

describe('types of fields', () => {
  test.each(everyBodyField)(
    '$operation refuses a wrong type of $name by its name',
    async ({ operation, name, field }) => {
      const mock = serve();
      for (const value of wrong[field.type]) {
        const answer = await call(mock, operation, { body: { ...bodies[operation], [name]: value } });
        expect({ value, status: answer.status }).toEqual({ value, status: 422 });
        expectRefusal(answer, 'validation_failed');
        const named = Object.keys(answer.body.errors);
        expect(named.some((key) => key === name || key.startsWith(`${name}.`))).toBe(true);
      }
      await expectUnchanged(mock);
    },
  );

  test.each(everyBodyField.filter(({ field }) => !field.nullable))(
    '$operation refuses null as $name',
    async ({ operation, name }) => {
      const mock = serve();
      const answer = await call(mock, operation, { body: { ...bodies[operation], [name]: null } });
      expectRefusal(answer, 'validation_failed', name);
      await expectUnchanged(mock);
    },
  );

  test.each(everyBodyField.filter(({ field }) => field.nullable))(
    '$operation takes null as $name',
    async ({ operation, name }) => {
      const answer = await call(serve(), operation, { body: { ...bodies[operation], [name]: null } });
      expect(answer.status).toBeLessThan(300);
      if (operation !== 'notifications.send') expect(answer.data[name]).toBeNull();
    },
  );

  test.each(everyBodyField.filter(({ field }) => field.required))(
    '$operation refuses a body without $name',
    async ({ operation, name }) => {
      const { [name]: _, ...rest } = bodies[operation] ?? {};
      const mock = serve();
      expectRefusal(await call(mock, operation, { body: rest }), 'validation_failed', name);
      await expectUnchanged(mock);
    },
  );

  test.each([...new Set(everyBodyField.map(({ operation }) => operation))])(
    '%s takes a body of its required fields alone',
    async (operation) => {
      const required = everyBodyField.filter((row) => row.operation === operation && row.field.required);
      const body: Record<string, unknown> = Object.fromEntries(
        required.map(({ name }) => [name, bodies[operation]?.[name]]),
      );
      if (operation === 'tickets.create') body.board_id = 'brd_todo';
      const ids = operation === 'boards.delete' ? { board: 'brd_empty' } : {};
      const mock = operation === 'boards.delete' ? withEmptyBoard() : serve();
      expect((await call(mock, operation, { body, ids })).status).toBeLessThan(300);
    },
  );

  test('every field that is wrong is named in one answer', async () => {
    const answer = await call(serve(), 'documents.create', {
      body: { caption: 1, status: 'lost', tag_names: ['ok', 7] },
    });
    expectRefusal(answer, 'validation_failed');
    expect(Object.keys(answer.body.errors).sort()).toEqual(['caption', 'status', 'tag_names.1', 'title']);
  });

  test('a date-time with any offset is taken and answered in UTC', async () => {
    const mock = serve();
    const dates = [
      ['2027-01-01T00:00:00Z', 0],
      ['2027-01-01T01:00:00+01:00', 0],
      ['2026-12-31T14:30:00-09:30', 0],
      ['2027-01-01T00:00:00.250Z', 250],
    ] as const;
    for (const [due_at, milliseconds] of dates) {
      const { data } = await call(mock, 'tickets.update', { body: { due_at } });
      expect(data.due_at).toMatch(/Z$/);
      expect(Date.parse(data.due_at)).toBe(Date.UTC(2027, 0, 1) + milliseconds);
    }
  });
});

const withEmptyBoard = () => serve({ boards: [{ id: 'brd_empty', name: 'Empty', tickets: [] }] });
