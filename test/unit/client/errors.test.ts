import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as worktrack from 'worktrack';
import { ApiError, ConfigurationError, ConnectionError, NotFoundError, WorktrackError } from 'worktrack';
import { clientWith, errorOf, json, secret, serve } from './support/serve.js';

const statuses: [number, string, string, string][] = [
  [400, 'ApiError', 'api', 'rejected'],
  [401, 'AuthenticationError', 'authentication', 'rejected'],
  [403, 'PermissionDeniedError', 'permission_denied', 'rejected'],
  [404, 'NotFoundError', 'not_found', 'rejected'],
  [409, 'ApiError', 'api', 'rejected'],
  [422, 'UnprocessableError', 'unprocessable', 'rejected'],
  [429, 'RateLimitError', 'rate_limited', 'rejected'],
  [500, 'ServerError', 'server', 'unknown'],
  [599, 'ServerError', 'server', 'unknown'],
];
it.each(statuses)(
  'an error response with status %i causes the call to throw %s',
  async (status, name, ownCode, outcome) => {
    const { client } = await serve((out) =>
      json(out, status, { message: 'No.', code: 'some_code' }, { 'x-request-id': 'req_1' }),
    );
    const error = await errorOf(client({ retry: 0 }).tickets.move('t', { board_id: 'b' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf((worktrack as unknown as Record<string, new () => unknown>)[name]);
    expect(error).toMatchObject({
      name,
      code: 'some_code',
      outcome,
      status,
      message: `tickets.move: No. (${status} some_code)`,
      operation: 'tickets.move',
      requestId: 'req_1',
      attempts: 1,
      body: { message: 'No.', code: 'some_code' },
    });
    expect((error as ApiError).headers.get('x-request-id')).toBe('req_1');

    for (const body of [{ message: 'No.' }, { message: 'No.', code: '' }]) {
      const { client } = await serve((out) => json(out, status, body));
      const error = await errorOf(client({ retry: 0 }).tickets.move('t', { board_id: 'b' }));
      expect(error).toMatchObject({ code: ownCode, docs: `/errors/${name}.html` });
      if (status === 422) {
        const possibleCodes = ['validation_failed', 'invalid_board', 'wip_limit_reached'];
        expect(error).toMatchObject({ possibleCodes, fieldErrors: {} });
      }
    }
  },
);

it('an error includes the invalid fields in its message and in fieldErrors', async () => {
  const errors = { board_id: ['must be a live board'], title: ['a', 'b'] };
  const { client } = await serve((out) =>
    json(out, 422, { message: 'Invalid.', errors, code: 'invalid_board' }),
  );
  const error = await errorOf(client().tickets.move('t', { board_id: 'b' }));
  expect(error).toMatchObject({
    message: 'tickets.move: board_id must be a live board; title a; title b (422 invalid_board)',
    fieldErrors: errors,
    code: 'invalid_board',
  });
});

const bodies: [string, string, string][] = [
  ['an HTML page', '<!doctype html><h1>Bad gateway</h1>', 'tickets.get: the server gave no reason (502)'],
  [
    'an HTML page after whitespace',
    '\n\t <p>Bad gateway</p>',
    'tickets.get: the server gave no reason (502)',
  ],
  ['plain text with markup', 'queue<full>', 'tickets.get: queue<full> (502)'],
  [
    'text with line breaks and control characters',
    'upstream\r\n\u001b[31mdown',
    'tickets.get: upstream [31mdown (502)',
  ],
  ['a long string', 'x'.repeat(5000), `tickets.get: ${'x'.repeat(299)}… (502)`],
  ['JSON with an unknown structure', '{"oops":1}', 'tickets.get: the server gave no reason (502)'],
  ['empty', '', 'tickets.get: the server gave no reason (502)'],
];
it.each(bodies)(
  'an error message contains only safe text if the response body is %s',
  async (_, body, message) => {
    const { client } = await serve((out) => out.writeHead(502).end(body));
    expect(await errorOf(client({ retry: 0 }).tickets.get('t'))).toMatchObject({ message });
  },
);

it.each([300, 301, 302, 303, 307, 308, 399])("the client doesn't follow a %i redirect", async (status) => {
  const { client, seen } = await serve((out) => out.writeHead(status, { location: '/x' }).end());
  expect(await errorOf(client().tickets.get('t'))).toMatchObject({
    name: 'ApiError',
    status,
    outcome: 'unknown',
    message: `tickets.get: redirected to /x; redirects aren't followed (check baseUrl) (${status})`,
  });
  expect(seen).toHaveLength(1);
});

const opaqueRedirect = Object.defineProperties(new Response(), {
  type: { value: 'opaqueredirect' },
  status: { value: 0 },
  ok: { value: false },
});

it.each([
  [
    'with status 304',
    new Response(null, { status: 304, headers: { location: '/x' } }),
    'the server gave no reason (304)',
  ],
  ['without a status', Response.error(), 'the server gave no reason'],
  [
    'with an opaque redirect',
    opaqueRedirect,
    "redirected to a hidden URL; redirects aren't followed (check baseUrl)",
  ],
])('a response %s causes the call to throw an ApiError', async (_, response, problem) => {
  expect(await errorOf(clientWith(async () => response).tickets.get('t'))).toMatchObject({
    name: 'ApiError',
    status: response.status,
    outcome: 'unknown',
    message: `tickets.get: ${problem}`,
  });
});

describe('error identity', () => {
  it('instanceof recognizes errors from another copy of the package', () => {
    const foreign = Object.assign(Object.create(Error.prototype), {
      [Symbol.for('worktrack.error')]: ['NotFoundError', 'ApiError', 'WorktrackError'],
    });
    const { NotFoundError, ApiError, WorktrackError, ServerError } = worktrack;
    const isInstance = [NotFoundError, ApiError, WorktrackError, ServerError].map(
      (of) => foreign instanceof of,
    );
    expect(isInstance).toEqual([true, true, true, false]);
  });

  it("an API error isn't an instance of a user-defined subclass of ApiError", () => {
    class Mine extends ApiError {}
    const context = { outcome: 'rejected', status: 404, headers: new Headers(), body: '' } as const;
    expect(new NotFoundError('x', context) instanceof Mine).toBe(false);
    expect(new Mine('x', context) instanceof Mine).toBe(true);
    expect(new Mine('x', context) instanceof ApiError).toBe(true);
  });

  it.each([undefined, null, 1, 'x', {}, new Error('x'), { [Symbol.for('worktrack.error')]: 1 }])(
    "%s isn't an instance of WorktrackError",
    (value) => {
      expect(value instanceof WorktrackError).toBe(false);
    },
  );
});

it('toJSON returns plain data without the body or headers', async () => {
  const { client } = await serve((out) =>
    json(out, 404, { message: 'Gone.', private: 'body' }, { 'x-private': 'header' }),
  );
  const error = await errorOf(client().tickets.get('t'));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NotFoundError',
    code: 'not_found',
    message: 'tickets.get: Gone. (404)',
    outcome: 'rejected',
    operation: 'tickets.get',
    attempts: 1,
    status: 404,
    possibleCodes: ['not_found'],
    docs: '/errors/NotFoundError.html',
  });
  expect(inspect(error)).not.toContain('private');
});

describe('the API token', () => {
  const inspectAll = (error: unknown): string => {
    const { body, headers, cause, stack } = error as ApiError;
    return [error, body, headers, cause, stack, JSON.stringify(error), String(error)]
      .map((part) => inspect(part, { depth: 20, showHidden: true }))
      .join();
  };

  it('never appears in an error, even if a server echoes it in the message, the headers, and the keys and values of the body', async () => {
    const { client } = await serve((out, { headers }) => {
      const echo = headers.authorization as string;
      json(
        out,
        422,
        { message: echo, errors: { [echo]: [echo] }, deep: [{ [echo]: echo }] },
        { 'x-request-id': echo, 'x-echo': echo },
      );
    });
    const error = await errorOf(client().tickets.create('p', { board_id: 'b', title: 'T' }));
    expect(inspectAll(error)).not.toContain(secret);
    expect(error).toMatchObject({ body: { message: 'Bearer [redacted]' } });
  });

  it('never appears in an error, even if a custom fetch throws an error that contains the request', async () => {
    const client = clientWith(async (input, init) => {
      const request = new Request(input, init);
      const { headers } = request;
      throw Object.assign(new TypeError(`failed with ${headers.get('authorization')}`), {
        request,
        config: { headers: Object.fromEntries(headers) },
        cause: new AggregateError([new Error(secret)], secret),
        code: 'E_FAILED',
      });
    });
    const error = await errorOf(client.tickets.get('t'));
    expect(inspectAll(error)).not.toContain(secret);
    expect(error).toMatchObject({
      name: 'ConnectionError',
      cause: { name: 'TypeError', code: 'E_FAILED', message: 'failed with Bearer [redacted]' },
    });
  });

  it("never appears in an error, even if the token isn't a valid header value", async () => {
    const token = `${secret}\u0000x`;
    const client = new worktrack.Worktrack({ baseUrl: 'https://work.example', token });
    const error = await errorOf(client.tickets.get('t'));
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_sent' });
    expect(inspectAll(error)).not.toContain(secret);
  });

  it("isn't printed with the client", () => {
    const client = new worktrack.Worktrack({ baseUrl: 'https://work.example', token: secret });
    expect(inspectAll(client) + JSON.stringify(client)).not.toContain(secret);
  });
});

it("the client strips an error code's control characters before using it in messages and logs", async () => {
  const code = 'x\n[admin] granted\u001b[31m\u202e';
  const lines: string[] = [];
  const line = (message: string) => lines.push(message);
  const client = clientWith(async () => Response.json({ message: 'No.', code }, { status: 409 }), {
    logLevel: 'debug',
    logger: { debug: line, info: line, warn: line, error: line },
  });
  const error = (await errorOf(client.tickets.get('t'))) as Error;
  expect(error.message).toBe('tickets.get: No. (409 x [admin] granted [31m)');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: The test checks that control characters are stripped.
  for (const text of [error.message, ...lines]) expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
});

describe('the rejection reason of a custom fetch', () => {
  it.each([
    ['undefined', undefined, 'undefined'],
    ['a string', 'the wire is cut', 'the wire is cut'],
    [
      'an error without a message, whose cause has a code',
      Object.assign(new Error(''), { cause: { code: 'E1' } }),
      'E1',
    ],
  ])("is part of the error message if it's %s", async (_, reason, words) => {
    const client = clientWith(() => Promise.reject(reason));

    expect(await errorOf(client.tickets.get('t'))).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(`no response from https://work.example: ${words}`),
    });
  });

  it("is redacted before it's truncated to 300 characters", async () => {
    const client = clientWith(() => Promise.reject(new Error(`${'x'.repeat(290)} ${secret}`)));
    const { message } = (await errorOf(client.tickets.get('t'))) as Error;
    expect(message).toContain(`${'x'.repeat(290)} [redacte…`);
  });

  it('is never truncated in the middle of an emoji', async () => {
    const client = clientWith(() => Promise.reject(new Error(`${'x'.repeat(298)}🚀🚀`)));
    const { message } = (await errorOf(client.tickets.get('t'))) as Error;
    expect(message).toMatch(/: x{298}…$/);
  });

  it('has the same Date values, but no functions and no credential', async () => {
    const at = new Date(0);
    const reason = Object.assign(new Error(`refused ${secret}`), { at, retry: () => secret });
    const client = clientWith(() => Promise.reject(reason));

    const error = (await errorOf(client.tickets.get('t'))) as Error & { cause: Record<string, unknown> };

    expect(error.cause).toMatchObject({ message: 'refused [redacted]', at });
    expect(error.cause.retry).toBeUndefined();
  });
});

