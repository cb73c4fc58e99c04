import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';

const server = () =>
  createMockServer({
    world: {
      organizations: [
        {
          id: 'org',
          name: 'Acme',
          users: [{ id: 'ada', name: 'Ada', role: 'owner' }],
          credentials: [{ token: 't' }],
          projects: [
            {
              id: 'p',
              name: 'Apollo',
              labels: [{ id: 'l', name: 'bug' }],
              boards: [
                {
                  id: 'b',
                  name: 'To do',
                  tickets: [
                    { id: 't', title: 'a', assignees: ['Ada'], labels: ['bug'], tags: ['x'], creator: 'Ada' },
                  ],
                },
              ],
            },
          ],
          documents: [{ id: 'd', title: 'd', editors: ['Ada'], tags: ['x'], author: 'Ada' }],
        },
      ],
    },
  });

type Mutable = Record<string, unknown>;

/** Overwrites every field of a record, including nested fields. */
function overwrite(record: object): void {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'object' && value !== null) overwrite(value);
    (record as Mutable)[field] = 'hacked';
  }
}

test.each(['organizations', 'users', 'credentials', 'projects', 'boards', 'tickets', 'documents'] as const)(
  "changing a record read from mock.state.%s doesn't affect the state",
  (kind) => {
    const mock = server();
    const before = JSON.stringify(mock.state[kind].all());
    for (const record of mock.state[kind].all()) overwrite(record);
    const id = {
      organizations: 'org',
      users: 'ada',
      credentials: 't',
      projects: 'p',
      boards: 'b',
      tickets: 't',
      documents: 'd',
    }[kind];
    overwrite(mock.state[kind].get(id) ?? {});
    mock.state[kind].filter((record) => {
      overwrite(record);
      return true;
    });

    expect(JSON.stringify(mock.state[kind].all())).toBe(before);
    mock.reset();
    expect(JSON.stringify(mock.state[kind].all())).toBe(before);
  },
);

test("changing a comment read from mock.state doesn't affect the state", async () => {
  const mock = server();
  await mock.fetch('http://worktrack.test/api/v1/tickets/t/comments', {
    method: 'POST',
    headers: { authorization: 'Bearer t' },
    body: '{"body_html":"x"}',
  });
  const before = JSON.stringify(mock.state.comments.all());
  for (const comment of mock.state.comments.all()) overwrite(comment);

  expect(JSON.stringify(mock.state.comments.all())).toBe(before);
});

test('mock.add returns a copy', () => {
  const mock = server();
  const ticket = mock.add.ticket({ assignees: ['Ada'], labels: ['bug'], tags: ['x'], creator: 'Ada' });
  const { id } = ticket;
  const before = mock.state.tickets.get(id);
  overwrite(ticket);
  overwrite(mock.add.label({ project: 'p' }));

  expect(mock.state.tickets.get(id)).toEqual(before);
});
