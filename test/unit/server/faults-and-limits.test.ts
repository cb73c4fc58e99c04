import { expect, test } from 'vitest';
import type { Fault } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

const url = 'http://worktrack.test/api/v1/tickets/tkt_1';
const headers = { authorization: 'Bearer wt_ci' };

test.each([204, 205, 304])(
  "a fault's body is ignored if its status is %d, which doesn't allow a body",
  async (status) => {
    const mock = serverOf({ faults: [{ status, body: { data: 1 } }] });

    const response = await mock.fetch(url, { headers });

    expect([response.status, await response.text()]).toEqual([status, '']);
    expect(mock.requests.last()?.responseBody).toBeUndefined();
  },
);

test("a fault's body is sent as JSON if it isn't a string", async () => {
  const mock = serverOf({ faults: [{ status: 500, body: { odd: true } }] });

  const response = await mock.fetch(url, { headers });

  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ odd: true });
});

test("truncated and malformed faults don't change a response without a body", async () => {
  for (const error of ['truncated', 'malformed'] as const) {
    const mock = serverOf({ faults: [{ error }] });
    expect(await send(mock, 'DELETE', '/tickets/tkt_1')).toMatchObject({ status: 204, text: '' });
  }
});

test('faults and the rate limit apply to requests without a credential', async () => {
  const mock = serverOf({ faults: [{ status: 503, times: 1 }], rateLimit: { limit: 1 } });
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await mock.fetch(url)).status);

  expect(statuses).toEqual([503, 429, 429]);
});

test('mock.reset restores the rateLimit option', async () => {
  const mock = serverOf({ rateLimit: { limit: 1 } });
  mock.faults.rateLimit(null);
  mock.reset();

  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(429);
});

test('setting the clock back starts a new rate-limit window', async () => {
  const mock = serverOf({ rateLimit: { limit: 1 } });
  await send(mock, 'GET', '/tickets/tkt_1');
  mock.clock.advance(-1000);

  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(200);
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
])('mock.faults.rateLimit rejects %j and keeps the previous limit', async (options, message) => {
  const mock = serverOf({ rateLimit: { limit: 0 } });

  expect(() => mock.faults.rateLimit(options as never)).toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
  );
  expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(429);
});

test.each<[object, string]>([
  [{ status: 500, times: -1 }, 'option "times" must be a non-negative number (got -1)'],
  [{ status: 500, after: -1 }, 'option "after" must be a non-negative number (got -1)'],
  [{ error: 'timeout' }, 'option "error" must be one of: connection, response_lost, truncated, malformed'],
])('mock.faults.add rejects %j', (fault, message) => {
  expect(() => serverOf().faults.add(fault as Fault)).toThrow(message);
});

test("a latency fault doesn't delay a request that is already aborted", async () => {
  const mock = serverOf({ faults: [{ latency: 1_000_000 }] });
  const controller = new AbortController();
  controller.abort(new Error('not wanted'));

  await expect(mock.handle(new Request(url, { headers, signal: controller.signal }))).rejects.toThrow(
    'not wanted',
  );
});

test('a fault is spent after affecting `times` requests', async () => {
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
});

test('mock.faults.handles() omits spent faults', async () => {
  const mock = serverOf();
  const latencyFault = mock.faults.add({ latency: 0 });
  for (let count = 0; count < 20; count += 1) {
    mock.faults.add({ status: 503, times: 1 });
    expect((await send(mock, 'GET', '/tickets/tkt_1')).status).toBe(503);
  }

  expect(mock.faults.handles().map(({ id, count }) => [id, count])).toEqual([[latencyFault.id, 20]]);
  latencyFault.remove();
  expect(mock.faults.handles()).toEqual([]);
});
