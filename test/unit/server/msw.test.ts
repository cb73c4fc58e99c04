import { getResponse, type HttpHandler, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { captureErrors } from './support/listening.js';

const headers = { authorization: 'Bearer wt_default' };
const organization = 'http://worktrack.test/api/v1/organizations/org_default';

/** Intercepts requests with the mock server's handlers for the rest of the test. */
function intercept(
  mock: MockServer,
  options: object = { onUnhandledFrame: 'error' },
  ...otherHandlers: HttpHandler[]
) {
  const server = setupServer(...mock.handlers, ...otherHandlers);
  server.listen(options);
  onTestFinished(() => server.close());
  return server;
}

test('with setupServer, mock.handlers responds to calls to the global fetch', async () => {
  intercept(createMockServer());
  const body = JSON.stringify({ name: 'Apollo', key: 'APO' });
  const created = await fetch(`${organization}/projects`, { method: 'POST', headers, body });
  const listed = await fetch(`${organization}/projects`, { headers });

  expect(created.status).toBe(201);
  expect((await listed.json()).data).toEqual([(await created.json()).data]);
});

test('mock.handlers responds to a DELETE with 204 and to an unknown path with 404', async () => {
  intercept(createMockServer());
  const body = '{"title":"Runbook"}';
  const created = await fetch(`${organization}/documents`, { method: 'POST', headers, body });
  const { id } = (await created.json()).data;
  const deleted = await fetch(`http://worktrack.test/api/v1/documents/${id}`, { method: 'DELETE', headers });
  const unknown = await fetch('http://worktrack.test/api/v1/elsewhere');

  expect([deleted.status, await deleted.text()]).toEqual([204, '']);
  expect([unknown.status, (await unknown.json()).code]).toEqual([404, 'not_found']);
});

test('custom handlers take precedence until resetHandlers() removes them', async () => {
  const server = intercept(createMockServer());
  const read = async () => (await fetch(organization, { headers })).json();
  server.use(http.get(organization, () => HttpResponse.json({ mine: true })));
  expect(await read()).toEqual({ mine: true });

  server.resetHandlers();
  server.restoreHandlers();
  expect(await read()).toMatchObject({ data: { id: 'org_default' } });
});

test("mock.handlers responds to all paths under the API's base URL, but not to any other paths", async () => {
  const ownHandler = http.all('http://worktrack.test/*', () => HttpResponse.json({ mine: true }));
  intercept(createMockServer({ baseUrl: 'http://worktrack.test/work' }), undefined, ownHandler);
  const status = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://worktrack.test${path}`, init);
    return (await response.json()).mine ? 'mine' : response.status;
  };
  for (const path of ['/', '/after', '/work', '/work/api', '/work/api/v10', '/api/v1/projects/p']) {
    expect([path, await status(path)]).toEqual([path, 'mine']);
  }
  expect(await status('/work/api/v1')).toBe(404);
  expect(await status('/work/api/v1?x')).toBe(404);
  expect(await status('/work/api/v1/nothing')).toBe(404);
  expect(await status('/work/api/v1/projects/p', { method: 'PUT', headers })).toBe(405);
});

test('mock.handlers lets onUnhandledRequest handle requests to other origins', async () => {
  const printed = captureErrors();
  intercept(createMockServer());
  await expect(fetch('http://elsewhere.test/')).rejects.toThrow();
  expect(printed.mock.calls.flat().join('\n')).toContain('GET http://elsewhere.test/');
});

describe('an unhandled request', () => {
  const path = 'http://worktrack.test/api/v1/organization/x';
  const suggestion = expect.stringContaining('Did you mean GET /api/v1/organizations/{organization}');

  test.each<[string, string, (mock: MockServer) => object, unknown]>([
    ['an unknown path', path, () => ({ onUnhandledFrame: 'error' }), suggestion],
    ['an unknown path with mswOptions', path, (mock) => mock.mswOptions, suggestion],
    [
      'another origin with mswOptions',
      'http://elsewhere.test/a',
      (mock) => mock.mswOptions,
      'No handler matches GET http://elsewhere.test/a.',
    ],
  ])('is rejected with a network error and recorded: %s', async (_, url, options, message) => {
    captureErrors();
    const mock = createMockServer({ unhandled: 'error' });
    intercept(mock, options(mock));
    const cause = { name: 'UnhandledRequestError', message };
    await expect(fetch(url)).rejects.toMatchObject({ name: 'TypeError', cause });
    expect(mock.requests.all()).toMatchObject([{ url, status: 0, unhandled: message }]);
  });

  test.each([
    ['mswOptions', (mock: MockServer) => mock.mswOptions],
    ["MSW's own error strategy", () => ({ onUnhandledFrame: 'error' as const })],
  ])("isn't retried by the client with %s", async (_, options) => {
    captureErrors();
    const mock = createMockServer();
    intercept(mock, options(mock));
    const client = new Worktrack({ ...mock.clientOptions(), baseUrl: 'https://elsewhere.test' });
    await expect(client.projects.list()).rejects.toMatchObject({ code: 'connection', attempts: 1 });
  });
});

test('a connection fault causes a network error in MSW', async () => {
  intercept(createMockServer({ faults: [{ error: 'connection' }] }));
  await expect(fetch(organization, { headers })).rejects.toThrow(TypeError);
});

test('mock.handlers works with getResponse', async () => {
  const { handlers } = createMockServer();
  const response = await getResponse([...handlers], new Request(organization, { headers }));

  expect(response?.status).toBe(200);
  expect(handlers).toMatchObject([{ isUsed: true }]);
});

test("server.listHandlers shows mock.handlers with the mock server's origin", () => {
  const server = setupServer(...createMockServer().handlers);

  expect(server.listHandlers()).toMatchObject([{ info: { header: 'worktrack http://worktrack.test' } }]);
});

test('getResponse rejects with the error thrown by an override', async () => {
  const mock = createMockServer();
  mock.override('organization.get', () => {
    throw new RangeError('a bug in the override');
  });

  await expect(getResponse([...mock.handlers], new Request(organization, { headers }))).rejects.toThrow(
    'a bug in the override',
  );
});

test('getResponse returns a network error if the request has been aborted', async () => {
  const mock = createMockServer({ faults: [{ latency: 1_000_000 }] });
  const controller = new AbortController();
  const request = new Request(organization, { headers, signal: controller.signal });
  const response = getResponse([...mock.handlers], request);
  controller.abort();

  expect(await response).toMatchObject({ type: 'error' });
});

test('each handler in mock.handlers has the methods that MSW 3 and MSW in the browser call', async () => {
  const mock = createMockServer();
  const [handler] = mock.handlers as unknown as [
    { test(args: object): Promise<boolean>; log(): void; dispose(): void; isUsed: boolean },
  ];

  expect(await handler.test({ request: new Request(organization) })).toBe(true);
  expect(await handler.test({ request: new Request('http://elsewhere.test/') })).toBe(false);
  expect([handler.log(), handler.dispose(), handler.isUsed]).toEqual([undefined, undefined, false]);
});

test('mock.mswOptions.onUnhandledFrame throws for an unhandled request and ignores other frames', () => {
  const { mswOptions } = createMockServer();
  captureErrors();
  const frame = { data: { request: new Request('http://elsewhere.test/a') } };
  expect(() => mswOptions.onUnhandledFrame({ frame })).toThrow(
    'No handler matches GET http://elsewhere.test/a.',
  );
  expect(() => mswOptions.onUnhandledFrame({ frame: { data: {} } })).not.toThrow();
});
