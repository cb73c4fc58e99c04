import { describe, expect, test, vi } from 'vitest';
import { type CallOptions, ConfigurationError, type Transport, VERSION, Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { clientWith, errorOf, json, serve } from './support/serve.js';

const organization = {
  id: 'org_1',
  name: 'Acme',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

const client = (transport: Transport) =>
  new Worktrack({
    baseUrl: 'http://localhost',
    token: 'wt_secret',
    organization: 'org_1',
    retry: 0,
    transport,
  });

const textResponse = (text: string, status = 200) => ({
  status,
  headers: new Headers({ 'x-request-id': 'req_1' }),
  read: async () => ({ text }),
  discard: () => {},
});

/** Returns the error of a call whose transport returns a response with these properties. */
const errorWith = (response: object, options?: CallOptions) =>
  errorOf(client(async () => ({ ...textResponse(''), ...response })).organization.get(options));

describe('a custom transport', () => {
  test('receives the complete request, and its response is used', async () => {
    const sent: unknown[] = [];
    const one = client(async ({ cancellation, ...request }) => {
      sent.push(request, cancellation.signal.aborted);
      return textResponse(JSON.stringify({ data: organization }));
    });
    const result = await one.organization.get({ headers: { 'X-Trace': '1' } }).withResponse();
    expect(result).toMatchObject({ data: organization, requestId: 'req_1', status: 200 });
    expect(sent).toEqual([
      {
        method: 'GET',
        url: 'http://localhost/api/v1/organizations/org_1',
        headers: {
          accept: 'application/json',
          'user-agent': `worktrack/${VERSION}`,
          'x-trace': '1',
          authorization: 'Bearer wt_secret',
        },
        body: undefined,
      },
      false,
    ]);
  });

  test.each<[string, Transport]>([
    ['throws', () => expect.fail('the cable is out of wt_secret')],
    ['rejects', () => Promise.reject(new Error('the cable is out of wt_secret'))],
  ])('makes the call fail with a ConnectionError if the transport %s', async (_, transport) => {
    expect(await errorOf(client(transport).organization.get())).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('the cable is out of [redacted]'),
    });
  });

  test('discards a response that arrives after the call has been aborted', async () => {
    const caller = new AbortController();
    const discarded = new Promise<void>((resolve) => {
      const lateClient = client(
        ({ cancellation }) =>
          new Promise((settle) => {
            cancellation.listen(() => settle({ ...textResponse('{}'), discard: resolve }));
            caller.abort();
          }),
      );
      lateClient.organization.get({ signal: caller.signal }).catch(() => {});
    });
    await discarded;
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 42],
    ['a function, such as `nodeTransport` without parentheses', () => {}],
    ['a response without a status', { headers: new Headers(), read: async () => ({ text: '' }) }],
    ['a response without headers', { status: 200, read: async () => ({ text: '' }) }],
    ['a response with invalid headers', { status: 200, headers: 7, read: async () => ({ text: '' }) }],
    ['a response without a read method', { status: 200, headers: new Headers() }],
  ])(
    'makes the call fail with a ConfigurationError, without retries, if the transport returns %s',
    async (_, returned) => {
      const transport = vi.fn(() => returned as never);
      expect(await errorOf(client(transport).organization.get({ retry: 2 }))).toMatchObject({
        name: 'ConfigurationError',
        message: expect.stringContaining("didn't return a response"),
        operation: 'organization.get',
        outcome: 'unknown',
        attempts: 1,
      });
      expect(transport).toHaveBeenCalledOnce();
    },
  );

  test.each<[string, () => unknown, string]>([
    ['throws', () => expect.fail('no wt_secret'), 'was cut off: no [redacted]'],
    ['rejects', () => Promise.reject(new Error('no wt_secret')), 'was cut off: no [redacted]'],
    ['resolves to nothing', async () => undefined, "read() didn't return a string"],
    ['resolves to an empty object', async () => ({}), "read() didn't return a string"],
    ["resolves to text that isn't a string", async () => ({ text: 5 }), "read() didn't return a string"],
  ])('makes the call fail with a ConnectionError if read() %s', async (_, read, message) => {
    expect(await errorWith({ read })).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(message),
      outcome: 'done',
      status: 200,
      body: '',
    });
  });

  test('makes the call fail with a RequestTimeoutError that includes any partial body if read() exceeds the timeout', async () => {
    const timeoutError = { name: 'RequestTimeoutError', outcome: 'done', limit: 'timeout' };
    expect(await errorWith({ read: () => new Promise(() => {}) }, { timeout: 20 })).toMatchObject(
      timeoutError,
    );

    const cancellable = client(async ({ cancellation }) => ({
      ...textResponse(''),
      read: () =>
        new Promise((resolve) => {
          cancellation.listen(() => resolve({ text: '{"data', failure: cancellation.reason }));
        }),
    }));
    const error = await errorOf(cancellable.organization.get({ timeout: 20 }));
    expect(error).toMatchObject({ ...timeoutError, body: '{"data' });
  });

  test.each<[string, (() => void) | undefined]>([
    ['throws', () => expect.fail('not now')],
    ['rejects', (() => Promise.reject(new Error('not now'))) as () => void],
    ['is missing', undefined],
  ])('can be used even if discard() %s', async (_, discard) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const noContent = { ...textResponse('', 204), discard: discard as () => void };
      expect(await client(async () => noContent).tickets.delete('tkt_1')).toBeUndefined();

      const lateResponse = new Promise<typeof noContent>((resolve) => setTimeout(resolve, 30, noContent));
      const error = await errorOf(client(() => lateResponse).organization.get({ timeout: 5 }));
      expect(error).toMatchObject({ name: 'RequestTimeoutError' });
      await lateResponse;
      // Node.js reports unhandled rejections in a later turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  test("can't be combined with a custom fetch", () => {
    expect(
      () => new Worktrack({ baseUrl: 'http://localhost', fetch, transport: async () => textResponse('') }),
    ).toThrow(new ConfigurationError('options "fetch" and "transport" are mutually exclusive'));
  });
});

