import { describe, expect, test } from 'vitest';
import { everyBodyField, type Field, operations } from '../support/operations.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { call } from './requests.js';
import { serve } from './world.js';

// The limits are measured in code points. This character is one code point, two UTF-16 code units, and four
// bytes.
const rocket = '\u{1F680}';

const rows = (has: (field: Field) => boolean) =>
  everyBodyField
    .filter(({ field }) => has(field))
    .map(({ operation, name, field }) => ({
      operation,
      name,
      field,
      what: `${operation} ${name}`,
      /** Returns the example body with the field set to this value. */
      body: (value: unknown) => ({ ...operations[operation].example, [name]: value }),
    }));

describe('field limits', () => {
  test("F-4 a string is accepted if it has at most the maximum number of code points, and rejected if it's longer", async () => {
    const rejecting = serve();
    for (const { operation, name, field, what, body } of rows(({ maxLength }) => maxLength !== undefined)) {
      const text = rocket.repeat(field.maxLength ?? 0);
      const { status, data } = await call(serve(), operation, { body: body(text) });
      expect(status, what).toBe(operations[operation].status);
      if (data?.[name] !== undefined) expect(data[name] === text, what).toBe(true);
      const response = await call(rejecting, operation, { body: body(`${text}x`) });
      expectError(response, 'validation_failed', name, what);
    }
    await expectUnchanged(rejecting);
  }, 60_000);

  test('F-6 an integer field accepts its minimum and rejects any smaller integer', async () => {
    const rejecting = serve();
    for (const { operation, name, field, what, body } of rows(({ minimum }) => minimum !== undefined)) {
      const { minimum = 0 } = field;
      const { status, data } = await call(serve(), operation, { body: body(minimum) });
      expect({ status, value: data[name] }, what).toEqual({
        status: operations[operation].status,
        value: minimum,
      });
      const response = await call(rejecting, operation, { body: body(minimum - 1) });
      expectError(response, 'validation_failed', name, what);
    }
    await expectUnchanged(rejecting);
  });

  test("F-5 a list is accepted if its number of entries is within the limits, and rejected if it's too short or too long", async () => {
    for (const { operation, name, field, what, body } of rows(({ maxItems }) => maxItems !== undefined)) {
      const { maxItems = 0 } = field;
      const users = Array.from({ length: maxItems + 1 }, (_, index) => ({
        id: `usr_${index}`,
        name: `User ${index}`,
        email: `user${index}@acme.test`,
        role: 'member' as const,
      }));
      const entries = users.map((user) => (name === 'tag_names' ? user.name : user.id));
      const mock = serve(
        { members: [] },
        { users, documents: [{ id: 'doc_guide', title: 'Guide' }], projects: [] },
      );
      if (field.minItems) {
        expectError(await call(mock, operation, { body: body([]) }), 'validation_failed', name, what);
      }
      // Duplicates count toward the limit, even though they're removed later.
      for (const [kept, tooMany] of [
        [maxItems, entries],
        [1, entries.map(() => entries[0])],
      ] as const) {
        expectError(await call(mock, operation, { body: body(tooMany) }), 'validation_failed', name, what);
        const { status, data } = await call(mock, operation, { body: body(tooMany.slice(0, maxItems)) });
        expect(status, what).toBe(operations[operation].status);
        const stored = data.tags?.length || data.editors?.length || data.notification_ids?.length;
        expect(stored, what).toBe(kept);
      }
    }
  });

  test('F-4, E-1 a list entry is accepted up to its maximum length, and the error for a longer entry includes its index', async () => {
    const rejecting = serve();
    for (const { operation, name, field, what, body } of rows(({ itemMaxLength }) =>
      Boolean(itemMaxLength),
    )) {
      const text = rocket.repeat(field.itemMaxLength ?? 0);
      const { status, data } = await call(serve(), operation, { body: body(['ok', text]) });
      expect(status, what).toBe(operations[operation].status);
      expect(data.tags.map((tag: { name: string }) => tag.name)).toContain(text);
      const response = await call(rejecting, operation, { body: body(['ok', `${text}x`]) });
      expectError(response, 'validation_failed', `${name}.1`, what);
    }
    await expectUnchanged(rejecting);
  });

  test('F-7 an enum field accepts only the specified values', async () => {
    const rejecting = serve();
    for (const { operation, name, field, what, body } of rows(({ oneOf }) => oneOf !== undefined)) {
      const { oneOf = [] } = field;
      for (const value of oneOf) {
        const { status, data } = await call(serve(), operation, { body: body(value) });
        expect({ status, value: data[name] }, what).toEqual({ status: operations[operation].status, value });
      }
      for (const value of ['', 'other', oneOf[0]?.toUpperCase(), ` ${oneOf[0]}`]) {
        const response = await call(rejecting, operation, { body: body(value) });
        expectError(response, 'validation_failed', name, `${what} "${value}"`);
      }
    }
    await expectUnchanged(rejecting);
  });

  test('C-9 a required string can be empty', async () => {
    for (const { operation, what, body } of rows(({ maxLength, required }) =>
      Boolean(maxLength && required),
    )) {
      expect((await call(serve(), operation, { body: body('') })).status, what).toBe(201);
    }
  });

  test('F-6 WIP limits and positions have no maximum', async () => {
    const mock = serve();
    const board = await call(mock, 'boards.create', { body: { name: 'Vast', wip_limit: 1_000_000_000 } });
    expect(board.data.wip_limit).toBe(1_000_000_000);
    const ticket = await call(mock, 'tickets.move', { body: { board_id: 'brd_done', position: 1_000_000 } });
    expect(ticket.data.position).toBe(1);
  });
});
