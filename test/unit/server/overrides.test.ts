import { expect, test } from 'vitest';
import { errorResponse } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

test('an override replaces an operation and receives the validated request', async () => {
  const mock = serverOf();
  mock.override('tickets.move', ({ params, body, credential }) => {
    expect([params.ticket, body.board_id, credential.name]).toEqual(['tkt_1', 'brd_doing', 'CI bot']);
    throw errorResponse('wip_limit_reached', 'Not today.', { board_id: ['is closed on Fridays'] });
  });

  const response = await send(mock, 'POST', '/tickets/tkt_1/move', { board_id: 'brd_doing' });

  expect([response.status, response.json]).toEqual([
    422,
    { message: 'Not today.', errors: { board_id: ['is closed on Fridays'] }, code: 'wip_limit_reached' },
  ]);
});

test('an override can change the response without changing the state', async () => {
  const mock = serverOf();
  mock.override('tickets.get', async (_, next) => {
    const ticket = await next();
    ticket.assignees.push({ id: 'usr_new', name: 'New' });
    return { ...ticket, title: 'Patched' };
  });

  const { json } = await send(mock, 'GET', '/tickets/tkt_1');

  expect(json.data).toMatchObject({ title: 'Patched', assignees: [{ id: 'usr_new' }] });
  expect(mock.state.tickets.get('tkt_1')).toMatchObject({ title: 'Launch', assignees: [] });
});

test('an override of a paginated operation returns items and a total', async () => {
  const mock = serverOf();
  mock.override('tickets.list', async (_, next) => ({ items: (await next()).items.slice(0, 1), total: 90 }));

  const { json } = await send(mock, 'GET', '/projects/prj_apollo/tickets');

  expect(json.data).toMatchObject({ total: 90, last_page: 2, to: 1, data: [{ id: 'tkt_1' }] });
});

test('the override that was added last runs first and can call the previous one with next()', async () => {
  const mock = serverOf();
  mock.override('tickets.get', async (_, next) => ({ ...(await next()), title: `${(await next()).title}!` }));
  mock.override('tickets.get', async (_, next) => ({ ...(await next()), title: `${(await next()).title}?` }));

  expect((await send(mock, 'GET', '/tickets/tkt_1')).json.data.title).toBe('Launch!?');
});

test('an override applies only to its own operation', async () => {
  const mock = serverOf();
  mock.override('tickets.get', async (_, next) => ({ ...(await next()), title: 'Ticket' }));
  mock.override('projects.get', async (_, next) => ({ ...(await next()), name: 'Project' }));
  const get = async (path: string) => (await send(mock, 'GET', path)).json.data;

  expect(await get('/tickets/tkt_1')).toMatchObject({ title: 'Ticket' });
  expect(await get('/tickets/tkt_1')).not.toHaveProperty('name');
  expect(await get('/projects/prj_apollo')).not.toHaveProperty('title');
  expect(await get('/projects/prj_apollo/boards')).toHaveLength(2);
});

test("an override applies until it's removed or the server is reset, or only once if `once` is true", async () => {
  const mock = serverOf();
  const title = async () => (await send(mock, 'GET', '/tickets/tkt_1')).json.data.title;
  const called = (text: string) => async (_: unknown, next: () => Promise<{ title: string }>) =>
    ({ ...(await next()), title: text }) as never;
  const removeOverride = mock.override('tickets.get', called('first'));
  mock.override('tickets.get', called('once'), { once: true });

  expect([await title(), await title()]).toEqual(['once', 'first']);
  removeOverride();
  expect(await title()).toBe('Launch');
  mock.override('tickets.get', called('again'));
  mock.reset();
  expect(await title()).toBe('Launch');
});

test("an override isn't called if the request fails validation", async () => {
  const mock = serverOf();
  mock.override('tickets.update', () => {
    throw new Error('reached');
  });

  expect((await send(mock, 'PATCH', '/tickets/tkt_1', { title: 1 })).status).toBe(422);
  await expect(send(mock, 'PATCH', '/tickets/tkt_1', { title: 'x' })).rejects.toThrow('reached');
});

test.each<[string, unknown, unknown, string]>([
  ['tickets.mvoe', () => [], {}, 'override: unknown operation "tickets.mvoe"; did you mean "tickets.move"?'],
  ['x', () => [], {}, 'override: unknown operation "x"'],
  ['projects.list', 'x', {}, 'override: the override for projects.list must be a function'],
  ['projects.list', undefined, {}, 'override: the override for projects.list must be a function'],
  ['projects.list', () => [], { onec: true }, 'override: unknown option "onec"; did you mean "once"?'],
  ['projects.list', () => [], { once: 1 }, 'override: option "once" must be a boolean (got 1)'],
  ['projects.list', () => [], null, 'override: options must be an object'],
])('mock.override rejects the arguments %j, %s, %j', (operation, override, options, message) => {
  expect(() =>
    serverOf().override(operation as 'projects.list', override as never, options as never),
  ).toThrow(expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }));
});

test("removing an override twice doesn't remove other overrides", async () => {
  const mock = serverOf();
  const removeOverride = mock.override('tickets.get', (_, next) => next(), { once: true });
  await send(mock, 'GET', '/tickets/tkt_1');
  removeOverride();
  mock.override('tickets.get', async (_, next) => ({ ...(await next()), title: 'mine' }));
  removeOverride();

  expect((await send(mock, 'GET', '/tickets/tkt_1')).json.data.title).toBe('mine');
});

test('an override with `once` applies to only one of two concurrent requests', async () => {
  const mock = serverOf();
  mock.override('tickets.get', async (_, next) => ({ ...(await next()), title: 'mine' }), { once: true });
  const both = await Promise.all([1, 2].map(() => send(mock, 'GET', '/tickets/tkt_1')));

  expect(both.map(({ json }) => json.data.title).sort()).toEqual(['Launch', 'mine']);
});
