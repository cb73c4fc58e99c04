import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { VERSION, Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { clientInFrozenTime } from './support/frozen-time.js';
import { errorOf, json, serve } from './support/serve.js';

const limited = () => new Response('{}', { status: 429, headers: { 'retry-after': '30' } });
const found = () => Response.json({ data: {} });

describe('a rate-limit pause', () => {
  it('delays only calls with the same credential', async () => {
    const { client, times } = clientInFrozenTime((index) => (index ? found() : limited()));
    const first = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(0);
    const same = client.tickets.get('b');
    await client.withOptions({ token: 'wt_other' }).tickets.get('c');
    expect(times).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all([first, same]);
    expect(times).toEqual([0, 0, 30_000, 30_000]);
  });

  it("doesn't use up another credential's throttle", async () => {
    const { client, times } = clientInFrozenTime((index) => (index ? found() : limited()), {
      throttle: { concurrency: 1 },
    });
    const first = client.tickets.get('a');
    await vi.advanceTimersByTimeAsync(0);
    const same = client.tickets.get('b');
    await client.withOptions({ token: 'wt_other' }).tickets.get('c');
    expect(times).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all([first, same]);
  });

  it('is logged at the info level and reported to the pause hook', async () => {
    const lines: string[] = [];
    const pauses: unknown[] = [];
    const { client } = clientInFrozenTime((index) => (index ? found() : limited()), {
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

  it.each([{ retry: 0 }, { waitForRateLimit: false }])(
    'fails a call immediately if its options are %j',
    async (options) => {
      const { client, times } = clientInFrozenTime((index) => (index ? found() : limited()));
      const first = client.tickets.get('a');
      await vi.advanceTimersByTimeAsync(0);
      expect(await errorOf(client.tickets.get('b', options))).toMatchObject({
        name: 'RateLimitError',
        outcome: 'not_sent',
        retryAfter: 30,
      });
      await vi.advanceTimersByTimeAsync(30_000);
      await first;
      expect(times).toEqual([0, 30_000]);
    },
  );
});

describe('withOptions', () => {
  it('overrides only the given options', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: [] }));
    const derived = client({ headers: { 'x-app': 'a' } }).withOptions({
      token: 'wt_other',
      organization: 'org_b',
    });
    await derived.projects.list();
    expect(seen[0]).toMatchObject({
      url: '/api/v1/organizations/org_b/projects',
      headers: { authorization: 'Bearer wt_other', 'x-app': 'a' },
    });
  });

  it("shares the original client's throttle", async () => {
    const { client, times } = clientInFrozenTime(found, { throttle: { requestsPerMinute: 1 } });
    const other = client.withOptions({ timeout: 1000 });
    const both = Promise.all([client.tickets.get('a'), other.tickets.get('b')]);
    await vi.advanceTimersByTimeAsync(60_000);
    await both;
    expect(times).toEqual([0, 60_000]);
  });

  it('rejects an unknown option', () => {
    const client = new Worktrack({ baseUrl: 'https://work.example', token: 'wt_1' });
    expect(() => client.withOptions({ tmeout: 1 } as object)).toThrow('did you mean "timeout"?');
  });
});

it('the client waits for an async request hook and sends the headers it sets', async () => {
  const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
  const hooks = {
    async request({ headers }: { headers: Headers }) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      headers.set('x-signature', 'late');
    },
  };
  await client({ hooks }).tickets.get('t');
  expect(seen[0]?.headers['x-signature']).toBe('late');
});

it('a hook that never finishes delays a successful call only until the total timeout expires', async () => {
  const { client } = clientInFrozenTime(() => Response.json({ data: { id: 't' } }, { status: 201 }), {
    hooks: { response: () => new Promise(() => {}) },
    totalTimeout: 200,
  });
  const settled = vi.fn();
  const call = client.tickets.create('p', { board_id: 'b', title: 'T' }).finally(settled);
  await vi.advanceTimersByTimeAsync(199);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await call).toEqual({ id: 't' });
});

