import { describe, expect, test } from 'vitest';
import type { Fault } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

const url = 'http://worktrack.test/api/v1/tickets/tkt_1';
const headers = { authorization: 'Bearer wt_ci' };

describe('a fault', () => {
  test('with a status responds before any other check and leaves the state unchanged', async () => {
    const mock = serverOf();
    mock.faults.add({ status: 503, retryAfter: 2 });

    const response = await send(mock, 'DELETE', '/tickets/tkt_1', undefined, 'no token at all');

    expect([response.status, response.headers['retry-after']]).toEqual([503, '2']);
    expect(response.json).toEqual({ message: 'Injected fault: status 503.' });
    expect(mock.state.tickets.get('tkt_1')).toBeDefined();
  });

  test('can set the response body and headers if it has a status', async () => {
    const mock = serverOf();
    const retryAfter = new Date('2026-01-01T00:00:30Z');
    mock.faults.add({
      status: 502,
      body: '<h1>Bad gateway</h1>',
      headers: { 'content-type': 'text/html' },
      retryAfter,
    });

    const response = await mock.fetch(url, { headers });

    expect(response.headers.get('retry-after')).toBe('Thu, 01 Jan 2026 00:00:30 GMT');
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toBe('<h1>Bad gateway</h1>');
  });

  test("rejects the call as fetch would and changes nothing if its error is 'connection'", async () => {
    const mock = serverOf();
    mock.faults.add({ error: 'connection' });

    await expect(mock.fetch(url, { method: 'DELETE', headers })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { name: 'ConnectionFault' },
    });
    expect(mock.state.tickets.get('tkt_1')).toBeDefined();
  });

  test("rejects the call after the server has processed the request if its error is 'response_lost'", async () => {
    const mock = serverOf();
    mock.faults.add({ error: 'response_lost' });

    await expect(mock.fetch(url, { method: 'DELETE', headers })).rejects.toThrow('fetch failed');
    expect(mock.state.tickets.get('tkt_1')).toBeUndefined();
    expect(mock.requests.last()).toMatchObject({ fault: 'response lost' });
  });

  test("cuts off the body in the middle if its error is 'truncated'", async () => {
    const mock = serverOf();
    mock.faults.add({ error: 'truncated' });

    const response = await mock.fetch(url, { headers });

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('closed the connection in the middle of the body');
  });

  test("sends a body that isn't valid JSON if its error is 'malformed'", async () => {
    const mock = serverOf();
    mock.faults.add({ error: 'malformed' });

    const response = await mock.fetch(url, { headers });

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toMatch(/^\{"data":\{"id":"tkt_1"[^}]*$/);
  });

  test('delays the response until its latency elapses or the request is aborted', async () => {
    const mock = serverOf();
    mock.faults.add({ latency: [1, 5], times: 1 });
    expect((await mock.fetch(url, { headers })).status).toBe(200);

    mock.faults.add({ latency: [1_000_000, 2_000_000] });
    await expect(mock.fetch(url, { headers, signal: AbortSignal.timeout(5) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  test("adds its latency to other faults' latency, but only the first status applies", async () => {
    const mock = serverOf();
    mock.faults.add({ latency: 1 });
    mock.faults.add({ status: 500 });
    const later = mock.faults.add({ status: 503 });

    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(500);
    expect(later.count).toBe(0);
  });
});

describe('a conditional fault', () => {
  const statuses = async (fault: Fault, requests: [string, string, string?][]) => {
    const mock = serverOf();
    mock.faults.add(fault);
    const found: number[] = [];
    for (const [method, path, token] of requests) {
      found.push((await send(mock, method, path, undefined, token)).status);
    }
    return found;
  };
  const get: [string, string] = ['GET', '/tickets/tkt_1'];

  test('can be limited to one or several operations', async () => {
    const requests: [string, string][] = [
      get,
      ['GET', '/projects/prj_apollo'],
      ['GET', '/projects/prj_apollo/boards'],
    ];

    expect(await statuses({ operation: 'tickets.get', status: 500 }, requests)).toEqual([500, 200, 200]);
    expect(await statuses({ operation: ['tickets.get', 'boards.list'], status: 500 }, requests)).toEqual([
      500, 200, 500,
    ]);
  });

  test('can be limited to a credential by its name or token', async () => {
    const requests: [string, string, string][] = [
      [...get, 'wt_ci'],
      [...get, 'wt_read'],
    ];

    expect(await statuses({ credential: 'Reader', status: 500 }, requests)).toEqual([200, 500]);
    expect(await statuses({ credential: 'wt_ci', status: 500 }, requests)).toEqual([500, 200]);
  });

  test('skips the first `after` requests and then affects at most `times` requests', async () => {
    const fault = { status: 500, after: 1, times: 2 };

    expect(await statuses(fault, [get, get, get, get])).toEqual([200, 500, 500, 200]);
  });

  test('affects the same requests in every run if it has a probability', async () => {
    const requests = Array.from({ length: 60 }, () => get);
    const first = await statuses({ status: 500, probability: 0.5 }, requests);

    expect(await statuses({ status: 500, probability: 0.5 }, requests)).toEqual(first);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(15);
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(15);
  });

  test('stops applying after remove() or mock.reset()', async () => {
    const mock = serverOf();
    const fault = mock.faults.add({ status: 500 });
    await send(mock, 'GET', '/tickets/tkt_1');
    fault.remove();
    expect([fault.count, (await send(mock, 'GET', '/tickets/tkt_1')).status]).toEqual([1, 200]);

    mock.faults.add({ status: 500 });
    mock.faults.rateLimit({ limit: 0 });
    mock.reset();
    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
    expect(mock.faults.list()).toEqual([]);
  });

  test.each<[Fault, string]>([
    [{}, 'faults: one of "latency", "status", and "error" is required'],
    [{ status: 99 }, 'option "status" must be an integer from 200 to 599 (got 99)'],
    [{ status: 500, error: 'connection' }, 'options "status" and "error" are mutually exclusive'],
    [{ latency: [5, 1] }, 'option "latency" must be a number of milliseconds, or [minimum, maximum]'],
    [{ latency: 1, probability: 2 }, 'option "probability" must be a number from 0 to 1 (got 2)'],
    [
      { status: 500, operation: 'tickets.mvoe' as 'tickets.move' },
      'unknown operation "tickets.mvoe"; did you mean "tickets.move"?',
    ],
    [{ status: 500, operation: 'fly' as 'tickets.move' }, 'unknown operation "fly"'],
    [{ status: 500, operation: [] }, 'option "operation" must be an operation or a non-empty list of them'],
  ])('is rejected by mock.faults.add if it is %j', (fault, message) => {
    expect(() => serverOf().faults.add(fault)).toThrow(message);
  });
});

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

  test('is removed if set to null', async () => {
    const mock = serverOf();
    mock.faults.rateLimit({ limit: 0 });
    mock.faults.rateLimit(null);

    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
  });
});

test.each<[object, string]>([
  [{ opertion: 'tickets.get', status: 503 }, 'unknown option "opertion"; did you mean "operation"?'],
  [{ error: 'connection', retryAfter: 1 }, 'options "retryAfter", "body", and "headers" require "status"'],
  [
    { status: 429, retryAfter: -1 },
    'option "retryAfter" must be a non-negative number of seconds, or a Date (got -1)',
  ],
  [
    { status: 503, retryAfter: 'x' },
    'option "retryAfter" must be a non-negative number of seconds, or a Date (got "x")',
  ],
  [
    { status: 503, retryAfter: new Date(Number.NaN) },
    'option "retryAfter" must be a non-negative number of seconds, or a Date',
  ],
  [{ status: 503, headers: 'x-odd' }, 'option "headers" must be an object of strings'],
  [{ status: 503, times: '2' }, 'option "times" must be a non-negative number (got "2")'],
  [{ status: 503, after: '2' }, 'option "after" must be a non-negative number (got "2")'],
  [{ status: 503, probability: '1' }, 'option "probability" must be a number from 0 to 1 (got "1")'],
  [{ status: 503, credential: 5 }, 'option "credential" must be a credential\'s name or token (got 5)'],
  [{ latency: '20' }, 'option "latency" must be a number of milliseconds'],
  [{ latency: [20, '30'] }, 'option "latency" must be a number of milliseconds'],
  [{ latency: { least: 1 } }, 'option "latency" must be a number of milliseconds'],
])('mock.faults.add rejects %j', (fault, message) => {
  expect(() => serverOf().faults.add(fault)).toThrow(message);
});

test("changing the object passed to mock.faults.add doesn't change the fault", async () => {
  const mock = serverOf();
  const fault: Fault = { status: 503 };
  mock.faults.add(fault);
  fault.status = 418;

  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(503);
});

test.each([null, undefined, 503, 'x', []])("mock.faults.add rejects %j, which isn't a fault", (fault) => {
  expect(() => serverOf().faults.add(fault as never)).toThrow('faults: options must be an object');
});
