import { describe, expect, test } from 'vitest';
import { send, serve, serveAdmin } from './support/listening.js';
import { world } from './support/server.js';

describe('spaces', () => {
  test('have separate data, and can be created and deleted while the server runs', async () => {
    const { url } = await serve();
    const names = Array.from({ length: 20 }, (_, index) => `worker-${index}`);
    const made = await Promise.all(
      names.map((name) => send(url, 'POST', '/__admin/spaces', { name, world })),
    );
    expect(made.map(({ json }) => json.data.baseUrl)).toEqual(names.map((name) => `${url}/spaces/${name}`));

    await Promise.all(
      names.map((name) => send(url, 'PATCH', `/spaces/${name}/api/v1/tickets/tkt_1`, { title: name })),
    );
    const titles = await Promise.all(
      names.map(
        async (name) => (await send(url, 'GET', `/spaces/${name}/api/v1/tickets/tkt_1`)).json.data.title,
      ),
    );
    expect(titles).toEqual(names);
    expect((await send(url, 'GET', '/api/v1/tickets/tkt_1')).json.data.title).toBe('Launch');

    const requests = await send(url, 'GET', '/spaces/worker-3/__admin/requests');
    expect(requests.json.data).toHaveLength(2);
    expect((await send(url, 'DELETE', '/__admin/spaces/worker-3')).status).toBe(204);
    expect((await send(url, 'GET', '/spaces/worker-3/api/v1/tickets/tkt_1')).status).toBe(404);
    expect((await send(url, 'GET', '/__admin/spaces')).json.data).toHaveLength(19);
  });

  test('have their own seed data, even if the server was started with a state', async () => {
    const { mock } = await serve();
    const server = await serve({ state: mock.export() });

    expect(server.createSpace('same').state.projects.all()).toEqual(mock.state.projects.all());
    const other = server.createSpace('other', { world: { organizations: [{ id: 'org_2', name: 'Other' }] } });
    expect(other.state.organizations.all().map(({ id }) => id)).toEqual(['org_2']);
  });

  test("can't have a custom base URL", async () => {
    const server = await serve();
    const otherBase = { baseUrl: 'http://elsewhere.test' } as object;

    const create = () => server.createSpace('mine', otherBase);
    expect(create).toThrow(TypeError);
    expect(create).toThrow('createSpace: unknown option "baseUrl"');
    expect((await send(server.url, 'GET', '/spaces/mine/api/v1/tickets/tkt_1')).status).toBe(404);
  });

  test('must have a name of up to 100 letters, digits, and a few other characters', async () => {
    const { admin } = await serveAdmin();

    for (const name of ['', '.hidden', '-x', 'a/b', 'a b', 'ä', '../x', 'x'.repeat(101), 'x'.repeat(5000)]) {
      const { status, message } = await admin('POST', '/spaces', { name });
      const got = name.length < 5000 ? JSON.stringify(name) : `"${'x'.repeat(118)}…`;
      expect([status, message]).toEqual([422, expect.stringMatching(/^name must be 1 to 100 letters/)]);
      expect(message).toMatch(`must not start with "." or "-" (got ${got})`);
    }
    expect((await admin('GET', '/spaces')).data).toEqual([]);
    expect((await admin('POST', '/spaces', { name: '_-.9'.repeat(25) })).status).toBe(200);
  });

  test.each([
    ['the x-worktrack-space header', { 'x-worktrack-space': 'mine' }],
    ['a baggage entry', { baggage: 'trace=1, worktrack-space=mine;ttl=1, other=2' }],
  ])('can be selected at the root URL with %s', async (_, headers) => {
    const { url, createSpace } = await serve();
    const mine = createSpace('mine');
    const get = (extra: Record<string, string>) =>
      fetch(`${url}/api/v1/organizations/org_acme/documents`, {
        headers: { authorization: 'Bearer wt_ci', ...extra },
      });
    mine.add.document({ organization: 'org_acme', title: 'Mine' });

    const own = await (await get(headers)).json();
    const unknown = await get({ 'x-worktrack-space': 'other' });

    expect(own.data).toMatchObject({
      data: [{ title: 'Mine' }],
      first_page_url: expect.stringContaining(`${url}/spaces/mine/api/v1/`),
    });
    expect([unknown.status, await unknown.json()]).toEqual([404, { message: "This space doesn't exist." }]);
    expect((await (await get({ baggage: 'a=b' })).json()).data.data).toEqual([]);
    expect(mine.requests.length).toBe(1);
  });

  test('are replaced only if replace is true', async () => {
    const { admin, createSpace, send } = await serveAdmin();
    createSpace('mine');
    await send('POST', '/spaces/mine/api/v1/organizations/org_acme/projects', { name: 'Apollo', key: 'APX' });
    const message = 'A space named "mine" already exists. Delete it first, or set "replace" to true.';

    expect(await admin('POST', '/spaces', { name: 'mine' })).toMatchObject({ status: 409, message });
    expect(() => createSpace('mine')).toThrow(message);
    expect((await send('GET', '/spaces/mine/__admin')).data.requests).toBe(1);

    expect(await admin('POST', '/spaces', { name: 'mine', replace: true })).toMatchObject({ status: 200 });
    expect((await send('GET', '/spaces/mine/__admin')).data.requests).toBe(0);
  });

  test('are limited to 1,000, but existing spaces can still be replaced', async () => {
    const server = await serve({
      world: { organizations: [{ name: 'A', credentials: [{ token: 'wt_ci' }] }] },
    });
    const create = (name: string, replace?: boolean) =>
      send(server.url, 'POST', '/__admin/spaces', { name, replace });
    for (let index = 1; index < 1000; index += 1) server.createSpace(`space-${index}`);

    expect((await create('space-1000')).status).toBe(200);
    expect(await create('space-1001')).toMatchObject({
      status: 409,
      json: { message: 'There are already 1000 spaces. Delete the ones you no longer need.' },
    });
    expect((await create('space-1', true)).status).toBe(200);
    server.deleteSpace('space-2');
    expect((await create('space-1001')).status).toBe(200);
  });

  test('share one memory limit for their journals, and the largest journals lose their oldest requests first', async () => {
    const server = await serve({ journalBytes: 1_000_000 });
    const fill = async (name: string, count: number) => {
      const mock = server.createSpace(name);
      const path = `${mock.clientOptions().baseUrl}/api/v1/tickets`;
      // Each request takes up about 100 kB.
      for (let index = 0; index < count; index += 1) {
        await mock.fetch(`${path}/${index}?${'x'.repeat(16_000)}`);
      }
      return mock;
    };
    const small = await fill('small', 1);
    const large = await Promise.all(['a', 'b', 'c'].map((name) => fill(name, 9)));
    expect(large.map(({ requests }) => requests.length)).toEqual([9, 9, 9]);

    await send(server.url, 'GET', '/api/v1/tickets/tkt_1');

    // Halving each of the large journals leaves 13 requests, so two journals are halved again.
    expect(large.map(({ requests }) => requests.length)).toEqual([2, 2, 4]);
    expect(large[0]?.requests.all().map(({ url }) => url.split('?')[0]?.at(-1))).toEqual(['7', '8']);
    expect([small.requests.length, server.mock.requests.length]).toEqual([1, 1]);
  });
});

