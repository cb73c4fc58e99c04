import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { world } from './support/server.js';

/** A server of its own for one test, and a way to its admin routes. */
async function serve() {
  const server = await listen({ world });
  onTestFinished(() => server.close());
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: 'Bearer wt_ci' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text && JSON.parse(text);
    return { status: response.status, data: json.data, message: json.message };
  };
  const admin = (method: string, path: string, body?: unknown) => ask(method, `/__admin${path}`, body);
  return { ...server, ask, admin };
}

describe('snapshots over HTTP', () => {
  test('are gone once they were deleted', async () => {
    const { admin } = await serve();
    const { data } = await admin('POST', '/snapshots');

    expect(await admin('DELETE', `/snapshots/${data.id}`)).toMatchObject({ status: 204 });
    for (const [method, path] of [
      ['DELETE', `/snapshots/${data.id}`],
      ['POST', `/snapshots/${data.id}/restore`],
    ] as const) {
      expect(await admin(method, path)).toMatchObject({
        status: 404,
        message: `There is no snapshot "${data.id}".`,
      });
    }
  });
});

describe('the clock over HTTP', () => {
  test('is read, set free and stopped, now or at an instant', async () => {
    const { admin } = await serve();
    expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });

    const running = await admin('POST', '/clock', { real: true });
    expect(running.data.frozen).toBe(false);
    expect(Math.abs(Date.parse(running.data.now) - Date.now())).toBeLessThan(60_000);

    const stopped = await admin('POST', '/clock', { freeze: true });
    expect(stopped.data.frozen).toBe(true);
    expect(Date.parse(stopped.data.now)).toBeGreaterThanOrEqual(Date.parse(running.data.now));

    const instant = { freeze: '2030-01-01T00:00:00Z' };
    expect((await admin('POST', '/clock', instant)).data.now).toBe('2030-01-01T00:00:00.000Z');
  });

  test('is as it was where one of its changes is refused', async () => {
    const { admin } = await serve();

    for (const refused of [{ set: 'soon' }, { real: true, set: 'soon' }, { advance: 1000, freeze: false }]) {
      expect((await admin('POST', '/clock', refused)).status).toBe(422);
      expect((await admin('GET', '/clock')).data).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
    }
  });
});

describe('credentials over HTTP', () => {
  test('are listed, and get a token of the server’s own where none is named', async () => {
    const { admin, ask } = await serve();

    const { data } = await admin('POST', '/credentials/wt_ci/rotate', {});

    expect(data.token).toMatch(/^wt_\w{26}$/);
    expect((await admin('GET', '/credentials')).data).toContainEqual(data);
    expect((await ask('GET', '/api/v1/tickets/tkt_1')).status).toBe(401);
  });

  test('keep their scopes where a change of them names none', async () => {
    const { admin, mock } = await serve();
    mock.credentials.setScopes('wt_ci', ['tickets:read']);

    expect(await admin('PATCH', '/credentials/wt_ci', {})).toMatchObject({
      status: 422,
      message: expect.stringContaining('credential.scopes: is required'),
    });
    expect(mock.state.credentials.all()[0]?.scopes).toEqual(['tickets:read']);
  });
});

