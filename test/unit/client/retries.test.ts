import { describe, expect, it, vi } from 'vitest';
import type { ClientOptions } from 'worktrack';
import { operationOf } from 'worktrack/contract';
import { useFakeTimers } from '../../support/timers.js';
import { clientInFrozenTime } from './support/frozen-time.js';
import { clientWith, errorOf } from './support/serve.js';

const move = { board_id: 'b' };
const ticket = { board_id: 'b', title: 'T' };
const done = { data: { id: 'x' } };

const busy = (retryAfter?: string) => () =>
  new Response('{}', { status: 503, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) });

const reset = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });

/** A response whose connection is closed before its body is complete. */
const cutOff = () => {
  const parts = ['{"data":'];
  return new Response(
    new ReadableStream({
      pull(controller) {
        const part = parts.shift();
        if (part) controller.enqueue(new TextEncoder().encode(part));
        else controller.error(new TypeError('terminated'));
      },
    }),
  );
};

type Answer = number | Response | Error;

/** Creates a client whose requests get these statuses, responses, or errors in order. */
function clientThatGets(answers: Answer[], options: ClientOptions = {}) {
  const remaining = [...answers];
  const fetch = vi.fn(async () => {
    const answer = remaining.shift() ?? expect.fail('unexpected request');
    if (answer instanceof Error) throw answer;
    return typeof answer === 'number' ? new Response('{}', { status: answer }) : answer;
  });
  return { client: clientWith(fetch, { retry: { maxDelay: 1 }, ...options }), fetch };
}

/** Returns the request times of a read that always fails, with `Math.random()` mocked to return `random`. */
async function timesOf(random: number, retry: object) {
  vi.spyOn(Math, 'random').mockReturnValue(random);
  const { client, times } = clientInFrozenTime(busy());
  const call = errorOf(client.tickets.get('t', { retry }));
  await vi.runAllTimersAsync();
  await call;
  vi.restoreAllMocks();
  return times;
}

// retry-table.test.ts tests which failures lead to a retry of each operation.

it('a call is retried twice by default, and its error includes the number of attempts', async () => {
  const { client } = clientThatGets([503, 503, 503]);
  expect(await errorOf(client.tickets.get('t'))).toMatchObject({ name: 'ServerError', attempts: 3 });
});

it.each([
  [0, 1],
  [{ limit: 1 }, 2],
  [1, 2],
])('with `retry: %o`, a call has at most %i attempts', async (retry, attempts) => {
  const { client } = clientThatGets([503, 503]);
  expect(await errorOf(client.tickets.get('t', { retry }))).toMatchObject({ attempts });
});

it('a call that succeeds after a retry returns the number of attempts', async () => {
  const { client, fetch } = clientThatGets([reset, Response.json(done)]);
  expect(await client.tickets.get('t').withResponse()).toMatchObject({ data: { id: 'x' }, attempts: 2 });
  expect(fetch).toHaveBeenCalledTimes(2);
});

it.each([408, 500, 502, 503, 504])(
  'a create request that fails with status %i has the outcome `unknown`',
  async (status) => {
    const { client } = clientThatGets([status]);
    const error = await errorOf(client.tickets.create('p', ticket));
    expect(error).toMatchObject({ status, attempts: 1, outcome: 'unknown' });
  },
);

