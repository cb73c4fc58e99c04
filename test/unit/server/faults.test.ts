import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { Fault } from 'worktrack/mock-server';
import { Faults } from '../../../mock-server/faults/faults.js';
import { Random } from '../../../mock-server/state/ids.js';
import { useFakeTimers } from '../../support/timers.js';
import { send, serverOf } from './support/server.js';

const url = 'http://worktrack.test/api/v1/tickets/tkt_1';
const headers = { authorization: 'Bearer wt_ci' };

describe('a fault', () => {
  test('with a status applies before any check and leaves the state unchanged', async () => {
    const mock = serverOf({ faults: [{ status: 503 }] });

    expect((await send(mock, 'DELETE', '/tickets/tkt_1', undefined, 'no token')).status).toBe(503);
    expect(mock.state.tickets.get('tkt_1')).toBeDefined();
  });

  test("appears in the journal with the request's credential", async () => {
    const mock = serverOf({ faults: [{ status: 503 }] });
    await send(mock, 'GET', '/tickets/tkt_1');

    expect(mock.requests.last()).toMatchObject({ fault: 'status 503', credential: 'CI bot' });
  });

  const json = { 'content-type': 'application/json' };
  const html = { 'content-type': 'text/html' };
  test.each<[Fault, responseHeaders: Record<string, string>, text: string]>([
    [{ status: 503 }, json, '{"message":"Injected fault: status 503."}'],
    [{ status: 429 }, json, '{"message":"Too many requests.","code":"rate_limited"}'],
    [{ status: 502, body: 'Bad' }, { 'content-type': 'text/plain;charset=UTF-8' }, 'Bad'],
    [{ status: 500, body: { odd: true } }, json, '{"odd":true}'],
    [{ status: 502, body: '<p>Bad</p>', headers: html }, html, '<p>Bad</p>'],
    [
      { status: 429, retryAfter: 2 },
      { 'retry-after': '2' },
      '{"message":"Too many requests.","code":"rate_limited"}',
    ],
    [
      { status: 502, body: '', retryAfter: new Date(0) },
      { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      '',
    ],
    ...[204, 205, 304].map((status): [Fault, Record<string, string>, string] => [
      { status, body: { data: 1 } },
      {},
      '',
    ]),
  ])('%j sends a response with the headers %j and the body %j', async (fault, responseHeaders, text) => {
    const mock = serverOf({ faults: [fault] });
    const response = await mock.fetch(url, { headers });

    expect([response.status, await response.text()]).toEqual([fault.status, text]);
    expect(Object.fromEntries(response.headers)).toMatchObject(responseHeaders);
    expect(response.headers.has('retry-after')).toBe('retryAfter' in fault);
    expect(JSON.stringify(mock.requests.last()?.responseBody)).toBe(
      text.startsWith('{') ? text : text === '' ? undefined : JSON.stringify(text),
    );
  });

  test.each([
    ['connection', 'A fault closed the connection.', 'connection', true],
    ['response_lost', 'A fault closed the connection before the response was sent.', 'response lost', false],
  ] as const)(
    "with the error '%s' makes the call reject like a failed fetch",
    async (error, message, fault, isKept) => {
      const mock = serverOf({ faults: [{ error }] });

      await expect(mock.fetch(url, { method: 'DELETE', headers })).rejects.toMatchObject({
        name: 'TypeError',
        message: 'fetch failed',
        cause: { name: 'ConnectionFault', message },
      });
      // If only the response is lost, the server has processed the request.
      expect(mock.state.tickets.get('tkt_1') !== undefined).toBe(isKept);
      expect(mock.requests.last()).toMatchObject({ fault });
    },
  );

  test("sends only the first half of the body if its error is 'truncated'", async () => {
    const mock = serverOf();
    const body = JSON.stringify({ board_id: 'brd_todo', title: 'Land' });
    mock.faults.add({ error: 'truncated' });

    const response = await mock.fetch('http://worktrack.test/api/v1/projects/prj_apollo/tickets', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const complete = JSON.stringify(mock.requests.last()?.responseBody);

    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).toBe(String(complete.length));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(complete.slice(0, Math.ceil(complete.length / 2)));
    await expect(reader.read()).rejects.toThrow('closed the connection in the middle of the body');
  });

  test("sends invalid JSON if its error is 'malformed'", async () => {
    const mock = serverOf();
    mock.faults.add({ error: 'malformed' });

    const response = await mock.fetch(url, { headers });

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toMatch(/^\{"data":\{"id":"tkt_1"[^}]*$/);
  });

  test('delays the response until its latency has elapsed or the request is aborted, and leaves no timer or listener', async () => {
    useFakeTimers();
    const mock = serverOf({
      faults: [
        { latency: [1, 5], times: 1 },
        { latency: [1_000_000, 2_000_000], after: 1 },
      ],
    });
    const controller = new AbortController();
    const { signal } = controller;
    const resources = () => [vi.getTimerCount(), getEventListeners(signal, 'abort').length];

    const delayed = mock.fetch(url, { headers, signal });
    await vi.advanceTimersByTimeAsync(5);
    expect((await delayed).status).toBe(200);
    expect(resources()).toEqual([0, 0]);

    const reason = new Error('not wanted');
    const aborted = mock.fetch(url, { headers, signal });
    await vi.advanceTimersByTimeAsync(1000);
    expect(resources()).toEqual([1, 1]);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(resources()).toEqual([0, 0]);
    await expect(mock.handle(new Request(url, { headers, signal }))).rejects.toBe(reason);
  });
});

describe('multiple faults', () => {
  const target = { operation: 'tickets.get', token: 'wt_ci', credential: 'CI bot' } as const;
  const faultsOf = (...list: Fault[]) => {
    const faults = new Faults(new Random(1), () => 0);
    return { faults, handles: list.map((fault) => faults.add(fault)) };
  };
  const slow = { latency: 10 };
  const unavailable = { status: 503, latency: 5 };
  const closed = { error: 'connection', latency: 100 } as const;

  test('delay the response by the sum of their latencies, but only the first fault with a status or error determines it', () => {
    const { faults, handles } = faultsOf(slow, unavailable, closed, slow);

    expect(faults.choose(target)).toEqual({ latency: 25, fault: unavailable });
    expect(handles.map(({ count }) => count)).toEqual([1, 1, 0, 1]);
  });

  test('are applied one after another if the first one has a `times` limit', () => {
    const { faults } = faultsOf({ ...unavailable, times: 1 }, { ...closed, after: 1 });
    const outcomes = [1, 2, 3].map(() => faults.choose(target).fault);

    expect(outcomes.map((fault) => fault?.status ?? fault?.error)).toEqual([503, undefined, 'connection']);
  });

  test('add only their latency to a request that exceeds the rate limit', () => {
    const { faults, handles } = faultsOf(slow, unavailable);
    faults.rateLimit({ limit: 0 });

    expect(faults.choose(target)).toMatchObject({ latency: 10, fault: { status: 429 } });
    expect(handles.map(({ count }) => count)).toEqual([1, 0]);
  });

  test('choose random latencies from the entire range', () => {
    const { faults } = faultsOf({ latency: [100, 200] });
    const latencies = Array.from({ length: 200 }, () => faults.choose(target).latency).sort((a, b) => a - b);

    expect(latencies[0]).toBeGreaterThanOrEqual(100);
    expect(latencies[0]).toBeLessThan(110);
    expect(latencies[199]).toBeGreaterThan(190);
    expect(latencies[199]).toBeLessThanOrEqual(200);
  });

  test('have a revision that changes whenever a fault is added, applied, used up, or removed, or the rate limit is set', () => {
    const { faults } = faultsOf();
    const revisions = [faults.revision];
    const note = () => revisions.push(faults.revision);
    faults.add({ status: 503, times: 2 });
    note();
    for (const _ of [1, 2]) {
      faults.choose(target);
      note();
    }
    faults.choose(target);
    expect(faults.revision).toBe(revisions.at(-1));
    faults.add({ latency: 1 }).remove();
    note();
    faults.rateLimit();
    note();
    faults.clear();
    note();

    expect(new Set(revisions).size).toBe(revisions.length);
  });
});

describe('a conditional fault', () => {
  const statuses = async (fault: Fault, requests: [string, string, string?][], seed = 0) => {
    const mock = serverOf({ randomSeed: seed });
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

  test('that has a probability affects the same requests in every run with the same seed', async () => {
    const requests = Array.from({ length: 60 }, () => get);
    const fault = { status: 500, probability: 0.5 };
    const first = await statuses(fault, requests);

    expect(await statuses(fault, requests)).toEqual(first);
    expect(await statuses(fault, requests, 1)).not.toEqual(first);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(15);
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(15);
  });

  test.each([
    [0, 0, 0],
    [0.2, 60, 140],
    [0.8, 260, 340],
    [1, 400, 400],
  ])('affects the expected number of requests if its probability is %d', (probability, minimum, maximum) => {
    const faults = new Faults(new Random(1), () => 0);
    const fault = faults.add({ status: 500, probability });
    for (let count = 0; count < 400; count += 1) {
      faults.choose({ operation: 'tickets.get', token: undefined, credential: undefined });
    }

    expect(fault.count).toBeGreaterThanOrEqual(minimum);
    expect(fault.count).toBeLessThanOrEqual(maximum);
  });

  test('is no longer applied after remove() or mock.reset()', async () => {
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
});

test.each<[unknown, string]>([
  [{}, 'faults: one of "latency", "status", and "error" is required'],
  [{ status: 99 }, 'option "status" must be an integer from 200 to 599 (got 99)'],
  [{ status: 500, error: 'connection' }, 'options "status" and "error" are mutually exclusive'],
  [{ latency: [5, 1] }, 'option "latency" must be a number of milliseconds, or [minimum, maximum]'],
  [{ latency: 1, probability: 2 }, 'option "probability" must be a number from 0 to 1 (got 2)'],
  [
    { status: 500, operation: 'tickets.mvoe' },
    'unknown operation "tickets.mvoe"; did you mean "tickets.move"?',
  ],
  [{ status: 500, operation: 'fly' }, 'faults: unknown operation "fly"'],
  [{ status: 500, operation: [] }, 'option "operation" must be an operation or a non-empty list'],
  [{ status: 500, operation: null }, 'option "operation" must be an operation or a non-empty list'],
  [{ latency: [1, 2, 3] }, 'option "latency" must be a number of milliseconds, or [minimum, maximum]'],
  [{ status: 500, times: -1 }, 'option "times" must be a non-negative number (got -1)'],
  [{ status: 500, after: -1 }, 'option "after" must be a non-negative number (got -1)'],
  [{ error: 'timeout' }, 'option "error" must be one of: connection, response_lost, truncated, malformed'],
  ...[null, undefined, 503, 'x', []].map((fault): [unknown, string] => [
    fault,
    'faults: options must be an object',
  ]),
  [{ opertion: 'tickets.get', status: 503 }, 'unknown option "opertion"; did you mean "operation"?'],
  [{ error: 'connection', retryAfter: 1 }, 'options "retryAfter", "body", and "headers" require "status"'],
  ...[-1, 'x', new Date(Number.NaN)].map((retryAfter): [unknown, string] => [
    { status: 503, retryAfter },
    'option "retryAfter" must be a non-negative number of seconds, or a Date',
  ]),
  [{ status: 503, headers: 'x-odd' }, 'option "headers" must be an object with string values'],
  [{ status: 503, headers: { 'x-a': 'b', 'x-c': 5 } }, 'option "headers" must be an object with string'],
  ...['', 'x a', 'x:', ' x'].map((name): [unknown, string] => [
    { status: 503, headers: { [name]: 'b' } },
    `option "headers" has an invalid header name: ${JSON.stringify(name)}`,
  ]),
  ...['Content-Length', 'transfer-encoding'].map((name): [unknown, string] => [
    { status: 503, headers: { [name]: '5' } },
    `option "headers" must not include ${name}, which depends on the body`,
  ]),
  ...['a\r\nx-b: c', '\0', '☎'].map((value): [unknown, string] => [
    { status: 503, headers: { 'x-a': value } },
    'option "headers" has an invalid value for x-a',
  ]),
  [{ status: 503, times: '2' }, 'option "times" must be a non-negative number (got "2")'],
  [{ status: 503, after: '2' }, 'option "after" must be a non-negative number (got "2")'],
  [{ status: 503, probability: '1' }, 'option "probability" must be a number from 0 to 1 (got "1")'],
  [{ status: 503, credential: 5 }, 'option "credential" must be a credential\'s name or token (got 5)'],
  [{ latency: 2 ** 31 }, 'option "latency" must be a number of milliseconds'],
  [{ latency: '20' }, 'option "latency" must be a number of milliseconds'],
  [{ latency: [20, '30'] }, 'option "latency" must be a number of milliseconds'],
  [{ latency: { least: 1 } }, 'option "latency" must be a number of milliseconds'],
])('mock.faults.add rejects %j', (fault, message) => {
  const add = () => serverOf().faults.add(fault as Fault);
  expect(add).toThrow(TypeError);
  expect(add).toThrow(message);
});

test("mock.faults.add rejects a body that can't be converted to JSON", () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const body of [5n, circular, () => 1, Symbol('body')]) {
    expect(() => serverOf().faults.add({ status: 503, body })).toThrow(
      'option "body" must be a string or a JSON-serializable value',
    );
  }
});

test.each<Fault>([
  { latency: 2 ** 31 - 1 },
  { latency: [0, 0], probability: 0 },
  { status: 200, probability: 1, times: 0, after: 0 },
  { status: 599, retryAfter: 0, body: null, headers: {} },
  { status: 503, headers: { 'x-content-length': '5', 'content-length-x': '5', 'x-text': 'a\tbé ' } },
])('mock.faults.add accepts %j', (fault) => {
  const mock = serverOf();

  const handle = mock.faults.add(fault);

  expect(handle.fault).toEqual(fault);
  expect(handle.id).toBe('fault_1');
  expect(mock.faults.add(fault).id).toBe('fault_2');
});

test("a fault doesn't change if the object that was passed to mock.faults.add changes", async () => {
  const mock = serverOf();
  const fault: Fault = { status: 503 };
  mock.faults.add(fault);
  fault.status = 418;

  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(503);
});

test("'truncated' and 'malformed' faults don't change a response that has no body", async () => {
  for (const error of ['truncated', 'malformed'] as const) {
    const mock = serverOf({ faults: [{ error }] });
    expect(await send(mock, 'DELETE', '/tickets/tkt_1')).toMatchObject({ status: 204, text: '' });
  }
});

test('a fault is used up once it has affected `times` requests', async () => {
  const mock = serverOf();
  const handles = [0, 1, undefined].map((times) => mock.faults.add({ status: 503, times }));
  const before = handles.map(({ spent }) => spent);
  await send(mock, 'GET', '/tickets/tkt_1');

  expect(before).toEqual([true, false, false]);
  expect(handles.map(({ spent, count }) => [spent, count])).toEqual([
    [true, 0],
    [true, 1],
    [false, 0],
  ]);
  expect(mock.faults.list()).toEqual([{ status: 503, times: undefined }]);
  expect(mock.faults.handles().map(({ id }) => id)).toEqual(['fault_3']);
  await send(mock, 'GET', '/tickets/tkt_1');
  expect(handles[2]?.count).toBe(1);
});
