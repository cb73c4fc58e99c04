import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import type { ListenOptions } from 'worktrack/mock-server/node';
import { serve, serveAdmin } from './support/listening.js';

async function serveConsole(options: ListenOptions = {}) {
  const server = await serve(options);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers, redirect: 'manual' });
  return { ...server, get };
}

describe('console routes', () => {
  test('return JSON to programs and redirect browsers to /__admin/', async () => {
    const { get } = await serveConsole();

    for (const path of ['/__admin', '/__admin/']) {
      expect((await (await get(path)).json()).data.space).toBe('');
    }
    const redirect = await get('/__admin', { accept: 'text/html,*/*' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '__admin/']);
  });

  test('serve the console without a token, but require one for JSON', async () => {
    const { get } = await serveConsole({ adminToken: 'a-long-token' });

    expect((await get('/__admin', { accept: 'text/html' })).status).toBe(302);
    expect((await get('/__admin/assets/unknown.js')).status).toBe(404);
    expect((await get('/__admin')).status).toBe(401);
  });

  test.each([
    '/__admin/assets/../../package.json',
    '/__admin/assets/%2e%2e/index.html',
    '/__admin/assets/..%2f..%2findex.js',
    '/__admin/licenses.txt',
  ])('return 404 for %s', async (path) => {
    expect((await (await serveConsole()).get(path)).status).toBe(404);
  });
});

describe('GET /__admin/organizations/{id}/api/v1', () => {
  const path = '/__admin/organizations/org_acme/api/v1';

  test("reads one organization's records, ignores scopes, faults, and overrides, and isn't recorded in the journal", async () => {
    const { get, mock } = await serveConsole();
    mock.faults.add({ status: 503 });
    mock.faults.rateLimit({ limit: 1, window: 60_000 });
    mock.override('tickets.get', () => {
      throw new Error('an override must not be called');
    });

    for (const _ of [1, 2, 3]) expect((await get(`${path}/tickets/tkt_1`)).status).toBe(200);
    expect((await get(`${path}/organizations/org_acme/documents`)).status).toBe(200);
    expect((await get(`${path}/projects/prj_other`)).status).toBe(403);
    expect(mock.requests.length).toBe(0);
    expect(mock.scopes.used()).toEqual([]);
  });

  test("can be a client's base URL and supports pagination", async () => {
    const { url } = await serveConsole();
    const client = new Worktrack({
      baseUrl: `${url}/__admin/organizations/org_acme`,
      token: 'none',
      organization: 'org_acme',
    });

    const [project] = await client.projects.list();
    const tickets = client.tickets.list(project?.id ?? '', { per_page: 1 });
    expect((await tickets.toArray({ limit: 10 })).map(({ id }) => id)).toContain('tkt_1');
  });

  test('requires the admin token, and rejects writes', async () => {
    const { get, url, mock } = await serveConsole({ adminToken: 'a-long-token' });
    const headers = { authorization: 'Bearer a-long-token' };

    expect((await get(`${path}/tickets/tkt_1`)).status).toBe(401);
    expect((await get(`${path}/tickets/tkt_1`, headers)).status).toBe(200);
    const deletion = await fetch(`${url}${path}/tickets/tkt_1`, { method: 'DELETE', headers });
    expect(deletion.status).toBe(405);
    expect(await deletion.json()).toEqual({ message: 'This admin route supports only GET.' });
    expect(mock.state.tickets.get('tkt_1')).toBeDefined();
  });

  test.each([
    ['/organizations/org_none/api/v1/tickets/tkt_1', 'No organization has the ID "org_none".'],
    ['/organizations/%zz/api/v1/tickets/tkt_1', 'No organization has the ID "%zz".'],
    ['/organizations/org_acme/tickets/tkt_1', 'Unknown admin route /organizations/org_acme/tickets/tkt_1.'],
    ['/spaces/organizations/org_acme/api/v1/x', 'Unknown admin route /spaces/organizations/'],
  ])('returns 404 for the unknown organization or route in %s', async (other, message) => {
    const { admin } = await serveAdmin();

    expect(await admin('GET', other)).toMatchObject({
      status: 404,
      message: expect.stringContaining(message),
    });
  });
});
