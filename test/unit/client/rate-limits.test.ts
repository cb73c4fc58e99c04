import { describe, expect, it, vi } from 'vitest';
import type { Hooks } from 'worktrack';
import { clientInFrozenTime as clientOf } from './support/frozen-time.js';
import { errorOf } from './support/serve.js';

const ok = () => Response.json({ data: { id: 'x' } });
const slowDown = (seconds: string) =>
  new Response('{"message":"Slow down."}', { status: 429, headers: { 'retry-after': seconds } });

describe('after a 429 the whole client pauses for the time in Retry-After', () => {
  it('one call gets a 429, and the others wait with it', async () => {
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

  it('a call that must not wait that long fails immediately, without being sent', async () => {
    const { client, times } = clientOf(() => slowDown('50'));
    expect(await errorOf(client.tickets.get('a', { retry: 0 }))).toMatchObject({
      name: 'RateLimitError',
      outcome: 'rejected',
      attempts: 1,
    });
    expect(await errorOf(client.tickets.get('b', { deadline: 5000 }))).toMatchObject({
      name: 'RateLimitError',
      message: 'tickets.get: not sent: an earlier response (429) asks clients to wait 50 more seconds',
      outcome: 'not_sent',
      attempts: 0,
      retryAfter: 50,
      status: 429,
    });
    expect(times).toHaveLength(1);
  });

  it.each([
    ['its own maxRetryAfter', { retry: { maxRetryAfter: 49_999 } }],
    ['a deadline at exactly that time', { deadline: 50_000 }],
  ])("a call with %s isn't sent", async (_, options) => {
    const { client, times } = clientOf(() => slowDown('50'));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    expect(await errorOf(client.tickets.get('b', options))).toMatchObject({
      name: 'RateLimitError',
      attempts: 0,
    });
    expect(times).toHaveLength(1);
  });

  it.each(['1763750000', '9'.repeat(400)])(
    'the pause is limited to an hour, even for %s seconds',
    async (seconds) => {
      const { client, times } = clientOf((index) => (index ? ok() : slowDown(seconds)));
      await errorOf(client.tickets.get('a', { retry: 0 }));
      await vi.advanceTimersByTimeAsync(3_599_000);
      expect(await errorOf(client.tickets.get('b', { retry: 0, deadline: 500 }))).toMatchObject({
        retryAfter: 1,
        attempts: 0,
      });
      await vi.advanceTimersByTimeAsync(1000);
      await client.tickets.get('b');
      expect(times).toEqual([0, 3_600_000]);
    },
  );

  it('a waiting call is neither rejected nor retried, up to maxRetryAfter', async () => {
    const told: string[] = [];
    const note = (name: string) => () => {
      told.push(name);
    };
    const hooks: Hooks = { request: note('request'), retry: note('retry'), error: note('error') };
    const { client, times } = clientOf((index) => (index ? ok() : slowDown('60')), { hooks });
    await errorOf(client.tickets.get('a', { retry: 0 }));
    const waiting = client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(60_000);
    await waiting;
    expect([times, told]).toEqual([
      [0, 60_000],
      ['request', 'error', 'request'],
    ]);
  });

  it('the longest of several pauses applies', async () => {
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

  it("a 503 with Retry-After doesn't pause other calls", async () => {
    const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '50' } });
    const { client, times } = clientOf((index) => (index ? ok() : busy()));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    await client.tickets.get('b');
    expect(times).toEqual([0, 0]);
  });

  it('a signal ends the wait', async () => {
    const { client, times } = clientOf(() => slowDown('50'));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    const controller = new AbortController();
    const waiting = errorOf(client.tickets.get('b', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    expect(await waiting).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent' });
    expect(times).toHaveLength(1);
  });

  it("a 429 without Retry-After doesn't pause other calls", async () => {
    const { client, times } = clientOf((index) => (index ? ok() : new Response('{}', { status: 429 })));
    await errorOf(client.tickets.get('a', { retry: 0 }));
    await client.tickets.get('b');
    expect(times).toEqual([0, 0]);
  });
});

describe('a budget', () => {
  it('of requests per minute delays calls, first come, first served', async () => {
    const order: string[] = [];
    const { client, times } = clientOf(
      (_, { url }) => {
        order.push(url.at(-1) as string);
        return ok();
      },
      { budget: { requestsPerMinute: 2 } },
    );
    const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => client.tickets.get(id));
    await vi.advanceTimersByTimeAsync(120_000);
    await Promise.all(calls);
    expect([times, order.join('')]).toEqual([[0, 0, 60_000, 60_000, 120_000], 'abcde']);
  });

  it('of concurrency limits the attempts in flight, including their bodies', async () => {
    let running = 0;
    let most = 0;
    const { client } = clientOf(
      async () => {
        most = Math.max(most, ++running);
        const body = new ReadableStream({
          start(controller) {
            setTimeout(() => {
              running--;
              controller.enqueue(new TextEncoder().encode('{"data":{}}'));
              controller.close();
            }, 100);
          },
        });
        return new Response(body);
      },
      { budget: { concurrency: 2 } },
    );
    const calls = Promise.all(Array.from({ length: 5 }, (_, index) => client.tickets.get(`t${index}`)));
    await vi.advanceTimersByTimeAsync(1000);
    await calls;
    expect(most).toBe(2);
  });

  it('counts each attempt, and a failed one frees its place', async () => {
    const { client, times } = clientOf((index) => (index % 2 ? ok() : new Response('', { status: 503 })), {
      budget: { concurrency: 1 },
      retry: { maxDelay: 0 },
    });
    const calls = Promise.all([client.tickets.get('a'), client.tickets.get('b')]);
    await vi.advanceTimersByTimeAsync(10);
    await calls;
    expect(times).toHaveLength(4);
  });

  it('lets a call leave the queue on a signal, and the others move up', async () => {
    const order: string[] = [];
    const { client } = clientOf(
      (_, { url }) => {
        order.push(url.at(-1) as string);
        return ok();
      },
      { budget: { requestsPerMinute: 1 } },
    );
    const controller = new AbortController();
    const first = client.tickets.get('a');
    const leaver = errorOf(client.tickets.get('b', { signal: controller.signal }));
    const last = client.tickets.get('c');
    await first;
    controller.abort();
    expect(await leaver).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent', attempts: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    await last;
    expect(order).toEqual(['a', 'c']);
  });

  it('leaves no timer when the last call leaves the queue', async () => {
    const { client } = clientOf(ok, { budget: { requestsPerMinute: 1 } });
    await client.tickets.get('a');
    const controller = new AbortController();
    const leaver = errorOf(client.tickets.get('b', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await leaver;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives a turn to the next call if its call is aborted at that moment', async () => {
    const { client, times } = clientOf(ok, { budget: { concurrency: 1 } });
    const controller = new AbortController();
    const leaver = errorOf(client.tickets.get('a', { signal: controller.signal }));
    controller.abort();
    expect(await leaver).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent' });
    const next = client.tickets.get('b', { deadline: 1000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await next).toEqual({ id: 'x' });
    expect(times).toHaveLength(1);
  });

  it('requests no token for a call that leaves the queue', async () => {
    let asked = 0;
    const token = () => `wt_${++asked}`;
    const { client } = clientOf(ok, { budget: { requestsPerMinute: 1 }, token });
    await client.tickets.get('a');
    const late = errorOf(client.tickets.get('b', { deadline: 500 }));
    await vi.advanceTimersByTimeAsync(500);
    expect(await late).toMatchObject({ name: 'RequestTimeoutError', cause: { name: 'TimeoutError' } });
    expect(asked).toBe(1);
  });

  it('applies the deadline to the time in the queue', async () => {
    const { client } = clientOf(ok, { budget: { requestsPerMinute: 1 } });
    await client.tickets.get('a');
    const late = errorOf(client.tickets.get('b', { deadline: 500 }));
    await vi.advanceTimersByTimeAsync(500);
    expect(await late).toMatchObject({ name: 'RequestTimeoutError', limit: 'deadline', outcome: 'not_sent' });
  });
});
