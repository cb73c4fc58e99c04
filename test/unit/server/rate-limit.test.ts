import { describe, expect, test } from 'vitest';
import { RateLimit } from '../../../mock-server/faults/rate-limit.js';
import { send, serverOf } from './support/server.js';

describe('the rate limit', () => {
  test('defaults to 120 requests per minute per credential', async () => {
    const mock = serverOf();
    mock.faults.rateLimit();
    for (let count = 0; count < 120; count += 1) await send(mock, 'GET', '/tickets/tkt_1');
    mock.clock.advance(20_000);

    const rejected = await send(mock, 'GET', '/tickets/tkt_1');
    expect([rejected.status, rejected.json.code, rejected.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '40',
    ]);
    expect((await send(mock, 'GET', '/tickets/tkt_1', undefined, 'wt_read')).status).toBe(200);
    mock.clock.advance(40_000);
    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
  });

  test('counts all requests without a valid credential together, as if they came from one caller', async () => {
    const mock = serverOf({ rateLimit: { limit: 2 } });
    const statuses = [];
    for (const token of ['guess_1', 'guess_2', 'guess_3', 'wt_ci']) {
      statuses.push((await send(mock, 'GET', '/tickets/tkt_1', undefined, token)).status);
    }

    expect(statuses).toEqual([401, 401, 429, 200]);
  });

  test('is available as mock.faults.currentRateLimit, and mock.reset() restores the initial one', () => {
    expect(serverOf().faults.currentRateLimit).toBeUndefined();
    const mock = serverOf({ rateLimit: { limit: 5 } });
    mock.faults.rateLimit(null);
    mock.reset();
    expect(mock.faults.currentRateLimit).toEqual({ limit: 5, window: 60_000 });
    mock.faults.clear();
    expect(mock.faults.currentRateLimit).toBeUndefined();
    mock.faults.rateLimit({ limit: 5 });
    mock.faults.rateLimit(null);
    expect(mock.faults.currentRateLimit).toBeUndefined();
  });
});

test('faults and the rate limit also apply to requests without a credential', async () => {
  const mock = serverOf({ faults: [{ status: 503, times: 1 }], rateLimit: { limit: 1 } });
  const statuses = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push((await mock.fetch('http://worktrack.test/api/v1/tickets/tkt_1')).status);

  expect(statuses).toEqual([503, 429, 429]);
});

test.each<[unknown, string]>([
  [{ limit: -1 }, 'rateLimit: option "limit" must be a non-negative number (got -1)'],
  [{ limit: Number.NaN }, 'option "limit" must be a non-negative number (got NaN)'],
  [{ limit: '2' }, 'option "limit" must be a non-negative number (got "2")'],
  [{ window: 0 }, 'option "window" must be a positive number of milliseconds (got 0)'],
  [{ window: -60_000 }, 'option "window" must be a positive number of milliseconds'],
  [{ limt: 4 }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
  [5, 'rateLimit: options must be an object'],
  ['x', 'rateLimit: options must be an object'],
])("mock.faults.rateLimit rejects %j and doesn't change the limit", async (options, message) => {
  const mock = serverOf({ rateLimit: { limit: 0 } });

  expect(() => mock.faults.rateLimit(options as never)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
  );
  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(429);
});

/** Creates a rate limit of one request per 10 ms, with a manual clock. */
function limitOfOne() {
  const clock = { now: 1000 };
  const limit = new RateLimit({ limit: 1, window: 10 }, () => clock.now);
  return { clock, limit, passes: (token?: string) => limit.exceededBy(token) === undefined };
}

test('the rate limiter stores only tokens whose window is still open', () => {
  const { clock, limit, passes } = limitOfOne();
  const sizes = [];
  for (let count = 0; count < 100; count += 1) {
    clock.now += 1;
    passes(`wt_${count}`);
    sizes.push(limit.size);
  }

  expect(sizes.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]);
  expect(Math.max(...sizes)).toBe(10);
});

test('the rate limiter discards only tokens that have expired', () => {
  const { clock, passes } = limitOfOne();
  const first = [passes('a'), passes('a')];
  clock.now += 5;
  const second = [passes('b'), passes('b')];
  clock.now += 5;
  const third = [passes('c'), passes('b'), passes('a'), passes('a')];

  expect([first, second, third]).toEqual([
    [true, false],
    [true, false],
    [true, false, true, false],
  ]);
});

test('setting the clock back starts a new rate-limit window, which eventually ends', () => {
  const { clock, limit, passes } = limitOfOne();
  const first = [passes('a'), passes('a')];
  clock.now = 999;
  expect([...first, passes('a'), passes('a')]).toEqual([true, false, true, false]);
  for (const now of [1000, 1008, 1004, 1003, 1012]) {
    clock.now = now;
    for (const token of ['a', 'b', `wt_${now}`]) passes(token);
  }
  clock.now = 2000;

  expect([passes('a'), passes('a'), limit.size]).toEqual([true, false, 1]);
});
