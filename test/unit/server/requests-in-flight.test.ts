import { describe, expect, test } from 'vitest';
import type { MockServer } from 'worktrack/mock-server';
import { serverOf, world } from './support/server.js';

/** The methods that replace the state. */
const replacements: Record<string, (mock: MockServer) => void> = {
  'reset()': (mock) => mock.reset(),
  'load()': (mock) => mock.load(world),
  'restore()': (mock) => mock.restore(mock.snapshot()),
};

describe.each(Object.entries(replacements))('%s while a request is in flight', (_, replaceState) => {
  test('causes the request to fail with 409 if its body is still being sent', async () => {
    const mock = serverOf();
    const { response, finish } = sendSlowly(mock);
    await Promise.resolve();
    replaceState(mock);
    await finish();
    await expectStale(mock, await response);
  });

  test('causes the request to fail with 409 if a fault is delaying it', async () => {
    const mock = serverOf();
    mock.faults.add({ latency: 30 });
    const response = create(mock);
    replaceState(mock);
    await expectStale(mock, await response);
  });

  test('causes the request to fail with 409 if an override is still handling it', async () => {
    const mock = serverOf();
    mock.override('tickets.create', async (_call, next) => {
      replaceState(mock);
      return next();
    });
    await expectStale(mock, await create(mock));
  });
});

test("mock.add doesn't affect in-flight requests if it throws an error", async () => {
  const mock = serverOf();
  const { response, finish } = sendSlowly(mock);
  await Promise.resolve();
  expect(() => mock.add.ticket({ board: 'nowhere' })).toThrow('nowhere');
  await finish();
  expect((await response).status).toBe(201);
});

const url = 'http://worktrack.test/api/v1/projects/prj_apollo/tickets';
const headers = { authorization: 'Bearer wt_ci' };
const body = JSON.stringify({ board_id: 'brd_todo', title: 'From an earlier test' });

const create = (mock: MockServer) => mock.fetch(url, { method: 'POST', headers, body });

/** Starts a request whose body is incomplete until `finish` is called. */
function sendSlowly(mock: MockServer) {
  const { readable, writable } = new TextEncoderStream();
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: readable, duplex: 'half' };
  const response = mock.fetch(url, init);
  const finish = async () => {
    const writer = writable.getWriter();
    await writer.write(body);
    await writer.close();
  };
  return { response, finish };
}

async function expectStale(mock: MockServer, response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([
    409,
    { message: expect.stringContaining('reset or restored while this request was in flight') },
  ]);
  expect(mock.state.tickets.all()).toHaveLength(2);
}
