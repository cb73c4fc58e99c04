import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, Worktrack } from 'worktrack';
import { errorOf, json, secret, serve } from './support/serve.js';

const options = { baseUrl: 'https://work.example', token: secret };

/** Returns the base URL that a client sends its requests to. */
async function urlOf(baseUrl: string | URL): Promise<string> {
  let requestedUrl = '';
  const client = new Worktrack({
    ...options,
    baseUrl,
    organization: 'o',
    fetch: async (url) => {
      requestedUrl = String(url);
      return Response.json({ data: {} });
    },
    responseValidation: 'off',
  });
  await client.organization.get();
  return requestedUrl.replace('/organizations/o', '');
}

describe('baseUrl', () => {
  it.each([
    'https://work.example',
    'https://work.example/',
    'https://work.example/api/v1',
    'https://work.example/api/v1/',
    'https://work.example//',
    new URL('https://work.example'),
  ])('resolves %s to /api/v1', async (baseUrl) => {
    expect(await urlOf(baseUrl)).toBe('https://work.example/api/v1');
  });

  it.each([
    ['http://127.0.0.1:1/spaces/a', 'http://127.0.0.1:1/spaces/a/api/v1'],
    ['http://127.0.0.1:1/spaces/a/api/v1', 'http://127.0.0.1:1/spaces/a/api/v1'],
    ['http://127.0.0.1:1/api/v1/proxy', 'http://127.0.0.1:1/api/v1/proxy/api/v1'],
  ])('preserves the path in %s', async (baseUrl, expected) => {
    expect(await urlOf(baseUrl)).toBe(expected);
  });

  it.each([
    ['', 'baseUrl is missing; pass it or set WORKTRACK_BASE_URL'],
    ['work.example', 'baseUrl must be an absolute URL, such as https://work.example.com'],
    ['ftp://work.example', 'baseUrl must start with https:// or http://'],
    ['git+https://work.example', 'baseUrl must start with https:// or http://'],
    ['https://user@work.example', 'baseUrl must not contain credentials, a query, or a fragment'],
    ['https://:word@work.example', 'baseUrl must not contain credentials, a query, or a fragment'],
    ['https://user:word@work.example', 'baseUrl must not contain credentials, a query, or a fragment'],
    ['https://work.example?x=1', 'baseUrl must not contain credentials, a query, or a fragment'],
    ...['work.example', '10.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil-localhost'].map(
      (host) => [`http://${host}`, 'baseUrl: plain http exposes the token; use https, or set allowPlainHttp'],
    ),
  ])('rejects %o', (baseUrl, message) => {
    expect(() => new Worktrack({ ...options, baseUrl })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', outcome: 'not_sent', message }),
    );
  });
});

describe('plain HTTP', () => {
  it.each(['localhost:3000', '127.0.0.1', '127.1.2.34', '[::1]:8', 'api.localhost', 'worktrack.test'])(
    'is allowed for the local or reserved host %s',
    (host) => {
      expect(new Worktrack({ ...options, baseUrl: `http://${host}` })).toBeInstanceOf(Worktrack);
    },
  );

  it('is allowed for any host if allowPlainHttp is set', () => {
    const client = new Worktrack({ ...options, baseUrl: 'http://work.example', allowPlainHttp: true });
    expect(client).toBeInstanceOf(Worktrack);
  });
});