describe('faults over HTTP', () => {
  test('are removed one by one, or all together with the rate limit', async () => {
    const { admin, ask } = await serve();
    const { data } = await admin('POST', '/faults', { status: 500 });
    await admin('POST', '/faults', { status: 503 });
    await admin('PUT', '/rate-limit', { limit: 0 });

    expect((await admin('DELETE', '/faults')).status).toBe(204);

    expect((await ask('GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
    expect(await admin('DELETE', `/faults/${data.id}`)).toMatchObject({
      status: 404,
      message: `There is no fault "${data.id}": removed, spent or never added.`,
    });
  });

  test('are not limited by what is no rate limit', async () => {
    const { admin, ask } = await serve();

    for (const [body, message] of [
      [{ limt: 0 }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
      [{ limit: '0' }, 'rateLimit: limit must be at least 0, window more than 0'],
    ] as const) {
      expect(await admin('PUT', '/rate-limit', body)).toMatchObject({ status: 422, message });
    }
    expect((await ask('GET', '/api/v1/tickets/tkt_1')).status).toBe(200);
  });

  test('are gone once they are spent, from the list and by their ids', async () => {
    const { admin, ask } = await serve();
    const { data } = await admin('POST', '/faults', { status: 503, times: 1 });
    expect((await ask('GET', '/api/v1/tickets/tkt_1')).status).toBe(503);

    expect((await admin('GET', '/faults')).data).toEqual([]);
    expect(await admin('DELETE', `/faults/${data.id}`)).toMatchObject({ status: 404 });
  });
});

describe('an admin request that cannot be read', () => {
  test.each([
    ['a body that is no JSON', '/clock', '{"set":', 400, 'The body is not JSON.'],
    ['a body that is no object', '/clock', '[]', 422, 'The body must be a JSON object.'],
    ['an expectation of no operation', '/requests/expect', '{}', 422, 'operation is required'],
    [
      'an expectation of a misspelt operation',
      '/requests/expect',
      '{"operation":"tickets.mvoe"}',
      422,
      'requests: there is no operation "tickets.mvoe"; did you mean "tickets.move"?',
    ],
    [
      'an expectation of an unknown field',
      '/requests/expect',
      '{"operation":"tickets.move","stauts":200}',
      422,
      'requests: stauts is no field of a request',
    ],
    [
      'a fault of a misspelt operation',
      '/faults',
      '{"operation":["tickets.get","bords.list"],"status":500}',
      422,
      'faults: there is no operation "bords.list"; did you mean "boards.list"?',
    ],
    [
      'a fault of no operation at all',
      '/faults',
      '{"operation":[],"status":500}',
      422,
      'faults: operation is an empty list, which no request is in; leave it out for all',
    ],
    ['a clock that is not real', '/clock', '{"real":false}', 422, 'real must be true, or left out'],
    ['a space without a name', '/spaces', '{}', 422, `A space's name is letters, digits, ".", "_" and "-"`],
    ['a space whose name is null', '/spaces', '{"name":null}', 422, '"-", not null.'],
    ['a token that is a number', '/credentials/wt_ci/rotate', '{"token":5}', 422, 'credential.token: '],
    ['a misspelt token', '/credentials/wt_ci/rotate', '{"tokn":"wt_x"}', 422, 'tokn is not known'],
    ['a space with an unknown option', '/spaces', '{"name":"a","wrld":{}}', 422, 'wrld is not known'],
  ])('%s is refused', async (_, path, body, status, message) => {
    const { admin } = await serve();

    const answer = await admin('POST', path, body);

    expect(answer.status).toBe(status);
    expect(answer.message).toContain(message);
  });

  test.each(['/snapshots//restore', '/snapshots/%zz/restore'])('%s is no route', async (path) => {
    const { admin } = await serve();

    expect(await admin('POST', path)).toMatchObject({ status: 404 });
  });
});

test('the state that is read over HTTP is that of mock.export()', async () => {
  const { admin, mock } = await serve();

  expect((await admin('GET', '/state')).data).toEqual(mock.export());
});

describe('a space over HTTP', () => {
  test('begins with its own world, time and seed', async () => {
    const { admin, ask } = await serve();
    const options = { world: { organizations: [{ name: 'Own' }] }, now: '2031-01-01T00:00:00Z', seed: 7 };

    // No credential of that world: nothing that a client could be given.
    expect((await admin('POST', '/spaces', { name: 'own', ...options })).message).toContain(
      'There is no credential: add one to the world',
    );

    const { data } = await admin('POST', '/spaces', { name: 'timed', now: options.now, seed: 7 });
    expect(data).toMatchObject({ name: 'timed', organization: 'org_acme' });
    expect((await ask('GET', '/spaces/timed/__admin')).data.now).toBe('2031-01-01T00:00:00.000Z');
  });

  test('that is not there is 404, for its admin routes, its bare path and a name that cannot be', async () => {
    const { admin, ask } = await serve();

    expect(await admin('DELETE', '/spaces/none')).toMatchObject({
      status: 404,
      message: 'There is no space "none".',
    });
    for (const path of ['/spaces/none', '/spaces/none/__admin', '/spaces/%zz/api/v1/projects']) {
      expect(await ask('GET', path)).toMatchObject({ status: 404, message: 'There is no such space.' });
    }
  });

  test('answers its bare path as any other that is no operation', async () => {
    const { admin, ask } = await serve();
    await admin('POST', '/spaces', { name: 'here' });

    expect((await ask('GET', '/spaces/here')).message).toContain('No operation matches GET');
  });
});
