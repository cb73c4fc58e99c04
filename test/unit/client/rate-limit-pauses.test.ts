import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Hooks } from 'worktrack';
import { clientInFrozenTime as clientOf } from './support/frozen-time.js';
import { errorOf, json, serve } from './support/serve.js';

const ok = () => Response.json({ data: { id: 'x' } });
const slowDown = (seconds: string) =>
  new Response('{"message":"Slow down."}', { status: 429, headers: { 'retry-after': seconds } });

describe('a rate-limit pause', () => {
  it('delays all calls of the client after a 429 response', async () => {
    const { client, times } = clientOf((index) => (index ? ok() : slowDown('30')));
    const first = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(1000);
    const others = Promise.all([
      client.tickets.get('b'),
      client.tickets.create('p', { board_id: 'b', title: 'T' }),
    ]);
    await vi.advanceTimersByTimeAsync(28_000);
    expect(times).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([first, others]);
    expect(times).toEqual([0, 30_000, 30_000, 30_000]);
  });

  it.each([
    { retry: 0 },
    { waitForRateLimit: false },
    { retry: { maxRetryAfter: 49_999 } },
    // The pause ends exactly when the total timeout expires.
    { totalTimeout: 50_000 },
  ])('makes other calls with the options %j fail immediately', async (options) => {
    const { client, times } = clientOf(() => slowDown('50'));
    expect(await errorOf(client.tickets.get('a', { retry: 0 }))).toMatchObject({
      name: 'RateLimitError',
      outcome: 'rejected',
      attempts: 1,
    });
    expect(await errorOf(client.tickets.get('b', options))).toMatchObject({
      name: 'RateLimitError',
      message: 'tickets.get: not sent: rate-limited for 50 s after an earlier 429',
      outcome: 'not_sent',
      attempts: 0,
      retryAfter: 50,
      status: 429,
    });
    expect(times).toHaveLength(1);
  });

  it.each([true, false])(
    'is followed by a retry even if its timer fires early (waitForRateLimit: %s)',
    async (waitForRateLimit) => {
      const { client } = await serve((response, _, index) =>
        json(response, index ? 200 : 429, { data: {} }, { 'retry-after': '0.2' }),
      );
      const { setTimeout: original } = globalThis;
      vi.stubGlobal('setTimeout', (callback: () => void, delay: number) => original(callback, delay / 2));
      onTestFinished(() => void vi.unstubAllGlobals());
      const pause = vi.fn();
      expect(await client({ waitForRateLimit, hooks: { pause } }).tickets.get('t')).toEqual({});
      expect(pause).not.toHaveBeenCalled();
    },
  );

  it.each(['1763750000', '9'.repeat(400)])('lasts at most an hour (case %#)', async (seconds) => {
    const { client, times } = clientOf((index) => (index ? ok() : slowDown(seconds)));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    await vi.advanceTimersByTimeAsync(3_599_000);
    expect(await errorOf(client.tickets.get('b', { retry: 0, totalTimeout: 500 }))).toMatchObject({
      retryAfter: 1,
      attempts: 0,
    });
    await vi.advanceTimersByTimeAsync(1000);
    await client.tickets.get('b');
    expect(times).toEqual([0, 3_600_000]);
  });

  it("doesn't trigger the retry or error hooks for a paused call", async () => {
    const hookCalls: string[] = [];
    const record = (name: string) => () => {
      hookCalls.push(name);
    };
    const hooks: Hooks = { request: record('request'), retry: record('retry'), error: record('error') };
    const { client, times } = clientOf((index) => (index ? ok() : slowDown('60')), { hooks });
    await errorOf(client.tickets.get('a', { retry: 0 }));
    const waiting = client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(60_000);
    await waiting;
    expect([times, hookCalls]).toEqual([
      [0, 60_000],
      ['request', 'error', 'request'],
    ]);
  });

  it("isn't shortened by a later, shorter pause", async () => {
    const { client, times } = clientOf((index) => (index > 1 ? ok() : slowDown(index ? '10' : '50')));
    await Promise.all([
      errorOf(client.tickets.get('a', { retry: 0 })),
      errorOf(client.tickets.get('b', { retry: 0 })),
    ]);
    const waiting = client.tickets.get('c');
    await vi.advanceTimersByTimeAsync(50_000);
    await waiting;
    expect(times).toEqual([0, 0, 50_000]);
  });

  it.each([
    ['a 503 response', { status: 503, headers: { 'retry-after': '50' } }],
    ['a 429 response without a Retry-After header', { status: 429 }],
  ])("doesn't start after %s", async (_, init) => {
    const { client, times } = clientOf((index) => (index ? ok() : new Response('{}', init)));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    await client.tickets.get('b');
    expect(times).toEqual([0, 0]);
  });

  it("stops delaying a call when the call's signal aborts", async () => {
    const { client, times } = clientOf(() => slowDown('50'));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    const controller = new AbortController();
    const waiting = errorOf(client.tickets.get('b', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    expect(await waiting).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent' });
    expect(times).toHaveLength(1);
  });

  it.each([{}, { throttle: { concurrency: 1 } }])(
    'delays only calls that use the same credential (options: %j)',
    async (options) => {
      const { client, times } = clientOf((index) => (index ? ok() : slowDown('30')), options);
      const first = client.tickets.get('a');
      await vi.advanceTimersByTimeAsync(0);
      const same = client.tickets.get('b');
      await client.withOptions({ token: 'wt_other' }).tickets.get('c');
      expect(times).toEqual([0, 0]);
      await vi.advanceTimersByTimeAsync(30_000);
      await Promise.all([first, same]);
      expect(times).toEqual([0, 0, 30_000, 30_000]);
    },
  );

  it('is logged at the info level and reported to the pause hook', async () => {
    const lines: string[] = [];
    const pauses: unknown[] = [];
    const { client } = clientOf((index) => (index ? ok() : slowDown('30')), {
      logLevel: 'info',
      logger: { debug() {}, info: (line) => lines.push(line), warn() {}, error() {} },
      hooks: { pause: ({ reason, delayMs }) => void pauses.push([reason, delayMs]) },
    });
    const calls = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(10_000);
    const paused = client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all([calls, paused]);
    expect(pauses).toContainEqual(['rateLimit', 20_000]);
    expect(lines.some((line) => line.includes('waiting 20000 ms because of a rate limit'))).toBe(true);
  });

  it("doesn't last longer or make calls fail if the clock is set back", async () => {
    const { client, times } = clientOf((index) => (index ? ok() : slowDown('2')));
    const first = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(0);
    vi.setSystemTime(Date.now() - 86_400_000);
    const second = client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(2000);
    await Promise.all([first, second]);
    expect(times).toHaveLength(3);
  });
});