describe('option validation', () => {
  it.each([
    [{ tmeout: 1 }, 'unknown option "tmeout"; did you mean "timeout"?'],
    [{ timeOut: 1 }, 'unknown option "timeOut"; did you mean "timeout"?'],
    [{ timetou: 1 }, 'unknown option "timetou"; did you mean "timeout"?'],
    // Typos come first, because an option that seems to be invalid may belong to another one.
    [{ timeout: 0, tokn: 1 }, 'unknown option "tokn"; did you mean "token"?'],
    [{ patience: 1 }, 'unknown option "patience"; expected one of: timeout, totalTimeout,'],
    [{ retry: { limits: 5 } }, 'unknown option "retry.limits"; did you mean "retry.limit"?'],
    [{ signal: AbortSignal.abort() }, 'unknown option "signal"'],
    // Other SDKs use these names.
    [{ maxRetries: 3 }, 'unknown option "maxRetries"; did you mean "retry"?'],
    [{ retries: 3 }, 'unknown option "retries"; did you mean "retry"?'],
    [{ apiKey: 'wt_secret' }, 'unknown option "apiKey"; did you mean "token"?'],
    [{ accessToken: 'wt_secret' }, 'unknown option "accessToken"; did you mean "token"?'],
    [{ auth: 'wt_secret' }, 'unknown option "auth"; did you mean "token"?'],
    [{ defaultHeaders: {} }, 'unknown option "defaultHeaders"; did you mean "headers"?'],
    [{ timeout: 0 }, 'option "timeout" must be a positive number of milliseconds (got 0)'],
    [{ timeout: '30s' }, 'option "timeout" must be a positive number of milliseconds (got "30s")'],
    [
      { totalTimeout: Number.NaN },
      'option "totalTimeout" must be a positive number of milliseconds (got NaN)',
    ],
    ...[0, -1, '1mb', '5'].map((maxResponseBytes): [object, string] => [
      { maxResponseBytes },
      `option "maxResponseBytes" must be a positive number of bytes (got ${JSON.stringify(maxResponseBytes)})`,
    ]),
    [{ baseUrl: 7 }, 'option "baseUrl" must be a URL'],
    [
      { retry: -1 },
      'option "retry" must be a non-negative integer or { limit, maxDelay, maxRetryAfter } (got -1)',
    ],
    [{ retry: { limit: 1.5 } }, 'option "retry.limit" must be a non-negative integer (got 1.5)'],
    [{ retry: { limit: null } }, 'option "retry.limit" must be a non-negative integer (got null)'],
    [{ retry: { maxDelay: -1 } }, 'option "retry.maxDelay" must be a non-negative number of milliseconds'],
    [
      { retry: { delay: 5 } },
      'unknown option "retry.delay"; expected one of: limit, maxDelay, maxRetryAfter',
    ],
    [{ wire: { pgae: {} } }, 'unknown option "wire.pgae"; did you mean "wire.page"?'],
    [{ wire: { page: 'page_number' } }, 'option "wire.page" must be an object (got "page_number")'],
    [{ wire: 'flat' }, 'option "wire" must be an object'],
    [
      { wire: { requestIdHeader: 'x request' } },
      'option "wire.requestIdHeader" must be a header name (got "x request")',
    ],
    [{ wire: { requestIdHeader: 7 } }, 'option "wire.requestIdHeader" must be a header name (got 7)'],
    [{ wire: { requestIdHeader: '' } }, 'option "wire.requestIdHeader" must be a header name (got "")'],
    [{ wire: ['page'] }, 'option "wire" must be an object'],
    [
      { retry: [3] },
      'option "retry" must be a non-negative integer or { limit, maxDelay, maxRetryAfter } (got an array)',
    ],
    [{ throttle: [{ concurrency: 1 }] }, 'option "throttle" must be an object'],
    [{ throttle: { concurrency: 0 } }, 'option "throttle.concurrency" must be a positive integer (got 0)'],
    [
      { throttle: { requestsPerMinute: 1.5 } },
      'option "throttle.requestsPerMinute" must be a positive integer (got 1.5)',
    ],
    [
      { throttle: { rpm: 9 } },
      'unknown option "throttle.rpm"; expected one of: requestsPerMinute, concurrency',
    ],
    [{ hooks: 'log' }, 'option "hooks" must be an object or an array of objects (got "log")'],
    [{ hooks: [{}, null] }, 'option "hooks" must be an object or an array of objects (got an array)'],
    [
      { hooks: [{}, { respone: () => {} }] },
      'unknown option "hooks.respone"; did you mean "hooks.response"?',
    ],
    [{ token: '' }, 'option "token" must be a non-empty string or a function'],
    [{ organization: 7 }, 'option "organization" must be a non-empty string (got 7)'],
    [{ organization: () => 'a' }, 'option "organization" must be a non-empty string (got a function)'],
    [{ organization: {} }, 'option "organization" must be a non-empty string (got an object)'],
    [{ logLevel: 'of' }, 'option "logLevel" must be one of: debug, info, warn, error, off (got "of")'],
    [
      { responseValidation: 'strict' },
      `option "responseValidation" must be 'warn', 'throw', 'off', or a function (got "strict")`,
    ],
    [{ prefetch: 'x'.repeat(100) }, `option "prefetch" must be a boolean (got "${'x'.repeat(39)}…")`],
    [{ fetch: 'x' }, 'option "fetch" must be a function (got "x")'],
    [{ headers: { Authorization: 'x' } }, 'headers: "authorization" is set by option "token"'],
    // The values of these options may contain a credential.
    [{ headers: 'authorization: wt_secret' }, 'option "headers" must be an object'],
    [{ headers: { 'a b': 'x' } }, 'headers: invalid name or value'],
    ...['Upgrade', 'transfer-encoding', 'Content-Length', 'connection'].map((name): [object, string] => [
      { headers: { [name]: 'x' } },
      `headers: "${name.toLowerCase()}" is set by fetch`,
    ]),
    [null, 'options must be an object'],
    [[], 'options must be an object'],
  ])('rejects %o', (wrong, message) => {
    const invalidOptions = Array.isArray(wrong) ? wrong : wrong && { ...options, ...wrong };
    expect(() => new Worktrack(invalidOptions as never)).toThrow(ConfigurationError);
    expect(() => new Worktrack(invalidOptions as never)).toThrow(message);
    expect(() => new Worktrack(invalidOptions as never)).not.toThrow('wt_secret');
  });

  it.each([
    ['tickets.get', { retries: 3 }, 'unknown option "retries"; did you mean "retry"?'],
    ['tickets.list', { prefetch: 'yes' }, 'option "prefetch" must be a boolean (got "yes")'],
  ] as const)('rejects the options of a %s call: %j', async (operation, wrong, message) => {
    const { tickets } = new Worktrack(options);
    const call =
      operation === 'tickets.get' ? tickets.get('t', wrong as never) : tickets.list('p', {}, wrong as never);
    expect(await errorOf(call)).toMatchObject({
      name: 'ConfigurationError',
      operation,
      message: `${operation}: ${message}`,
    });
  });

  it.each([
    ['tickets.get', (client: Worktrack) => client.tickets.get('t', { prefetch: true } as never)],
    ['projects.list', (client: Worktrack) => client.projects.list({ prefetch: false } as never)],
    ['GET /hooks', (client: Worktrack) => client.raw('GET', '/hooks', {}, { prefetch: true } as never)],
  ])('rejects "prefetch" for an unpaginated call: %s', async (name, run) => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    expect(await errorOf(run(client()))).toMatchObject({
      name: 'ConfigurationError',
      message: `${name}: option "prefetch" is only for paginated lists`,
      ...(!name.startsWith('GET') && { operation: name }),
      outcome: 'not_sent',
    });
    expect(seen).toEqual([]);
  });

  it('ignores options that are undefined, even unknown ones', () => {
    const withUndefined = { ...options, timeout: undefined, tmeout: undefined, retry: { limit: undefined } };
    expect(new Worktrack(withUndefined)).toBeInstanceOf(Worktrack);
  });

  it('accepts "prefetch" in the client\'s options', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    expect(await client({ prefetch: true }).tickets.get('t')).toEqual({});
    expect(seen).toHaveLength(1);
  });

  it('accepts a header whose name only contains the name of a connection header', async () => {
    const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
    await client({ headers: { 'x-upgrade': 'yes', 'te-id': 'a' } }).tickets.get('t');
    expect(seen[0]?.headers).toMatchObject({ 'x-upgrade': 'yes', 'te-id': 'a' });
  });

  it("doesn't reveal a value that may be a credential", () => {
    const wrong = () => new Worktrack({ ...options, headers: { authorization: `${secret}\u0000` } });
    expect(wrong).toThrow(expect.not.objectContaining({ cause: expect.anything() }));
    const password = () => new Worktrack({ ...options, baseUrl: `https://user:${secret}@` });
    expect(password).toThrow(expect.not.objectContaining({ cause: expect.anything() }));
  });
});

