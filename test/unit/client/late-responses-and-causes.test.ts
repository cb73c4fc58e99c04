import { describe, expect, it } from 'vitest';
import { type ClientOptions, Worktrack } from 'worktrack';
import { errorOf, secret } from './support/serve.js';

/** Creates a client with a custom `fetch`. */
const clientOf = (fetch: typeof globalThis.fetch, options: ClientOptions = {}) =>
  new Worktrack({
    baseUrl: 'https://work.example',
    token: secret,
    organization: 'org_acme',
    responseValidation: 'off',
    retry: 0,
    fetch,
    ...options,
  });

const dataResponse = (data: unknown) => Response.json({ data });

describe('an unread body', () => {
  it('is canceled after a successful DELETE, and an error from canceling is ignored', async () => {
    let cancelled = 0;
    const body = () =>
      new ReadableStream({
        cancel() {
          cancelled++;
          throw new Error("can't be canceled");
        },
      });
    const client = clientOf(async () => new Response(body(), { status: 200 }));

    expect(await client.tickets.delete('t')).toBeUndefined();
    expect(cancelled).toBe(1);
  });

  it('is canceled if the response arrives after the timeout', async () => {
    let cancelled = 0;
    const body = new ReadableStream({
      cancel() {
        cancelled++;
      },
    });
    let send = (_: Response) => {};
    const fetch = () =>
      new Promise<Response>((resolve) => {
        send = resolve;
      });
    const client = clientOf(fetch);

    expect(await errorOf(client.tickets.get('t', { timeout: 5 }))).toMatchObject({
      name: 'RequestTimeoutError',
    });
    send(new Response(body));
    await new Promise((resolve) => setTimeout(resolve));

    expect(cancelled).toBe(1);
  });
});

it("a signal that a request hook aborts is already aborted when it's passed to fetch", async () => {
  const controller = new AbortController();
  const seen: boolean[] = [];
  const client = clientOf(
    async (_, init) => {
      seen.push(init?.signal?.aborted ?? false);
      throw init?.signal?.reason;
    },
    { hooks: { request: () => controller.abort() } },
  );

  expect(await errorOf(client.tickets.get('t', { signal: controller.signal }))).toMatchObject({
    name: 'RequestAbortedError',
  });
  expect(seen.filter((aborted) => !aborted)).toEqual([]);
});

it('an already aborted signal keeps the call from using a slot of the throttle', async () => {
  const client = clientOf(async () => dataResponse({ id: 't' }), { throttle: { concurrency: 1 } });
  const error = await errorOf(client.tickets.get('t', { signal: AbortSignal.abort(new Error('no')) }));

  expect(error).toMatchObject({
    name: 'RequestAbortedError',
    outcome: 'not_sent',
    cause: { message: 'no' },
  });
  expect(await client.tickets.get('t')).toEqual({ id: 't' });
});

describe("a custom fetch's rejection reason", () => {
  it.each([
    ['undefined', undefined, 'undefined'],
    ['a string', 'the wire is cut', 'the wire is cut'],
    [
      'an error without a message, whose cause has a code',
      Object.assign(new Error(''), { cause: { code: 'E1' } }),
      'E1',
    ],
  ])('appears in the error message if the reason is %s', async (_, reason, words) => {
    const client = clientOf(() => Promise.reject(reason));

    expect(await errorOf(client.tickets.get('t'))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(`no response from https://work.example: ${words}`),
    });
  });

  it('is redacted before it is cut to 300 characters', async () => {
    const client = clientOf(() => Promise.reject(new Error(`${'x'.repeat(290)} ${secret}`)));
    const { message } = (await errorOf(client.tickets.get('t'))) as Error;
    expect(message).toContain(`${'x'.repeat(290)} [redacte…`);
  });

  it('is cut before an emoji rather than in the middle of it', async () => {
    const client = clientOf(() => Promise.reject(new Error(`${'x'.repeat(298)}🚀🚀`)));
    const { message } = (await errorOf(client.tickets.get('t'))) as Error;
    expect(message).toMatch(/: x{298}…$/);
  });

  it('keeps Date values, but not functions or the credential', async () => {
    const at = new Date(0);
    const reason = Object.assign(new Error(`refused ${secret}`), { at, retry: () => secret });
    const client = clientOf(() => Promise.reject(reason));

    const error = (await errorOf(client.tickets.get('t'))) as Error & { cause: Record<string, unknown> };

    expect(error.cause).toMatchObject({ message: 'refused [redacted]', at });
    expect(error.cause.retry).toBeUndefined();
  });
});

