import { describe, expect, it, vi } from 'vitest';
import type { Hooks, Logger, Worktrack } from 'worktrack';
import { openTelemetry } from 'worktrack/opentelemetry';
import { clientInFrozenTime } from './support/frozen-time.js';
import { clientWith, errorOf, json, secret, serve } from './support/serve.js';

/** Creates hooks that record their events. */
function recorder() {
  const events: [string, Record<string, unknown>][] = [];
  const note = (name: string) => (event: object) => {
    events.push([name, { ...event }]);
  };
  const hooks: Hooks = {
    request: note('request'),
    response: note('response'),
    retry: note('retry'),
    error: note('error'),
  };
  return { hooks, events };
}

function memoryLogger() {
  const lines: [string, string, Record<string, unknown>][] = [];
  const write = (level: string) => (message: string, fields: object) => {
    lines.push([level, message, fields as Record<string, unknown>]);
  };
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
  return { logger, lines };
}

describe('hooks', () => {
  it('are called in order for every request, response, and retry', async () => {
    const { client } = await serve((out, _, index) =>
      json(out, index ? 200 : 503, { data: {} }, { 'x-request-id': `req_${index}` }),
    );
    const { hooks, events } = recorder();
    await client({ hooks }).tickets.move('t', { board_id: 'b' });
    const context = {
      operation: 'tickets.move',
      method: 'POST',
      urlTemplate: '/tickets/{ticket}/move',
      organization: 'org_acme',
    };
    expect(events).toMatchObject([
      ['request', { ...context, attempt: 1 }],
      [
        'response',
        { ...context, attempt: 1, status: 503, requestId: 'req_0', durationMs: expect.any(Number) },
      ],
      [
        'retry',
        {
          ...context,
          attempt: 1,
          status: 503,
          requestId: 'req_0',
          delayMs: expect.any(Number),
          error: { name: 'ServerError' },
        },
      ],
      ['request', { ...context, attempt: 2 }],
      ['response', { ...context, attempt: 2, status: 200, requestId: 'req_1' }],
    ]);
    expect(new Set(events.map(([, { call }]) => call)).size).toBe(1);
  });

  it('are called only once each if a call fails', async () => {
    const { client } = await serve((out) => json(out, 404, {}));
    const { hooks, events } = recorder();
    const error = await errorOf(client({ hooks }).tickets.get('t'));
    expect(events.map(([name]) => name)).toEqual(['request', 'response', 'error']);
    expect(events[2]?.[1]).toMatchObject({ error, status: 404, attempt: 1 });
    expect(events[2]?.[1].error).toBe(error);
  });

  it("can add headers but can't read the credential", async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    let hookHeaders = new Headers();
    const request: Hooks['request'] = ({ headers }) => {
      headers.set('traceparent', '00-1-2-01');
      hookHeaders = headers;
    };
    const { logger, lines } = memoryLogger();

    await client({ hooks: [{ request }, {}], logger }).tickets.get('t');
    expect(seen[0]?.headers).toMatchObject({ traceparent: '00-1-2-01', authorization: `Bearer ${secret}` });
    expect([...hookHeaders.keys()]).toEqual(['accept', 'traceparent', 'user-agent']);
    // Hooks are optional and needn't return a promise.
    expect(lines).toEqual([]);
  });

  it("can throw an error, which is logged and doesn't affect the call", async () => {
    const { client } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
    const { logger, lines } = memoryLogger();
    const hooks: Hooks = {
      request() {
        throw new Error('disk full');
      },
      response: (async () => {
        throw new Error('also async');
      }) as () => void,
    };
    expect(await client({ hooks, logger }).tickets.get('t')).toEqual({ id: 'x' });
    await vi.waitFor(() => expect(lines).toHaveLength(2));
    expect(lines.map(([level, message]) => [level, message])).toEqual([
      ['error', 'worktrack: the request hook failed: Error: disk full'],
      ['error', 'worktrack: the response hook failed: Error: also async'],
    ]);
  });

  it.each([Symbol('full'), Object.create(null)])(
    "can throw %o, which can't be converted to a string",
    async (thrown) => {
      const { client } = await serve((out) => json(out, 201, { data: { id: 'x' } }));
      const { logger, lines } = memoryLogger();
      const response = () => {
        throw thrown;
      };
      const body = { board_id: 'b', title: 'T' };
      expect(await client({ hooks: { response }, logger }).tickets.create('p', body)).toEqual({ id: 'x' });
      expect(lines).toHaveLength(1);
    },
  );

  it('can be asynchronous, and the request waits for them', async () => {
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

  it("can't delay a successful call beyond its total timeout", async () => {
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

  it('receive the duration of each attempt and of the call', async () => {
    const durations: [string, number | undefined][] = [];
    const record =
      (name: string) =>
      ({ durationMs }: { durationMs?: number }) => {
        durations.push([name, durationMs]);
      };
    const hooks: Hooks = { response: record('response'), retry: record('retry'), error: record('error') };
    const { client } = clientInFrozenTime(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        return new Response('{}', { status: 503, headers: { 'retry-after': '1' } });
      },
      { hooks, retry: 1 },
    );
    const call = errorOf(client.tickets.get('t'));
    await vi.advanceTimersByTimeAsync(1500);
    await call;
    expect(durations).toEqual([
      ['response', 250],
      ['retry', 250],
      ['response', 250],
      ['error', 1500],
    ]);
  });

  it("can abort the call's signal before the request is passed to fetch", async () => {
    const controller = new AbortController();
    const seen: boolean[] = [];
    const client = clientWith(
      async (_, init) => {
        seen.push(init?.signal?.aborted ?? false);
        throw init?.signal?.reason;
      },
      { hooks: { request: () => controller.abort() } },
    );

    expect(await errorOf(client.tickets.get('t', { signal: controller.signal }))).toMatchObject({
      name: 'RequestAbortedError',
    });
    expect(seen.filter((aborted) => !aborted)).toEqual([]);
  });
});

describe('the context option', () => {
  it.each([
    ['a call', (client: Worktrack, context: object) => client.tickets.get('t', { context })],
    ['withOptions', (client: Worktrack, context: object) => client.withOptions({ context }).tickets.get('t')],
  ])(
    'is passed unchanged from %s to hooks, the logger, and OpenTelemetry, but is never sent',
    async (_, call) => {
      const { client, seen } = await serve((out, _request, index) =>
        json(out, index ? 200 : 503, { data: {} }),
      );
      const contexts: unknown[] = [];
      const hear = (event: { context: unknown }) => void contexts.push(event.context);
      const log = (_message: string, fields: object) => hear(fields as { context: unknown });
      const attributes = (event: { context: unknown }) => {
        hear(event);
        return {};
      };
      const context = { requestId: 'req_1' };
      await call(
        client({
          hooks: [{ request: hear, response: hear, retry: hear }, openTelemetry({ attributes })],
          logger: { debug: log, info: log, warn: log, error: log },
          logLevel: 'debug',
        }),
        context,
      );
      expect(contexts).toHaveLength(12);
      expect(contexts.every((heard) => heard === context)).toBe(true);
      expect(JSON.stringify(seen)).not.toContain('req_1');
    },
  );

  it("is omitted from log entries if it isn't set", async () => {
    const { client } = await serve((out) => json(out, 200, { data: {} }));
    const debug = vi.fn();
    await client({ logger: { ...console, debug }, logLevel: 'debug' }).tickets.get('t');
    expect(debug.mock.calls[0]?.[1]).not.toHaveProperty('context');
  });
});

describe('the logger', () => {
  it('receives messages at or above its level, with structured fields', async () => {
    const { client } = await serve((out, _, index) => json(out, index ? 404 : 503, { message: 'Gone.' }));
    const { logger, lines } = memoryLogger();
    const testClient = client({ logger, logLevel: 'debug' });
    await errorOf(testClient.tickets.get('t'));
    expect(lines.map(([level, message]) => `${level} ${message.replace(/\d+ ms/g, 'N ms')}`)).toEqual([
      'debug worktrack: tickets.get: GET /tickets/{ticket}, attempt 1',
      'debug worktrack: tickets.get: 503 after N ms',
      'info worktrack: tickets.get: attempt 1 failed, retrying in N ms: tickets.get: Gone. (503)'.replace(
        /\d+ ms/g,
        'N ms',
      ),
      'debug worktrack: tickets.get: GET /tickets/{ticket}, attempt 2',
      'debug worktrack: tickets.get: 404 after N ms',
      'info worktrack: tickets.get: failed after N ms: tickets.get: Gone. (404)',
    ]);
    expect(lines[1]?.[2]).toMatchObject({
      operation: 'tickets.get',
      status: 503,
      attempt: 1,
      urlTemplate: '/tickets/{ticket}',
    });
  });

  it('receives bodies only if logBodies is set', async () => {
    const { client } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
    const { logger, lines } = memoryLogger();
    const options = { logger, logLevel: 'debug' } as const;
    await client(options).boards.create('p', { name: 'B' });
    expect(lines.filter(([, , fields]) => 'body' in fields)).toEqual([]);
    lines.length = 0;
    const verbose = client({ ...options, logBodies: true });
    await verbose.boards.create('p', { name: 'B' });
    await verbose.tickets.get('t');
    expect(lines.map(([, , fields]) => ('body' in fields ? fields.body : 'no body'))).toEqual([
      { name: 'B' },
      { data: { id: 'x' } },
      'no body',
      { data: { id: 'x' } },
    ]);
  });
});

it.each([
  ['info', 1],
  ['warn', 0],
  ['off', 0],
] as const)(
  'a logger at the %s level receives %i message(s) about a failed call',
  async (logLevel, count) => {
    const { client } = await serve((out) => json(out, 404, {}));
    const { logger, lines } = memoryLogger();
    await errorOf(client({ logger, logLevel }).tickets.get('t'));
    expect(lines).toHaveLength(count);
  },
);

it.each([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['returns a promise that rejects', () => Promise.reject(new Error('disk full'))],
])("a logger that %s doesn't affect the call", async (_, fail) => {
  const { client } = await serve((out, { method }) =>
    method === 'POST' ? json(out, 201, { data: { id: 'x' } }) : json(out, 404, { message: 'Gone.' }),
  );
  const logger = { debug: fail, info: fail, warn: fail, error: fail };
  const testClient = client({ logger, logLevel: 'debug' });
  expect(await testClient.tickets.create('p', { board_id: 'b', title: 'T' })).toEqual({ id: 'x' });
  expect(await errorOf(testClient.tickets.get('t'))).toMatchObject({ name: 'NotFoundError' });
});