describe('the environment', () => {
  it("provides the base URL, token, and organization if they aren't passed as options", async () => {
    const { origin, seen } = await serve((out) => json(out, 200, { data: {} }));
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('WORKTRACK_BASE_URL', origin);
    vi.stubEnv('WORKTRACK_TOKEN', 'from_env');
    vi.stubEnv('WORKTRACK_ORGANIZATION', 'org_env');
    await new Worktrack({ responseValidation: 'off' }).organization.get();
    await new Worktrack({
      responseValidation: 'off',
      token: 'given',
      organization: 'org',
    }).organization.get();
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v1/organizations/org_env', 'Bearer from_env'],
      ['/api/v1/organizations/org', 'Bearer given'],
    ]);
  });

  it.each([
    ['a process object', undefined],
    ['environment variables', {}],
  ])("isn't required on platforms without %s", (_, platformProcess) => {
    const { process } = globalThis;
    globalThis.process = platformProcess as never;
    try {
      expect(() => new Worktrack()).toThrow('baseUrl is missing');
      expect(new Worktrack(options)).toBeInstanceOf(Worktrack);
    } finally {
      globalThis.process = process;
    }
  });

  it('is ignored if accessing it throws an error', () => {
    const { process } = globalThis;
    Object.defineProperty(globalThis, 'process', {
      configurable: true,
      value: {
        get env() {
          throw new Error('no permission');
        },
      },
    });
    try {
      expect(() => new Worktrack()).toThrow('baseUrl is missing');
    } finally {
      Object.defineProperty(globalThis, 'process', { value: process, configurable: true, writable: true });
    }
  });

  it('can set the log level with WORKTRACK_LOG_LEVEL, which must be a valid level', async () => {
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
});

