import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { useFakeTimers } from '../../support/timers.js';
import { clientInFrozenTime } from './support/frozen-time.js';
import { clientWith, errorOf, json, secret, serve } from './support/serve.js';

const never = () => new Promise<never>(() => {});

/** Creates a response whose body starts with `text` and never finishes. */
const stalled = (status: number, text: string) =>
  new Response(
    new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) }),
    { status },
  );

const base = { baseUrl: 'https://work.example', token: secret, retry: 0 };

describe('timeout', () => {
  it("aborts an attempt that doesn't get a response", async () => {
    const { client } = await serve(() => {});
    expect(
      await errorOf(client({ timeout: 30, retry: { limit: 1, maxDelay: 1 } }).tickets.get('t')),
    ).toMatchObject({
      name: 'RequestTimeoutError',
      code: 'timeout',
      limit: 'timeout',
      milliseconds: 30,
      attempts: 2,
      message: 'tickets.get: no complete response within 30 ms (option "timeout")',
    });
  });

  it.each(['timeout', 'totalTimeout'])(
    'includes the time to read the response body, so a write whose response body stalls has the outcome `done` (%s)',
    async (limit) => {
      const { client, times } = clientInFrozenTime(() => stalled(201, '{"data":'), { [limit]: 400 });
      const error = errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }));
      await vi.advanceTimersByTimeAsync(400);
      expect(await error).toMatchObject({
        name: 'RequestTimeoutError',
        limit,
        outcome: 'done',
        status: 201,
        body: '{"data":',
      });
      expect(times).toEqual([0]);
    },
  );

  it('includes the time to read the body of an error response', async () => {
    const { client } = clientInFrozenTime(() => stalled(422, '{"mess'), { timeout: 400 });
    const error = errorOf(client.tickets.get('t'));
    await vi.advanceTimersByTimeAsync(400);
    expect(await error).toMatchObject({ name: 'UnprocessableError', body: '{"mess' });
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    'can be %d ms, which is more than the maximum delay of a timer',
    async (long) => {
      const { client } = await serve((out) => setTimeout(() => json(out, 200, { data: {} }), 20));
      await client({ timeout: long, totalTimeout: long, retry: 0 }).tickets.get('t');
    },
  );

  it("doesn't include the time to read a body that the operation ignores", async () => {
    const { client } = await serve((out) => out.writeHead(200).write('{'));
    expect(await client({ timeout: 2000, retry: 0 }).tickets.delete('t')).toBeUndefined();
  });

  it.each(['with', 'without'])('discards a late response %s a body', async (kind) => {
    const cancel = vi.fn();
    let respond = (_: Response) => {};
    const response = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    expect(await errorOf(clientWith(() => response).tickets.get('t', { timeout: 5 }))).toMatchObject({
      name: 'RequestTimeoutError',
    });
    respond(new Response(kind === 'with' ? new ReadableStream({ cancel }) : null));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cancel).toHaveBeenCalledTimes(kind === 'with' ? 1 : 0);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('totalTimeout', () => {
  it('includes all attempts', async () => {
    const { client } = clientInFrozenTime(never, {
      timeout: 400,
      totalTimeout: 1000,
      retry: { limit: 99, maxDelay: 1 },
    });
    const error = errorOf(client.tickets.get('t'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await error).toMatchObject({ name: 'RequestTimeoutError', limit: 'totalTimeout', attempts: 3 });
  });

  it('includes the time that the token function takes', async () => {
    const client = new Worktrack({ ...base, token: never, totalTimeout: 20 });
    expect(await errorOf(client.tickets.get('t'))).toMatchObject({
      name: 'RequestTimeoutError',
      limit: 'totalTimeout',
      outcome: 'not_sent',
      attempts: 0,
    });
  });
});

describe('signal', () => {
  const reason = new Error('closed the tab');

  it('prevents the request from being sent if the signal has already aborted', async () => {
    const { client, seen } = await serve(() => {});
    const error = await errorOf(client().tickets.get('t', { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({
      name: 'RequestAbortedError',
      code: 'aborted',
      outcome: 'not_sent',
      attempts: 0,
    });
    expect((error as Error).message).toBe("tickets.get: aborted by the caller's signal");
    // As in native errors, `cause` is writable but not enumerable.
    expect(Object.getOwnPropertyDescriptor(error, 'cause')).toEqual({
      value: reason,
      enumerable: false,
      configurable: true,
      writable: true,
    });
    expect((error as Error).cause).toBe(reason);
    expect(seen).toEqual([]);
  });

  it('aborts an in-flight attempt', async () => {
    const controller = new AbortController();
    const { client, seen } = await serve(() => controller.abort(reason));
    expect(await errorOf(client().tickets.get('t', { signal: controller.signal }))).toMatchObject({
      name: 'RequestAbortedError',
      outcome: 'unknown',
      attempts: 1,
      cause: reason,
    });
    expect(seen).toHaveLength(1);
  });

  it.each([
    [200, 'done'],
    [422, 'unknown'],
  ])(
    'stops reading the body of a %i response, and the outcome of a write is `%s`',
    async (status, outcome) => {
      const controller = new AbortController();
      const { client } = await serve((out) => {
        out.writeHead(status).write('{');
        setTimeout(() => controller.abort(reason), 20);
      });
      const update = client().tickets.update('t', { title: 'U' }, { signal: controller.signal });
      expect(await errorOf(update)).toMatchObject({ name: 'RequestAbortedError', outcome, cause: reason });
    },
  );

  it('cancels the wait before a retry', async () => {
    const controller = new AbortController();
    const { client } = clientInFrozenTime(
      () => new Response('{}', { status: 429, headers: { 'retry-after': '50' } }),
    );
    const { signal } = controller;
    const error = errorOf(client.tickets.create('p', { board_id: 'b', title: 'T' }, { signal }));
    await vi.advanceTimersByTimeAsync(20);
    controller.abort(reason);
    expect(await error).toMatchObject({ name: 'RequestAbortedError', outcome: 'rejected', attempts: 1 });
  });

  it('cancels the wait for the token function', async () => {
    const controller = new AbortController();
    const client = new Worktrack({ ...base, token: never });
    const call = errorOf(client.tickets.get('t', { signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent' });
  });
});

it.each<[string, () => Promise<Response>]>([
  ['succeeds', async () => Response.json({ data: {} })],
  ['fails', async () => new Response('{}', { status: 404 })],
  ['loses its connection', () => Promise.reject(new TypeError('reset'))],
  ['times out', never],
])('a call that %s removes its timers and listeners', async (_, fetch) => {
  useFakeTimers();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  const client = clientWith(fetch, { retry: { limit: 1, maxDelay: 1 }, timeout: 10_000 });
  const call = Promise.allSettled([client.tickets.get('t', { signal })]);
  // Long enough for two attempts, but not for a leaked timer to expire.
  await vi.advanceTimersByTimeAsync(fetch === never ? 20_001 : 1);
  await call;
  expect(vi.getTimerCount()).toBe(0);
  expect(added).toHaveBeenCalled();
  expect(removed.mock.calls).toEqual(added.mock.calls);
});
