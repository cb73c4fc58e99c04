import { describe, expect, test } from 'vitest';
import { everyBodyField, type Field } from '../contract/fields.js';
import { bodies, call } from './requests.js';
import { expectRefusal } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

// One code point, two UTF-16 units, four bytes: a limit counted in anything but code points shows.
const rocket = '\u{1F680}';

const rows = (has: (field: Field) => boolean) => everyBodyField.filter(({ field }) => has(field));

describe('limits', () => {
  test.each(rows(({ maxLength }) => maxLength !== undefined))(
    '$operation takes $field.maxLength characters of $name and refuses one more',
    async ({ operation, name, field }) => {
      const text = rocket.repeat(field.maxLength ?? 0);
      const mock = serve();
      const fits = await call(mock, operation, { body: { ...bodies[operation], [name]: text } });
      expect(fits.status).toBeLessThan(300);
      if (fits.data?.[name] !== undefined) expect(fits.data[name] === text).toBe(true);

      const refusing = serve();
      const over = await call(refusing, operation, { body: { ...bodies[operation], [name]: `${text}x` } });
      expectRefusal(over, 'validation_failed', name);
      await expectUnchanged(refusing);
    },
  );

  test.each(rows(({ minimum }) => minimum !== undefined))(
    '$operation takes $field.minimum as $name and refuses one less',
    async ({ operation, name, field: { minimum = 0 } }) => {
      const fits = await call(serve(), operation, { body: { ...bodies[operation], [name]: minimum } });
      expect(fits.status).toBeLessThan(300);
      expect(fits.data[name]).toBe(minimum);
      const mock = serve();
      const under = await call(mock, operation, { body: { ...bodies[operation], [name]: minimum - 1 } });
      expectRefusal(under, 'validation_failed', name);
      await expectUnchanged(mock);
    },
  );

  test.each(rows(({ maxItems }) => maxItems !== undefined))(
    '$operation takes $field.maxItems items in $name and refuses one more',
    async ({ operation, name, field: { maxItems = 0 } }) => {
      const users = Array.from({ length: maxItems + 1 }, (_, index) => ({
        id: `usr_${index}`,
        name: `User ${index}`,
        email: `user${index}@acme.test`,
        role: 'member' as const,
      }));
      const items = name === 'tag_names' ? users.map((user) => user.name) : users.map((user) => user.id);
      const world = () =>
        serve({ members: [] }, { users, documents: [{ id: 'doc_guide', title: 'Guide' }], projects: [] });
      const body = { ...bodies[operation], [name]: items.slice(0, maxItems) };
      const fits = await call(world(), operation, { body });
      expect(fits.status).toBeLessThan(300);
      const kept = fits.data.tags?.length || fits.data.editors?.length || fits.data.notification_ids?.length;
      expect(kept).toBe(maxItems);

      const mock = world();
      const over = await call(mock, operation, { body: { ...body, [name]: items } });
      expectRefusal(over, 'validation_failed', name);
    },
  );

  test.each(rows(({ minItems }) => minItems !== undefined))(
    '$operation refuses an empty list of $name',
    async ({ operation, name }) => {
      const mock = serve();
      const answer = await call(mock, operation, { body: { ...bodies[operation], [name]: [] } });
      expectRefusal(answer, 'validation_failed', name);
      await expectUnchanged(mock);
    },
  );

  test.each(rows(({ itemMaxLength }) => itemMaxLength !== undefined))(
    '$operation takes $field.itemMaxLength characters in each of $name and refuses one more, by its place',
    async ({ operation, name, field: { itemMaxLength = 0 } }) => {
      const text = rocket.repeat(itemMaxLength);
      const fits = await call(serve(), operation, { body: { ...bodies[operation], [name]: ['ok', text] } });
      expect(fits.status).toBeLessThan(300);
      expect(fits.data.tags.map((tag: { name: string }) => tag.name)).toContain(text);
      const mock = serve();
      const over = await call(mock, operation, {
        body: { ...bodies[operation], [name]: ['ok', `${text}x`] },
      });
      expectRefusal(over, 'validation_failed', `${name}.1`);
      await expectUnchanged(mock);
    },
  );

  test.each(rows(({ oneOf }) => oneOf !== undefined))(
    '$operation takes exactly $field.oneOf as $name',
    async ({ operation, name, field: { oneOf = [] } }) => {
      for (const value of oneOf) {
        const answer = await call(serve(), operation, { body: { ...bodies[operation], [name]: value } });
        expect(answer.status).toBeLessThan(300);
        expect(answer.data[name]).toBe(value);
      }
      for (const value of ['', 'other', oneOf[0]?.toUpperCase(), ` ${oneOf[0]}`]) {
        const answer = await call(serve(), operation, { body: { ...bodies[operation], [name]: value } });
        expectRefusal(answer, 'validation_failed', name);
      }
    },
  );

  test('required means present: an empty text passes, as no minimum length is invented', async () => {
    for (const { operation, name, field } of rows(({ maxLength, required }) =>
      Boolean(maxLength && required),
    )) {
      expect(field.required).toBe(true);
      const answer = await call(serve(), operation, { body: { ...bodies[operation], [name]: '' } });
      expect({ operation, name, status: answer.status }).toEqual({ operation, name, status: 201 });
    }
  });

  test('a WIP limit and a position have no upper bound', async () => {
    const mock = serve();
    const board = await call(mock, 'boards.create', { body: { name: 'Vast', wip_limit: 1_000_000_000 } });
    expect(board.data.wip_limit).toBe(1_000_000_000);
    const ticket = await call(mock, 'tickets.move', { body: { board_id: 'brd_done', position: 1_000_000 } });
    expect(ticket.data.position).toBe(1);
  });
});
