import { expect, onTestFinished, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { serverOf } from './support/server.js';

test("mock.load accepts another server's exported state as an object or JSON", () => {
  const source = serverOf();
  source.add.ticket({ board: source.state.boards.all()[0]?.id ?? '', title: 'Exported' });
  const state = source.export();

  for (const data of [state, JSON.stringify(state)]) {
    const mock = createMockServer();
    mock.load(data);
    expect(mock.export()).toEqual(state);

    mock.add.organization({ name: 'Later' });
    mock.reset();
    expect(mock.export()).toEqual(state);
  }
});

test("changing an object passed to mock.load doesn't change the state", () => {
  const state = serverOf().export();
  const before = structuredClone(state);
  const mock = createMockServer();
  mock.load(state);
  for (const ticket of state.tickets) ticket.title = 'Changed';

  expect(mock.export()).toEqual(before);
});

test('mock.load rejects an invalid state and leaves the server unchanged', () => {
  const mock = serverOf();
  const before = mock.export();
  const state = serverOf().export();
  const [ticket] = state.tickets;

  expect(ticket).toBeDefined();
  for (const [invalid, message] of [
    [{ ...state, format: 'other' }, 'not an exported state'],
    [{ ...state, version: 2 }, "version 2 isn't supported"],
    [{ ...state, tickets: [{ ...ticket, title: 1 }] }, 'state.tickets[0].title'],
    [{ ...state, users: [] }, 'users'],
  ] as const) {
    expect(() => mock.load(invalid as never)).toThrow(message);
    expect(mock.export()).toEqual(before);
  }
});

test('POST /__admin/seed accepts a state from GET /__admin/state, and rejects an invalid state with 422', async () => {
  const source = serverOf();
  const server = await listen();
  onTestFinished(() => server.close());
  const state = JSON.parse(JSON.stringify(source.export()));

  const admin = async (route: string, body?: unknown) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(`${server.url}/__admin${path}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, ...(response.status === 204 ? {} : await response.json()) };
  };

  expect(await admin('POST /seed', state)).toEqual({ status: 204 });
  expect((await admin('GET /state')).data).toEqual(state);

  expect(await admin('POST /seed', { ...state, boards: null })).toEqual({
    status: 422,
    message: 'state.boards must be a list',
  });
  expect((await admin('GET /state')).data).toEqual(state);
});