describe("a custom wire format that can't decode an error body", () => {
  const wire = {
    error: {
      encode: () => ({}),
      decode() {
        throw new RangeError('not my form');
      },
    },
  };

  it.each([
    [404, 'NotFoundError', 'rejected'],
    [422, 'UnprocessableError', 'rejected'],
    [503, 'ServerError', 'unknown'],
    [418, 'ApiError', 'rejected'],
  ])(
    "doesn't change the error class for status %i, and the decoding error becomes the cause",
    async (status, name, outcome) => {
      const client = clientOf(async () => Response.json({ odd: 1 }, { status }), { wire, retry: 0 });

      expect(await errorOf(client.tickets.get('t'))).toMatchObject({
        name,
        message: `tickets.get: option "wire" can't decode the error body (${status})`,
        status,
        outcome,
        body: { odd: 1 },
        cause: { name: 'RangeError', message: 'not my form' },
      });
    },
  );

  it("doesn't prevent retries", async () => {
    const responses = [Response.json({}, { status: 503 }), dataResponse({ id: 't' })];
    const client = clientOf(async () => responses.shift() as Response, {
      wire,
      retry: { limit: 1, maxDelay: 0 },
    });

    expect(await client.tickets.get('t')).toEqual({ id: 't' });
  });
});

it('an error response can contain a string or a list of strings for each field', async () => {
  const errors = { title: 'is odd', due_at: ['is late', 7] };
  const client = clientOf(async () => Response.json({ message: 'No.', errors }, { status: 422 }));

  expect(await errorOf(client.tickets.get('t'))).toMatchObject({
    fieldErrors: { title: ['is odd'], due_at: ['is late'] },
  });
});

describe('paginated lists', () => {
  it('accept null options', async () => {
    const client = clientOf(async () => dataResponse({ data: [{ id: 'a' }] }));

    expect((await client.tickets.list('p', {}, null as never)).data).toEqual([{ id: 'a' }]);
  });

  it('deduplicate items by identity if they have no ID', async () => {
    const pages = [[null, 'a', { name: 'x' }], [null, 'a', 'b'], []];
    const client = clientOf(async (url) => {
      const page = Number(new URL(String(url)).searchParams.get('page') ?? 1);
      return dataResponse({ data: pages[page - 1], current_page: page, last_page: 3 });
    });

    expect(await client.tickets.list('p').toArray({ limit: 10 })).toEqual([null, 'a', { name: 'x' }, 'b']);
  });

  it("reject tags that aren't a string or a list of strings", async () => {
    const client = clientOf(async () => dataResponse({ data: [] }));

    expect(await errorOf(client.documents.list({ tags: 5 as never }))).toMatchObject({
      fieldErrors: { tags: ['must be a string or a list of strings'] },
    });
  });
});

it.each(['//', '/\\', '//[', '/app/../..//x'])('notifications.send rejects the URL %j', async (url) => {
  const client = clientOf(async () => dataResponse({}));
  const body = { user_ids: ['u'], title: 'T', body: 'B', url };

  expect(await errorOf(client.notifications.send(body))).toMatchObject({
    name: 'InvalidRequestError',
    fieldErrors: { url: [expect.any(String)] },
  });
});
