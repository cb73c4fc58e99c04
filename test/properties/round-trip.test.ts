import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { checkProperty } from './runs.js';

test('the client and the server preserve all fields of a ticket', async () => {
  await checkProperty(
    'round trip of tickets',
    fc.asyncProperty(
      fc.record({
        title: fc.string({ unit: 'binary', maxLength: 250 }),
        description_html: fc.option(fc.string({ unit: 'grapheme' })),
        due_at: fc.option(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })),
      }),
      async (fields) => {
        const mock = createMockServer();
        const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
        const project = await client.projects.create({ name: 'x', key: 'x' });
        const board = await client.boards.create(project.id, { name: 'x' });
        const { id } = await client.tickets.create(project.id, { ...fields, board_id: board.id });
        const ticket = await client.tickets.get(id);
        expect(ticket).toMatchObject({
          title: fields.title,
          description_html: fields.description_html,
          due_at: fields.due_at?.toISOString() ?? null,
        });
      },
    ),
    { quick: 30, long: 1000 },
  );
}, 3_600_000);
