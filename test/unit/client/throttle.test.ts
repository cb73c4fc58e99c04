import { describe, expect, it, vi } from 'vitest';
import { clientInFrozenTime as clientOf } from './support/frozen-time.js';
import { errorOf, secret } from './support/serve.js';

const ok = () => Response.json({ data: { id: 'x' } });

describe('the throttle', () => {
  it('sends calls that `requestsPerMinute` delays in the order in which they were made', async () => {
    const order: string[] = [];
    const { client, times } = clientOf(
      (_, { url }) => {
        order.push(url.at(-1) as string);
        return ok();
      },
      { throttle: { requestsPerMinute: 2 } },
    );
    const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => client.tickets.get(id));
    await vi.advanceTimersByTimeAsync(120_000);
    await Promise.all(calls);
    expect([times, order.join('')]).toEqual([[0, 0, 60_000, 60_000, 120_000], 'abcde']);
  });

  it('limits concurrent attempts to `concurrency`, and counts an attempt until its response body has been read', async () => {
    let running = 0;
    let peak = 0;
    const { client } = clientOf(
      async () => {
        peak = Math.max(peak, ++running);
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
      { throttle: { concurrency: 2 } },
    );
    const calls = Promise.all(Array.from({ length: 5 }, (_, index) => client.tickets.get(`t${index}`)));
    await vi.advanceTimersByTimeAsync(1000);
    await calls;
    expect(peak).toBe(2);
  });

  it('counts every attempt, and frees the slot of an attempt that fails', async () => {
    const { client, times } = clientOf((index) => (index % 2 ? ok() : new Response('', { status: 503 })), {
      throttle: { concurrency: 1 },
      retry: { maxDelay: 0 },
    });
    const calls = Promise.all([client.tickets.get('a'), client.tickets.get('b')]);
    await vi.advanceTimersByTimeAsync(10);
    await calls;
    expect(times).toHaveLength(4);
  });

  it('removes a call from the queue when its signal aborts', async () => {
    const order: string[] = [];
    const { client } = clientOf(
      (_, { url }) => {
        order.push(url.at(-1) as string);
        return ok();
      },
      { throttle: { requestsPerMinute: 1 } },
    );
    const controller = new AbortController();
    const first = client.tickets.get('a');
    const aborted = errorOf(client.tickets.get('b', { signal: controller.signal }));
    const last = client.tickets.get('c');
    await first;
    controller.abort();
    expect(await aborted).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent', attempts: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    await last;
    expect(order).toEqual(['a', 'c']);
  });

  it('clears its timer when the last queued call is aborted', async () => {
    const { client } = clientOf(ok, { throttle: { requestsPerMinute: 1 } });
    await client.tickets.get('a');
    const controller = new AbortController();
    const aborted = errorOf(client.tickets.get('b', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await aborted;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("doesn't send or count a queued call during a rate-limit pause that starts while the call is waiting", async () => {
    const { client, times } = clientOf(
      (index) =>
        index ? ok() : Response.json({ message: 'Slow' }, { status: 429, headers: { 'retry-after': '7' } }),
      { throttle: { concurrency: 1, requestsPerMinute: 3 } },
    );
    const calls = Promise.all([client.tickets.get('a'), client.tickets.get('b')]);
    await vi.advanceTimersByTimeAsync(7000);
    await calls;
    expect(times).toEqual([0, 7000, 7000]);
  });

  it('gives the slot of an aborted call to the next call', async () => {
    const { client, times } = clientOf(ok, { throttle: { concurrency: 1 } });
    const controller = new AbortController();
    const aborted = errorOf(client.tickets.get('a', { signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ name: 'RequestAbortedError', outcome: 'not_sent' });
    const next = client.tickets.get('b', { totalTimeout: 1000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await next).toEqual({ id: 'x' });
    expect(times).toHaveLength(1);
  });

  it("doesn't count calls that fail before sending a request", async () => {
    let isReady = false;
    const token = () => {
      if (isReady) return 'wt_ready';
      throw new Error('no token yet');
    };
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 1 }, token });
    await errorOf(client.tickets.get('a', { signal: AbortSignal.abort() }));
    await errorOf(client.tickets.get('b'));
    isReady = true;
    const next = client.tickets.get('c');
    await vi.advanceTimersByTimeAsync(60_000);
    await next;
    expect(times).toEqual([0]);
  });

  it("counts a request from the time it's sent, not from the time it was due", async () => {
    const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve(secret), 50_000));
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 10 } });
    const calls = Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        client.tickets.get(`t${index}`, index < 10 ? { token: slow } : {}),
      ),
    );
    await vi.advanceTimersByTimeAsync(400_000);
    await calls;
    expect(times).toHaveLength(30);
    expect(mostInAMinute(times)).toBe(10);
  });

  it('gives no slot to a call while its token function is running', async () => {
    const token = () => new Promise<string>(() => {});
    const { client, times } = clientOf(ok, { throttle: { total: { concurrency: 1 } } });
    const aborted = errorOf(client.tickets.get('a', { token, totalTimeout: 1000 }));
    await client.tickets.get('b');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await aborted).toMatchObject({
      name: 'RequestTimeoutError',
      message: 'tickets.get: not sent within 1000 ms (option "totalTimeout")',
      outcome: 'not_sent',
    });
    expect(times).toEqual([0]);
  });

  it('counts the requests of each credential separately', async () => {
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 2 } });
    const others = ['wt_one', 'wt_two'].map((token) => client.withOptions({ token }));
    const calls = Promise.all([client, ...others, client, ...others].map(({ tickets }) => tickets.get('a')));
    await vi.advanceTimersByTimeAsync(0);
    await calls;
    expect(times).toEqual(Array(6).fill(0));
  });

  it.each([{ requestsPerMinute: 1 }, { concurrency: 1 }])(
    'takes turns between credentials that share the limit %j',
    async (total) => {
      const order: string[] = [];
      const { client } = clientOf(
        async (_, { headers }) => {
          order.push(headers.get('authorization')?.slice(-1) as string);
          await new Promise((resolve) => setTimeout(resolve, 10));
          return ok();
        },
        { throttle: { total } },
      );
      const [one, two] = ['wt_token_1', 'wt_token_2'].map((token) => client.withOptions({ token }));
      const calls = Promise.all([one, one, one, one, two, two].map((by) => by?.tickets.get('a')));
      await vi.advanceTimersByTimeAsync(301_000);
      await calls;
      expect(order.join('')).toBe('112121');
    },
  );

  it.each([
    [{ requestsPerMinute: 1 }, 60_000, 'requestsPerMinute', 'waiting 60000 ms because of option "throttle"'],
    [{ total: { requestsPerMinute: 1 } }, 60_000, 'requestsPerMinute', 'waiting 60000 ms'],
    [{ concurrency: 1 }, undefined, 'concurrency', 'waiting because of option "throttle" (concurrency)'],
  ])(
    'reports waits caused by %j to the pause hook and the logger',
    async (throttle, delayMs, reason, message) => {
      const pause = vi.fn();
      const info = vi.fn();
      const { client } = clientOf(ok, {
        throttle,
        hooks: { pause },
        logLevel: 'info',
        logger: { ...console, info },
      });
      const calls = Promise.all([client.tickets.get('a'), client.tickets.get('b')]);
      await vi.advanceTimersByTimeAsync(60_000);
      await calls;
      expect(pause.mock.calls).toEqual([[expect.objectContaining({ reason, delayMs, attempt: 0 })]]);
      expect(info.mock.calls).toEqual([
        [expect.stringContaining(message), expect.objectContaining({ reason })],
      ]);
    },
  );

  it.each([
    ['waitForRateLimit is false', { waitForRateLimit: false }],
    ['it would wait longer than the total timeout', { totalTimeout: 60_000 }],
  ])('makes a call fail immediately if %s', async (_, options) => {
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 1 } });
    await client.tickets.get('a');
    expect(await errorOf(client.tickets.get('b', options))).toMatchObject({
      name: 'RateLimitError',
      code: 'throttled',
      message: 'tickets.get: not sent: option "throttle" (requestsPerMinute) would delay the request by 60 s',
      outcome: 'not_sent',
      attempts: 0,
      retryAfter: 60,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await client.tickets.get('c', options);
    expect(times).toEqual([0, 60_000]);
  });

  it("estimates the wait based on the call's position in the queue", async () => {
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 2 } });
    const calls = Promise.all(['a', 'b', 'c', 'd'].map((id) => client.tickets.get(id)));
    await vi.advanceTimersByTimeAsync(0);
    expect(await errorOf(client.tickets.get('e', { totalTimeout: 90_000 }))).toMatchObject({
      retryAfter: 120,
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await calls;
    expect(times).toEqual([0, 0, 60_000, 60_000]);
  });

  it.each([{ retry: 0 }, { waitForRateLimit: true }])(
    'delays a call with the options %j',
    async (options) => {
      const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 1 } });
      const calls = Promise.all([client.tickets.get('a'), client.tickets.get('b', options)]);
      await vi.advanceTimersByTimeAsync(60_000);
      await calls;
      expect(times).toEqual([0, 60_000]);
    },
  );

  it('is shared with clients that withOptions creates', async () => {
    const { client, times } = clientOf(ok, { throttle: { requestsPerMinute: 1 } });
    const other = client.withOptions({ timeout: 1000 });
    const both = Promise.all([client.tickets.get('a'), other.tickets.get('b')]);
    await vi.advanceTimersByTimeAsync(60_000);
    await both;
    expect(times).toEqual([0, 60_000]);
  });
});

/** Returns the largest number of requests in any 60-second period. */
const mostInAMinute = (times: readonly number[]) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length));