const document = { id: 'doc_1', title: 'Runbook' };

describe('fetchOptions', () => {
  test("are passed to fetch but don't override the client's own options", async () => {
    const fetch = vi.fn(async () => Response.json({ data: {} }));
    await clientWith(fetch).tickets.get('t', { fetchOptions: { next: { revalidate: 60 }, method: 'POST' } });
    expect(fetch.mock.lastCall?.at(1)).toMatchObject({ next: { revalidate: 60 }, method: 'GET' });
  });

  test("are rejected if the transport doesn't use fetch", async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    const call = client({ transport: nodeTransport() }).tickets.get('t', {
      fetchOptions: { cache: 'no-store' },
    });
    expect(await errorOf(call)).toMatchObject({
      name: 'ConfigurationError',
      message: 'tickets.get: option "fetchOptions" requires a transport that uses fetch',
    });
    expect(seen).toEqual([]);
  });
});

test('the client calls a custom fetch with `this` set to undefined', async () => {
  let self: unknown = 'never called';
  const client = clientWith(async function (this: unknown) {
    self = this;
    return Response.json({ data: [] });
  });
  await client.projects.list();
  expect(self).toBeUndefined();
});

test("the client can read a response from another fetch implementation, such as undici's, and sends the request only once", async () => {
  const { status, headers, body, type } = Response.json({ data: document });
  const fetch = vi.fn(async () => ({ status, headers, body, type }) as Response);
  expect(await clientWith(fetch).documents.get('doc_1')).toEqual(document);
  expect(fetch).toHaveBeenCalledOnce();
});

test("an error contains a native Headers object even if another implementation of fetch, such as undici's, is used", async () => {
  const headers = new Map([
    ['x-request-id', 'req_7'],
    ['x-region', 'eu'],
  ]);
  const notFound = { status: 404, headers, body: null, type: 'default' } as unknown as Response;
  const error = await errorOf(clientWith(async () => notFound).documents.get('doc_1'));
  expect(error).toMatchObject({ name: 'NotFoundError', requestId: 'req_7' });
  expect((error as { headers?: Headers }).headers).toBeInstanceOf(Headers);
  expect((error as { headers?: Headers }).headers?.get('x-region')).toBe('eu');
});

test.each<[string, () => Promise<Response>]>([
  [
    'has already been read',
    async () => {
      const response = Response.json({ data: document });
      await response.text();
      return response;
    },
  ],
  [
    'contains non-byte chunks',
    async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue('text');
            controller.close();
          },
        }),
      ),
  ],
])('a call fails with a ConnectionError and the outcome `done` if the body %s', async (_, respond) => {
  expect(await errorOf(clientWith(respond).documents.get('doc_1'))).toMatchObject({
    name: 'ConnectionError',
    outcome: 'done',
    status: 200,
  });
});