describe('Retry-After', () => {
  it.each([
    ['the default maxRetryAfter', '61', {}],
    ['the total timeout', '10', { totalTimeout: 5000 }],
    ['a custom maxRetryAfter', '1', { retry: { maxRetryAfter: 999 } }],
  ])("makes the call fail with the server's error if the wait would exceed %s", async (_, after, options) => {
    const { client, fetch } = clientThatGets(
      [new Response('{}', { status: 429, headers: { 'retry-after': after } })],
      options,
    );
    expect(await errorOf(client.tickets.get('t'))).toMatchObject({
      name: 'RateLimitError',
      retryAfter: Number(after),
      attempts: 1,
    });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('is honored if the wait equals maxRetryAfter', async () => {
    const { client, times } = clientInFrozenTime(busy('60'));
    const call = errorOf(client.tickets.get('t', { retry: 1 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call).toMatchObject({ attempts: 2 });
    expect(times).toEqual([0, 60_000]);
  });

  it('makes the call fail immediately if the wait equals the total timeout', async () => {
    const { client, times } = clientInFrozenTime(busy('10'));
    expect(await errorOf(client.tickets.get('t', { totalTimeout: 10_000 }))).toMatchObject({ status: 503 });
    expect(times).toEqual([0]);
  });

  it.each([
    ['0', 0],
    ['7', 7],
    ['120', 120],
    ['1.25', 1.25],
    [' 7 ', 7],
  ])('"%s" means %d seconds', async (text, retryAfter) => {
    const { client } = clientInFrozenTime(busy(text));
    expect(await errorOf(client.tickets.get('t', { retry: 0 }))).toMatchObject({ retryAfter });
  });

  it('can be a date, which is converted to whole seconds (0 if the date has passed)', async () => {
    vi.useFakeTimers();
    vi.setSystemTime('2026-01-01T12:00:00.500Z');
    const { client } = clientInFrozenTime((index) =>
      busy(['Thu, 01 Jan 2026 12:00:30 GMT', 'Thu, 01 Jan 2026 11:00:00 GMT'][index])(),
    );
    expect(await errorOf(client.tickets.get('t', { retry: 0 }))).toMatchObject({ retryAfter: 30 });
    expect(await errorOf(client.tickets.get('t', { retry: 0 }))).toMatchObject({ retryAfter: 0 });
  });

  it.each(['soon', 'in 5', '-5', '5 s', 'wait 5', '1.2.3', '1.', '5,'])(
    'is ignored if its value is "%s"',
    async (text) => {
      const { client } = clientInFrozenTime(busy(text));
      expect(await errorOf(client.tickets.get('t', { retry: 0 }))).not.toHaveProperty('retryAfter');
    },
  );

  it("is compared with the response's Date header if it's a date", async () => {
    useFakeTimers();
    vi.setSystemTime('2030-01-01T00:00:00Z');
    const headers = { date: 'Tue, 01 Jan 2026 10:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2026 10:00:30 GMT' };
    const client = clientWith(async () => new Response('{}', { status: 429, headers }));
    expect(await errorOf(client.tickets.get('t'))).toMatchObject({ retryAfter: 30 });
  });
});

describe('lost responses', () => {
  it.each([
    ['a reset', reset],
    ['a 502', 502],
  ])('a DELETE succeeds if its retry after %s returns 404', async (_, failure) => {
    const { client, fetch } = clientThatGets([failure, 404]);
    expect(await client.tickets.delete('t')).toBeUndefined();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it.each<['delete' | 'move' | 'get', string, Answer[], object]>([
    ['delete', '404', [404], { name: 'NotFoundError', outcome: 'rejected' }],
    ['delete', '404 after 429', [429, 404], { name: 'NotFoundError', outcome: 'rejected' }],
    ['delete', '403 after a reset', [reset, 403], { status: 403, outcome: 'unknown' }],
    ['delete', '422 after a reset', [reset, 422], { status: 422, outcome: 'unknown' }],
    ['delete', '501 after a reset', [reset, 501], { status: 501, outcome: 'unknown' }],
    ['move', '422 after a reset', [reset, 422], { name: 'UnprocessableError', outcome: 'unknown' }],
    [
      'move',
      'invalid JSON after a reset',
      [reset, new Response('<html>')],
      { name: 'InvalidResponseError', outcome: 'done' },
    ],
    ['get', '404 after a reset', [reset, 404], { name: 'NotFoundError', outcome: 'rejected' }],
  ])('tickets.%s fails if it gets %s', async (method, _, answers, error) => {
    const { client } = clientThatGets(answers);
    const call = method === 'move' ? client.tickets.move('t', move) : client.tickets[method]('t');
    expect(await errorOf(call)).toMatchObject({ ...error, attempts: answers.length });
  });

  it('a write whose response is cut off fails with the outcome `done` and includes the partial body', async () => {
    const { client, fetch } = clientThatGets([cutOff()]);
    expect(operationOf('tickets.update').idempotent).toBe(true);
    const error = await errorOf(client.tickets.update('t', { title: 'U' }));
    expect(error).toMatchObject({
      name: 'ConnectionError',
      outcome: 'done',
      status: 200,
      body: '{"data":',
      attempts: 1,
      message: 'tickets.update: the response from https://work.example (200) was cut off: terminated',
    });
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('a read is retried if the response is cut off', async () => {
    const { client, fetch } = clientThatGets([cutOff(), Response.json(done)]);
    expect(await client.tickets.get('t')).toEqual({ id: 'x' });
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

describe('retry delays', () => {
  it('start at 250 to 500 ms and double each time', async () => {
    expect(await timesOf(0, { limit: 3 })).toEqual([0, 250, 750, 1750]);
    expect(await timesOf(1, { limit: 3 })).toEqual([0, 500, 1500, 3500]);
    expect(await timesOf(0.5, { limit: 1 })).toEqual([0, 375]);
  });

  it('never exceed maxDelay', async () => {
    expect(await timesOf(1, { limit: 3, maxDelay: 600 })).toEqual([0, 500, 1100, 1700]);
  });
});

it("an attempt with a new token after a 401 response doesn't count as a retry", async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { client, times } = clientInFrozenTime((index) => new Response('{}', { status: index ? 503 : 401 }), {
    token: ({ rejected }) => (rejected ? 'fresh' : 'stale'),
  });
  const call = errorOf(client.tickets.get('t'));
  await vi.runAllTimersAsync();
  vi.restoreAllMocks();
  expect(await call).toMatchObject({ status: 503, attempts: 4 });
  expect(times).toEqual([0, 0, 500, 1500]);
});

it("if a call is aborted before a retry, the token function isn't called again", async () => {
  let tokenRequests = 0;
  const controller = new AbortController();
  const { client, times } = clientInFrozenTime(busy('30'), { token: () => `wt_${++tokenRequests}` });
  const call = errorOf(client.tickets.get('t', { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort();
  expect(await call).toMatchObject({ name: 'RequestAbortedError', attempts: 1 });
  expect([tokenRequests, times, vi.getTimerCount()]).toEqual([1, [0], 0]);
});
