import { expect, it, vi } from 'vitest';
import { clientInFrozenTime } from './support/frozen-time.js';
import { errorOf } from './support/serve.js';

const slow = (body: object, status = 200) =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(body, { status })), 1000));
const ticket = () => slow({ data: { id: 't' } });

/** Advances time in steps until idle() resolves, and returns how much time has passed. */
async function idleAfter(client: { idle(): Promise<void> }): Promise<number> {
  const start = Date.now();
  const idle = client.idle().then(() => Date.now() - start);
  await vi.advanceTimersByTimeAsync(200_000);
  return idle;
}

it('idle resolves immediately if no call is in flight', async () => {
  const { client } = clientInFrozenTime(ticket);
  expect(await idleAfter(client)).toBeLessThan(10);
});

it.each([
  ['retries', 11_000, (index: number) => (index ? ticket() : slow({}, 503)), { retry: { maxDelay: 9000 } }],
  ['queued calls', 2000, ticket, { throttle: { concurrency: 1 } }],
  ['calls that fail', 1000, () => slow({}, 404), {}],
])('idle waits for %s, including those of derived clients', async (_, most, respond, options) => {
  const { client, times } = clientInFrozenTime(respond, options);
  const derived = client.withOptions({});
  const calls = Promise.allSettled([derived.tickets.get('a'), derived.tickets.get('b')]);
  const waited = await idleAfter(client);
  expect(waited).toBeGreaterThanOrEqual(1000);
  expect(waited).toBeLessThan(most + 10);
  await calls;
  expect(times.length).toBeGreaterThan(1);
});

it('idle waits for a series of calls, such as the pages of a list', async () => {
  const { client, times } = clientInFrozenTime((index) =>
    slow({ data: [{ id: `${index}` }], current_page: index + 1, last_page: 3, per_page: 1, total: 3 }),
  );
  const all = client.tickets.list('p').toArray({ limit: 10 });
  expect(await idleAfter(client)).toBeGreaterThanOrEqual(1000 * times.length);
  expect(await all).toHaveLength(times.length);
});

it('idle waits until findOrCreate has searched for the record if the response to its create request is lost', async () => {
  const list = { data: [], current_page: 1, last_page: 1, per_page: 50, total: 0 };
  const { client } = clientInFrozenTime((_, { method }) =>
    slow(method === 'POST' ? {} : list, method === 'POST' ? 500 : 200),
  );
  const created = errorOf(client.tickets.findOrCreate('p', { board_id: 'b', title: 'T' }, { key: 'k' }));
  let isDone = false;
  void created.then(() => {
    isDone = true;
  });
  await idleAfter(client);
  expect(isDone).toBe(true);
});