describe("a custom wire format that can't decode an error body", () => {
  const wire = {
    error: {
      encode: () => ({}),
      decode() {
        throw new RangeError('not my form');
      },
    },
  };

  it.each([
    [404, 'NotFoundError', 'rejected'],
    [422, 'UnprocessableError', 'rejected'],
    [503, 'ServerError', 'unknown'],
    [418, 'ApiError', 'rejected'],
  ])(
    "doesn't change the error class for status %i, and the decoding error becomes the cause",
    async (status, name, outcome) => {
      const client = clientWith(async () => Response.json({ odd: 1 }, { status }), { wire, retry: 0 });

      expect(await errorOf(client.tickets.get('t'))).toMatchObject({
        name,
        message: `tickets.get: option "wire" can't decode the error body (${status})`,
        status,
        outcome,
        body: { odd: 1 },
        cause: { name: 'RangeError', message: 'not my form' },
      });
    },
  );

  it("doesn't prevent retries", async () => {
    const responses = [Response.json({}, { status: 503 }), Response.json({ data: { id: 't' } })];
    const client = clientWith(async () => responses.shift() as Response, {
      wire,
      retry: { limit: 1, maxDelay: 0 },
    });

    expect(await client.tickets.get('t')).toEqual({ id: 't' });
  });
});

describe('the cause of an error', () => {
  class VaultError extends Error {
    readonly response = new Response('x');
  }

  it('has the class of the original error, but not the fields that could contain a credential', async () => {
    const client = clientWith(async () => Response.json({}), {
      token: () => Promise.reject(new VaultError('sealed')),
    });
    const error = (await errorOf(client.projects.list())) as Error;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('sealed');
    expect(error.cause).toBeInstanceOf(VaultError);
    expect((error.cause as VaultError).response).toBeUndefined();
  });

  it('can contain shared objects and getters that throw', async () => {
    let shared: object = { end: new Map() };
    for (let depth = 0; depth < 30; depth += 1) shared = { left: shared, right: shared };
    const cause = Object.defineProperty(new Error('deep', { cause: shared }), 'broken', {
      enumerable: true,
      get() {
        throw new Error('getter');
      },
    });
    const error = await errorOf(clientWith(() => Promise.reject(cause)).projects.list());
    expect(error).toBeInstanceOf(ConnectionError);
  });
});
