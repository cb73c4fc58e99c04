import { describe, expect, test, vi } from 'vitest';
import { VERSION } from 'worktrack';
import { clientWith, errorOf, secret } from './support/serve.js';

type Fetch = typeof globalThis.fetch;

/** A fetch that returns a value other than a platform `Response`. */
const returning = (value: unknown) => (async () => value) as unknown as Fetch;

describe('a custom fetch', () => {
  test('receives the complete request, and its response is used', async () => {
    const fetch = vi.fn<Fetch>(async () =>
      Response.json({ data: { id: 'org_1' } }, { headers: { 'x-request-id': 'req_1' } }),
    );
    const call = clientWith(fetch).organization.get({ headers: { 'X-Trace': '1' } });
    expect(await call.withResponse()).toMatchObject({
      data: { id: 'org_1' },
      requestId: 'req_1',
      status: 200,
    });
    expect(fetch.mock.calls).toEqual([
      [
        'https://work.example/api/v1/organizations/org_acme',
        {
          method: 'GET',
          headers: {
            accept: 'application/json',
            'user-agent': `worktrack/${VERSION}`,
            'x-trace': '1',
            authorization: `Bearer ${secret}`,
          },
          body: null,
          redirect: 'manual',
          signal: expect.any(AbortSignal),
        },
      ],
    ]);
  });

  test.each<[string, Fetch]>([
    ['throws', () => expect.fail(`the cable is out of ${secret}`)],
    ['rejects', () => Promise.reject(new Error(`the cable is out of ${secret}`))],
  ])('makes the call fail with a ConnectionError if it %s', async (_, fetch) => {
    expect(await errorOf(clientWith(fetch).organization.get())).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('the cable is out of [redacted]'),
    });
  });

  test('may respond after the call has been aborted, in which case the client discards the response', async () => {
    const caller = new AbortController();
    const canceled = new Promise<void>((resolve) => {
      const fetch: Fetch = (_, init) =>
        new Promise((settle) => {
          const body = new ReadableStream({ cancel: () => resolve() });
          init?.signal?.addEventListener('abort', () => settle(new Response(body)));
          caller.abort();
        });
      clientWith(fetch)
        .organization.get({ signal: caller.signal })
        .catch(() => {});
    });
    await canceled;
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 42],
    ['a function', () => {}],
    ['a response without a status', { headers: new Headers(), body: null }],
    ['a response without headers', { status: 200, body: null }],
    ['a response with invalid headers', { status: 200, headers: 7, body: null }],
  ])('makes the call fail with a ConfigurationError, without retries, if it returns %s', async (_, value) => {
    const fetch = vi.fn(returning(value));
    expect(await errorOf(clientWith(fetch).organization.get({ retry: 2 }))).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('option "fetch" didn\'t return a response'),
      operation: 'organization.get',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(fetch).toHaveBeenCalledOnce();
  });

  test('makes the call fail with a RequestTimeoutError that includes the partial body if the body never ends', async () => {
    const start = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new TextEncoder().encode('{"data'));
    const bodies = [
      new ReadableStream({ start }),
      // Canceling this stream never finishes either.
      new ReadableStream({ start, cancel: () => new Promise(() => {}) }),
    ];
    for (const body of bodies) {
      const call = clientWith(async () => new Response(body)).organization.get({ timeout: 20 });
      expect(await errorOf(call)).toMatchObject({
        name: 'RequestTimeoutError',
        outcome: 'done',
        limit: 'timeout',
        body: '{"data',
      });
    }
  });

  test.each<[string, (() => unknown) | undefined]>([
    ['throws', () => expect.fail('not now')],
    ['rejects', () => Promise.reject(new Error('not now'))],
    ['is missing', undefined],
  ])('can return a body whose cancel() %s', async (_, cancel) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const noContent = { status: 204, headers: new Headers(), body: { cancel } };
      expect(await clientWith(returning(noContent)).tickets.delete('tkt_1')).toBeUndefined();
      const late = new Promise((resolve) => setTimeout(resolve, 30, noContent));
      const error = await errorOf(
        clientWith((() => late) as unknown as Fetch).organization.get({ timeout: 5 }),
      );
      expect(error).toMatchObject({ name: 'RequestTimeoutError' });
      await late;
      // Node.js reports unhandled rejections in a later turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

const document = { id: 'doc_1', title: 'Runbook' };

test("fetchOptions are passed to fetch but don't override the client's own options", async () => {
  const fetch = vi.fn(async () => Response.json({ data: {} }));
  await clientWith(fetch).tickets.get('t', { fetchOptions: { next: { revalidate: 60 }, method: 'POST' } });
  expect(fetch.mock.lastCall?.at(1)).toMatchObject({ next: { revalidate: 60 }, method: 'GET' });
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
