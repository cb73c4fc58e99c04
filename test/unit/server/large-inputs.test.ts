import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

describe('a request with 100,000 invalid IDs', () => {
  test.each(['assignee_ids', 'label_ids'])(
    'to tickets.update gets a short error response if the IDs are in %s',
    async (field) => {
      const mock = serverOf();
      const { status, text, json } = await send(mock, 'PATCH', '/tickets/tkt_1', {
        [field]: times(100_000, (index) => `unknown ${index}`),
      });
      expect([status, json.code]).toEqual([422, 'invalid_relation']);
      expect(Object.keys(json.errors)).toHaveLength(11);
      expect(json.errors[field]).toEqual([`and 99,990 more invalid items in ${field}`]);
      expect(json.message).toMatch(/; and 99,990 more invalid items in \w+$/);
      expect(text.length).toBeLessThan(3000);
    },
  );

  test('to boards.reorder gets a short error response', async () => {
    const body = { board_ids: times(100_000, (index) => `unknown ${index}`) };
    const { text, json } = await send(serverOf(), 'PUT', '/projects/prj_apollo/boards/reorder', body);
    expect(json.message).toContain('and 99995 more');
    expect(text.length).toBeLessThan(2000);
  });
});

test('an error response truncates an ID that is very long', async () => {
  const { text, json } = await send(serverOf(), 'PATCH', '/tickets/tkt_1', { label_ids: ['x'.repeat(1e6)] });
  expect(json.errors['label_ids.0']).toEqual([
    `label_ids.0 "${'x'.repeat(59)}…" is not a label in this project`,
  ]);
  expect(text.length).toBeLessThan(500);
});

test('tickets.update removes 300,000 duplicate label IDs before looking them up', async () => {
  const mock = serverOf();
  mock.add.project({
    id: 'prj_labels',
    organization: 'Acme',
    labels: times(1000, (id) => ({ id: `lbl_${id}`, name: 'L' })),
  });
  const board = mock.add.board({ project: 'prj_labels' });
  const { id } = mock.add.ticket({ board: board.id });
  const { status, json } = await send(mock, 'PATCH', `/tickets/${id}`, {
    label_ids: times(300_000, () => 'lbl_999'),
  });
  expect([status, json.data.labels]).toEqual([200, [{ id: 'lbl_999', name: 'L', color: null }]]);
});

test('a large seed file is loaded completely and in order', () => {
  const count = 20_000;
  const mock = createMockServer({
    world: {
      organizations: [
        {
          name: 'Large',
          users: times(count, (index) => ({ name: `User ${index}`, role: 'admin' })),
          credentials: times(count, (index) => ({ token: `wt_${index}` })),
          projects: [
            {
              id: 'prj',
              name: 'P',
              labels: times(count, (index) => ({ name: `Label ${index}` })),
              boards: [
                { name: 'B', tickets: times(count, (index) => ({ title: 'T', tags: [`tag ${index}`] })) },
                ...times(1999, () => ({ name: 'B' })),
              ],
            },
          ],
        },
      ],
    },
  });
  expect(mock.state.users.all().map(({ name }) => name)).toEqual(times(count, (index) => `User ${index}`));
  expect(mock.state.credentials.all().at(-1)?.name).toBe(`API credential ${count}`);
  expect(mock.state.boards.all().at(-1)?.slug).toBe('b-2000');
  expect(mock.state.tickets.all().at(-1)).toMatchObject({
    number: count,
    tags: [{ name: `tag ${count - 1}` }],
  });
});