describe('a space', () => {
  test('can have its own seed data, time, and random seed', async () => {
    const { admin, send } = await serveAdmin();
    const world = { organizations: [{ name: 'Own', credentials: [] }] };
    const options = { world, now: '2031-01-01T00:00:00Z', randomSeed: 7 };

    // The response contains client options, which require a credential.
    expect((await admin('POST', '/spaces', { name: 'own', ...options })).message).toContain(
      'The server has no credential. Add one to the seed data',
    );
    expect((await admin('GET', '/spaces')).data).toEqual([]);

    const { data } = await admin('POST', '/spaces', { name: 'timed', now: options.now, randomSeed: 7 });
    expect(data).toMatchObject({ name: 'timed', organization: 'org_acme' });
    expect((await send('GET', '/spaces/timed/__admin')).data.now).toBe('2031-01-01T00:00:00.000Z');
  });

  test("returns 404 on every route if it doesn't exist or its name is invalid", async () => {
    const { admin, send } = await serveAdmin();

    expect(await admin('DELETE', '/spaces/none')).toMatchObject({
      status: 404,
      message: 'No space is named "none".',
    });
    await admin('POST', '/spaces', { name: 'here' });
    expect((await send('GET', '/spaces/here')).message).toContain('No operation matches GET');
    for (const path of ['/spaces/none', '/spaces/none/__admin', '/spaces/%zz/api/v1/projects']) {
      expect(await send('GET', path)).toMatchObject({ status: 404, message: "This space doesn't exist." });
    }
  });

  test('can be reached if its name is percent-encoded', async () => {
    const { url, createSpace } = await serve();
    const headers = { authorization: `Bearer ${createSpace('worker-1').clientOptions().token}` };
    const path = '/api/v1/organizations/org_acme/documents?per_page=1';

    const response = await fetch(`${url}/spaces/worker%2D1${path}`, { headers });
    expect((await response.json()).data.first_page_url).toBe(`${url}/spaces/worker-1${path}&page=1`);
  });

  test('has no console of its own, so its admin routes return JSON to browsers', async () => {
    const { url, createSpace } = await serve();
    createSpace('mine');

    const response = await fetch(`${url}/spaces/mine/__admin`, { headers: { accept: 'text/html' } });

    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await response.json()).data.space).toBe('mine');
  });
});
