import { describe, expect, it, vi } from 'vitest';
import type { Hooks } from 'worktrack';
import { clientInFrozenTime } from './support/frozen-time.js';
import { errorOf } from './support/serve.js';

const busy = (retryAfter?: string) => () =>
  new Response('{}', { status: 503, ...(retryAfter && { headers: { 'retry-after': retryAfter } }) });

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

describe('retry delays', () => {
  it('start between 250 and 500 ms and double each time', async () => {
    expect(await timesOf(0, { limit: 3 })).toEqual([0, 250, 750, 1750]);
    expect(await timesOf(1, { limit: 3 })).toEqual([0, 500, 1500, 3500]);
    expect(await timesOf(0.5, { limit: 1 })).toEqual([0, 375]);
  });

  it('never exceed maxDelay', async () => {
    expect(await timesOf(1, { limit: 3, maxDelay: 600 })).toEqual([0, 500, 1100, 1700]);
  });
});

it("an attempt with a renewed token doesn't count as a retry", async () => {
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

describe('Retry-After', () => {
  it('is honored if it equals maxRetryAfter', async () => {
    const { client, times } = clientInFrozenTime(busy('60'));
    const call = errorOf(client.tickets.get('t', { retry: 1 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call).toMatchObject({ attempts: 2 });
    expect(times).toEqual([0, 60_000]);
  });

  it('fails the call immediately if the delay equals the total timeout', async () => {
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

  it('is converted from a date to whole seconds (0 if the date has passed)', async () => {
    vi.useFakeTimers();
    vi.setSystemTime('2026-01-01T12:00:00.500Z');
    const { client } = clientInFrozenTime((index) =>
      busy(['Thu, 01 Jan 2026 12:00:30 GMT', 'Thu, 01 Jan 2026 11:00:00 GMT'][index])(),
    );
    expect(await errorOf(client.tickets.get('t', { retry: 0 }))).toMatchObject({ retryAfter: 30 });
    expect(await errorOf(client.tickets.get('t', { retry: 0 }))).toMatchObject({ retryAfter: 0 });
  });

  it.each(['soon', 'in 5', '-5', '5 s', 'wait 5', '1.2.3', '1.', '5,'])(
    'is ignored if it is "%s"',
    async (text) => {
      const { client } = clientInFrozenTime(busy(text));
      expect(await errorOf(client.tickets.get('t', { retry: 0 }))).not.toHaveProperty('retryAfter');
    },
  );
});

it('hooks receive the duration of each attempt and of the call', async () => {
  const durations: [string, number | undefined][] = [];
  const record =
    (name: string) =>
    ({ durationMs }: { durationMs?: number }) => {
      durations.push([name, durationMs]);
    };
  const hooks: Hooks = { response: record('response'), retry: record('retry'), error: record('error') };
  const { client } = clientInFrozenTime(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return busy('1')();
    },
    { hooks, retry: 1 },
  );
  const call = errorOf(client.tickets.get('t'));
  await vi.advanceTimersByTimeAsync(1500);
  await call;
  expect(durations).toEqual([
    ['response', 250],
    ['retry', 250],
    ['response', 250],
    ['error', 1500],
  ]);
});

it("a call aborted while waiting for a retry doesn't call the token function again", async () => {
  let tokenRequests = 0;
  const controller = new AbortController();
  const { client, times } = clientInFrozenTime(busy('30'), { token: () => `wt_${++tokenRequests}` });
  const call = errorOf(client.tickets.get('t', { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort();
  expect(await call).toMatchObject({ name: 'RequestAbortedError', attempts: 1 });
  expect([tokenRequests, times, vi.getTimerCount()]).toEqual([1, [0], 0]);
});
