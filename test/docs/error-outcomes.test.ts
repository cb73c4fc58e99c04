import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, Worktrack, WorktrackError } from 'worktrack';
import { errorPages } from '../../docs/.vitepress/content/error-pages.js';

// Makes both attempts of a write fail in every combination of ways, and makes reads fail just before their
// retry. Then compares the outcomes with those on the error pages.

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What happens to one attempt. */
type Attempt = (abort: () => void, signal: AbortSignal | null | undefined) => Response | Promise<Response>;

const failWith = (code: string, syscall: string) => () =>
  Promise.reject(Object.assign(new TypeError(code), { code, syscall }));
const bodyThat = (pull: (controller: ReadableStreamDefaultController) => void) =>
  new Response(new ReadableStream({ pull }));

const attempts: Readonly<Record<string, Attempt>> = {
  ...Object.fromEntries(
    [301, 401, 403, 404, 413, 422, 429, 500].map((status) => [status, () => new Response('{}', { status })]),
  ),
  'not JSON': () => new Response('<html>'),
  'cut off': () => bodyThat((controller) => controller.error(new TypeError('reset'))),
  'a body that stalls': () => bodyThat(() => {}),
  'aborted while reading': (abort) => bodyThat(() => void setTimeout(abort, 1)),
  aborted: (abort, signal) => {
    abort();
    return Promise.reject(signal?.reason);
  },
  refused: failWith('ECONNREFUSED', 'connect'),
  lost: failWith('ECONNRESET', 'read'),
  'no response in time': () => new Promise(() => {}),
  'not a response': () => undefined as unknown as Response,
};

/**
 * How the token function behaves when it's called for the second attempt. If the first attempt never ends,
 * this value applies to that attempt instead.
 */
const tokenFunctions: Readonly<
  Record<string, (calls: number, abort: () => void) => string | Promise<string>>
> = {
  'returns a token': (calls) => `token-${calls}`,
  fails: (calls) => (calls > 1 ? Promise.reject(new Error('the vault is closed')) : 'token'),
  aborts: (calls, abort) => {
    if (calls > 1) abort();
    return `token-${calls}`;
  },
  'never ends': (calls) => (calls > 1 ? new Promise(() => {}) : 'token'),
  'never started': () => new Promise(() => {}),
};

const options = { baseUrl: 'https://work.example.com', organization: 'org_1', logLevel: 'off' } as const;

async function errorOf(call: (client: Worktrack) => PromiseLike<unknown>, more: ClientOptions) {
  const result = Promise.resolve(call(new Worktrack({ ...options, ...more }))).then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return result;
}

async function updateWith(first: Attempt, second: Attempt, token: (typeof tokenFunctions)[string]) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let calls = 0;
  let sent = 0;
  const error = await errorOf(
    (client) => client.projects.update('prj_1', { name: 'Apollo' }, { signal: controller.signal }),
    {
      token: () => token(++calls, abort),
      fetch: async (_, init) => (++sent === 1 ? first : second)(abort, init?.signal),
      retry: 1,
      responseValidation: 'off',
    },
  );
  return { error, isRetried: sent > 1 };
}

function tokenFailingOnRetry(): () => Promise<string> {
  let calls = 0;
  return async () => {
    if (++calls > 1) throw new Error('the vault is closed');
    return 'token';
  };
}

test('the error pages list exactly the outcomes that are possible', async () => {
  const errors: unknown[] = [];
  for (const token of Object.values(tokenFunctions)) {
    for (const first of Object.values(attempts)) {
      for (const second of Object.values(attempts)) {
        const { error, isRetried } = await updateWith(first, second, token);
        errors.push(error);
        if (!isRetried) break;
      }
    }
  }
  const rateLimited = async () => new Response('{}', { status: 429, headers: { 'retry-after': '600' } });
  errors.push(
    await errorOf((client) => client.projects.create({ name: 'x'.repeat(181), key: 'APO' }), { token: 't' }),
    await errorOf((client) => client.tickets.list('prj_1').toArray({ complete: true }), {
      token: 't',
      fetch: async () => Response.json({ data: [{}] }),
      responseValidation: 'off',
    }),
    await errorOf((client) => client.projects.list().catch(() => client.projects.list()), {
      token: 't',
      fetch: rateLimited,
    }),
  );
  for (const more of [
    { token: tokenFailingOnRetry() },
    { token: 't', throttle: { requestsPerMinute: 1 }, waitForRateLimit: false },
  ]) {
    const fetch = async () => bodyThat((controller) => controller.error(new TypeError('reset')));
    errors.push(await errorOf((client) => client.projects.list(), { ...more, fetch }));
  }

  const found = new Map<string, Set<string>>();
  for (const error of errors) {
    if (error === undefined) continue;
    if (!(error instanceof WorktrackError)) throw error;
    found.set(error.name, (found.get(error.name) ?? new Set()).add(error.outcome));
  }
  const documented = Object.entries(errorPages).filter(([name]) => name !== 'WorktrackError');
  expect(Object.fromEntries([...found].map(([name, outcomes]) => [name, [...outcomes].sort()]))).toEqual(
    Object.fromEntries(documented.map(([name, { outcomes }]) => [name, [...outcomes].sort()])),
  );
});