it('the error for a missing organization explains how to set the organization', async () => {
  expect(await errorOf(new Worktrack(options).organization.get())).toMatchObject({
    name: 'ConfigurationError',
    operation: 'organization.get',
    message: expect.stringContaining('pass it to the client or the call, or set WORKTRACK_ORGANIZATION'),
  });
});

describe('token', () => {
  it('can be a function that is called for every attempt', async () => {
    const { client, seen } = await serve((out, _, index) => json(out, index ? 200 : 503, { data: {} }));
    let count = 0;
    await client({ token: async () => `token_${++count}` }).tickets.get('t');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token_1', 'Bearer token_2']);
  });

  it.each([
    [
      'rejects',
      () => Promise.reject(new Error('sealed')),
      'the token function failed: sealed',
      { message: 'sealed' },
    ],
    ['throws', () => expect.fail('sealed'), 'the token function failed: sealed', { message: 'sealed' }],
    ['rejects with a string', () => Promise.reject('sealed'), 'the token function failed', 'sealed'],
    ['returns an empty string', () => '', 'token must be a non-empty string', undefined],
    ['returns whitespace', () => ' \n', 'token must be a non-empty string', undefined],
  ])(
    'makes the call fail with a ConfigurationError before a request is sent if the function %s',
    async (_, token, problem, cause) => {
      const { client, seen } = await serve((out) => json(out, 200, { data: {} }));
      expect(await errorOf(client({ token }).tickets.get('t'))).toMatchObject({
        name: 'ConfigurationError',
        message: `tickets.get: ${problem}`,
        outcome: 'not_sent',
        attempts: 0,
        ...(cause !== undefined && { cause }),
      });
      expect(seen).toEqual([]);
    },
  );

  it('is required, and the error explains how to set the token', async () => {
    const error = await errorOf(new Worktrack({ baseUrl: 'https://work.example' }).tickets.get('t'));
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message: 'tickets.get: token is missing; pass it to the client or the call, or set WORKTRACK_TOKEN',
    });
  });
});

it('a custom wire format changes the credential, the envelope, the page parameter, and the request ID header', async () => {
  const { client, seen } = await serve((out) =>
    json(out, 200, { result: [{ id: 'x' }] }, { 'x-trace-id': 'trace_1' }),
  );
  const { defaultWire } = await import('worktrack');
  const other = client({
    wire: {
      credential: { header: 'x-api-key', scheme: '' },
      page: {
        ...defaultWire.page,
        parameter: 'page_number',
        decode: (body) => ({ data: (body as { result: unknown[] }).result, pageInfo: {}, hasNext: false }),
      },
      requestIdHeader: 'X-Trace-ID',
    },
  });
  const { data: page, requestId } = await other.tickets.list('p', { page: 3 }).withResponse();
  expect([page.data, requestId]).toEqual([[{ id: 'x' }], 'trace_1']);
  expect(seen[0]).toMatchObject({
    url: '/api/v1/projects/p/tickets?page_number=3',
    headers: { 'x-api-key': secret },
  });
});

it('`page` takes precedence over a query parameter with the same name', async () => {
  const { client, seen } = await serve((out) => json(out, 200, { data: { data: [{ id: 'x' }] } }));
  const { defaultWire } = await import('worktrack');
  const other = client({ wire: { page: { ...defaultWire.page, parameter: 'page_number' } } });
  await other.request('tickets.list', {
    params: { project: 'p' },
    query: { page_number: 9, page: 3, q: 'x' },
  });
  expect(seen[0]?.url).toBe('/api/v1/projects/p/tickets?q=x&page_number=3');
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

  it('rejects an unknown option', () => {
    const client = new Worktrack({ baseUrl: 'https://work.example', token: 'wt_1' });
    expect(() => client.withOptions({ tmeout: 1 } as object)).toThrow('did you mean "timeout"?');
  });
});