it('the error for an unreachable .test host suggests passing mock.fetch', async () => {
  const cause = Object.assign(new Error('getaddrinfo ENOTFOUND worktrack.test'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const client = new Worktrack({ baseUrl: 'http://worktrack.test', token: 'wt_1', fetch, retry: 0 });
  expect(((await errorOf(client.tickets.get('t'))) as Error).message).toMatch(
    /ENOTFOUND worktrack\.test; did you forget to pass "fetch: mock\.fetch" to the client\?$/,
  );
});

it('asResponse returns the status, headers, and unparsed body', async () => {
  const { client } = await serve((out, { method }) =>
    method === 'DELETE' ? out.writeHead(204).end() : json(out, 200, { data: { id: 't' } }, { 'x-a': 'b' }),
  );
  const response = await client().tickets.get('t').asResponse();
  expect([response.status, response.headers.get('x-a')]).toEqual([200, 'b']);
  expect(await response.json()).toEqual({ data: { id: 't' } });
  expect((await client().tickets.delete('t').asResponse()).status).toBe(204);
  const rawResponse = await client().raw('DELETE', '/x').asResponse();
  expect([rawResponse.status, rawResponse.body]).toEqual([204, null]);
});

it('withResponse returns only documented fields for calls and lists', async () => {
  const { client } = await serve((out) => json(out, 200, { data: { data: [] } }));
  for (const promise of [client().tickets.get('t'), client().tickets.list('p')]) {
    const fields = Object.keys(await promise.withResponse()).sort();
    expect(fields).toEqual(['attempts', 'data', 'headers', 'requestId', 'status']);
  }
});

it('raw resolves to the type passed as its type argument', async () => {
  const { client } = await serve((out) => json(out, 200, { answer: 42 }));
  const { answer } = await client().raw<{ answer: number }>('GET', '/x');
  expect(answer).toBe(42);
});

it('toArray returns all items if the limit is Infinity', async () => {
  const { client } = await serve((out, { url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    json(out, 200, { data: { data: [{ id: page }], current_page: page, last_page: 3 } });
  });
  expect(await client().tickets.list('p').toArray({ limit: Infinity })).toHaveLength(3);
});

it.each([
  ['fetch', () => undefined],
  ['nodeTransport()', nodeTransport],
])(
  'with %s, the client sends its name and version as the user agent unless a header overrides it',
  async (_, make) => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    await client({ transport: make() }).tickets.get('t');
    await client({ transport: make(), headers: { 'user-agent': 'mine' } }).tickets.get('t');
    expect(seen.map(({ headers }) => headers['user-agent'])).toEqual([`worktrack/${VERSION}`, 'mine']);
  },
);

it("the client doesn't override a browser's user agent", async () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11)' });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
  await client({ transport: nodeTransport() }).tickets.get('t');
  expect(seen[0]?.headers['user-agent']).toBeUndefined();
});

it('WORKTRACK_LOG_LEVEL sets the log level and must be a valid level', async () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('WORKTRACK_LOG_LEVEL', 'debug');
  const lines: string[] = [];
  const { client } = await serve((out) => json(out, 200, { data: {} }));
  const logger = { debug: (line: string) => void lines.push(line), info() {}, warn() {}, error() {} };
  await client({ logger }).tickets.get('t');
  expect(lines).toHaveLength(2);
  vi.stubEnv('WORKTRACK_LOG_LEVEL', 'loud');
  expect(() => client()).toThrow(
    'WORKTRACK_LOG_LEVEL must be one of: debug, info, warn, error, off (got "loud")',
  );
});

describe('fetchOptions', () => {
  it("are passed to fetch, but don't override the client's options", async () => {
    let init: unknown;
    const fetch = async (_: unknown, options?: RequestInit) => {
      init = options;
      return found();
    };
    const client = new Worktrack({
      baseUrl: 'https://work.example',
      token: 'wt_1',
      fetch,
      responseValidation: 'off',
    });
    await client.tickets.get('t', { fetchOptions: { next: { revalidate: 60 }, method: 'POST' } });
    expect(init).toMatchObject({ next: { revalidate: 60 }, method: 'GET' });
  });

  it("are rejected by a transport that doesn't use fetch", async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    const call = client({ transport: nodeTransport() }).tickets.get('t', {
      fetchOptions: { cache: 'no-store' },
    });
    expect(await errorOf(call)).toMatchObject({
      name: 'ConfigurationError',
      message: 'tickets.get: option "fetchOptions" requires a transport that uses fetch',
    });
    expect(seen).toEqual([]);
  });
});
