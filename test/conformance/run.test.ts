import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ConformanceOptions, runConformance } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';
import { changes, check, type Defect, nameOf } from './support/defects.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const list = (data: unknown[] = []) => Response.json({ data });

/** Responds with 429 and the given `Retry-After` header, if any. */
const tooMany = (retryAfter?: string) =>
  Response.json({}, { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });

/** Checks `projects.list`, which takes one request and doesn't create any records. Logs each wait. */
async function checkProjectList(
  respond: (count: number, url: string) => Response,
  options: Partial<ConformanceOptions> = {},
) {
  const waits: number[] = [];
  const requests: string[] = [];
  const report = await runConformance({
    baseUrl: 'https://tracker.example',
    token: 'wt',
    organization: 'org_acme',
    operations: ['projects.list'],
    wait: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${url}`);
      return respond(requests.length, String(url));
    },
    ...options,
  });
  return { report, waits, requests, result: report.results.at(-1) };
}

/** Checks only the two specified rules of an operation. */
const specifiedOnly = { operations: ['projects.get'], includeOptional: false } as const;

/** A deployment that responds to the deletion of records as given. */
const deletes =
  (respond: () => Response): Defect =>
  ({ deletes: id }) =>
    id === undefined ? undefined : Promise.resolve().then(respond);

const lost = () => {
  throw new TypeError('fetch failed');
};

describe('runConformance', () => {
  test.each([
    [{ includeOptionl: true }, 'unknown option "includeOptionl"; did you mean "includeOptional"?'],
    [{ operations: ['tickets.mov'] }, 'option "operations" must be a list of operation IDs (got an array)'],
    [{ maxRequests: -1 }, 'option "maxRequests" must be a non-negative integer (got -1)'],
    [{ token: '' }, 'option "token" must be a non-empty string'],
  ])('rejects %j before sending a request', async (options, message) => {
    const fetch = vi.fn();
    const required = { baseUrl: 'https://tracker.example', token: 'wt', organization: 'org_acme', fetch };
    await expect(runConformance({ ...required, ...options } as ConformanceOptions)).rejects.toMatchObject({
      name: 'TypeError',
      message: `runConformance: ${message}`,
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('a conformance run', () => {
  test('sends invalid credentials only to organization.get', async () => {
    const { report } = await check(() => undefined, {
      includeOptional: false,
      operations: ['organization.get', 'projects.list'],
    });
    expect(report.results.map(nameOf)).toEqual([
      'organization.get rejects an unknown credential (401)',
      'organization.get rejects access to another organization (403)',
      'organization.get rejects a credential without the organization:read scope (403)',
      'projects.list rejects a credential without the projects:read scope (403)',
      'organization.get returns the organization (200)',
      'projects.list returns the projects (200)',
    ]);
  });

  test.each([
    [false, []],
    [
      true,
      [
        'rejects an unknown credential (401)',
        'rejects a request without a credential (401)',
        'rejects an unknown record (404)',
        'returns no boards for a new project',
        'returns the positions 0, 1, 2, and so on',
      ],
    ],
  ])(
    "checks the specification's rules and, if `includeOptional` is %j, optional rules",
    async (includeOptional, optional) => {
      const { report } = await check(() => undefined, { includeOptional, operations: ['boards.list'] });
      expect(report).toMatchObject({
        passed: 2 + optional.length,
        failed: 0,
        notCheckable: 0,
        undeletedRecords: [],
      });
      const titles = (wanted: string) =>
        report.results.filter(({ basis }) => basis === wanted).map(({ title }) => title);
      expect(titles('optional')).toEqual(optional);
      expect(titles('specification')).toEqual([
        'rejects a credential without the boards:read scope (403)',
        'returns the boards (200)',
      ]);
    },
  );

  test('reports each result, the duration of its requests, and the number of requests', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const results: unknown[] = [];
    const { report, mock } = await check(
      ({ send }) => {
        vi.advanceTimersByTime(7.3);
        return send();
      },
      { ...specifiedOnly, onResult: (result) => results.push(result) },
    );
    expect(results).toEqual(report.results);
    expect(report.results.map(({ duration }) => duration)).toEqual([22, 7]);
    expect(report.requests).toBe(5);
    expect(mock.requests.all()).toHaveLength(5);
  });

  test.each(['onResult', 'onExchange'])('rejects with the error of %s', async (name) => {
    const options = { ...specifiedOnly, [name]: () => Promise.reject(new Error('oops')) };
    await expect(check(() => undefined, options)).rejects.toThrow('oops');
  });

  test('calls `onExchange` only with the final response if a request is retried', async () => {
    const exchanges: unknown[] = [];
    await checkProjectList((count) => (count === 1 ? tooMany() : list()), {
      onExchange: (...exchange) => exchanges.push(exchange),
    });
    expect(exchanges).toEqual([['GET /api/v1/organizations/org_acme/projects', 200, '{"data":[]}']]);
  });

  test.each(['', '/', '//', '/api/v1', '/api/v1/'])('accepts a base URL that ends with "%s"', async (end) => {
    const { report, requests } = await checkProjectList(() => list(), {
      baseUrl: `https://tracker.example/api/v1/proxy${end}`,
    });
    expect(report.baseUrl).toBe('https://tracker.example/api/v1/proxy');
    expect(requests).toEqual([
      'GET https://tracker.example/api/v1/proxy/api/v1/organizations/org_acme/projects',
    ]);
  });

  test('uses the global fetch by default', async () => {
    vi.stubGlobal('fetch', async () => list());
    const { report } = await checkProjectList(() => list(), { fetch: undefined });
    expect(report.passed).toBe(1);
  });

  test('uses the given wire format', async () => {
    const wire = { credential: { header: 'x-api-key', scheme: '' } };
    const mock = createMockServer({ wire });
    const report = await runConformance({
      ...mock.clientOptions(),
      fetch: mock.fetch,
      wire,
      operations: ['projects.get'],
    });
    expect(report).toMatchObject({ passed: 1, failed: 0 });
  });

  test('sends a Content-Type header only if the request has a body', async () => {
    const mock = createMockServer();
    const requests: [type: string | null, hasBody: boolean][] = [];
    await runConformance({
      ...mock.clientOptions(),
      operations: ['boards.delete'],
      fetch: (url, init) => {
        requests.push([new Headers(init?.headers).get('content-type'), init?.body != null]);
        return mock.fetch(url, init);
      },
    });
    expect(requests).toContainEqual(['application/json', true]);
    expect(requests).toContainEqual([null, false]);
    expect(requests.filter(([type, hasBody]) => (type !== null) !== hasBody)).toEqual([]);
  });
});

describe('runConformance with limited credentials', () => {
  const operations = ['boards.list'] as const;
  const scopeRule = 'rejects a credential without the boards:read scope (403)';
  const scopeResult = async (options: Partial<ConformanceOptions>, accepts = false) => {
    const { report } = await check(({ send }) => (accepts ? send({ token: 'wt_all' }) : undefined), {
      operations,
      ...options,
    });
    const { outcome, message } = report.results.find(({ title }) => title === scopeRule) ?? {};
    return message === undefined ? outcome : `${outcome}: ${message}`;
  };

  test('checks the rules about scopes only with a second credential that lacks the scope', async () => {
    const token = 'wt_none';
    expect(await scopeResult({ limitedCredential: undefined })).toBe(
      'not_checkable: requires a second credential with fewer scopes',
    );
    expect(await scopeResult({ limitedCredential: { token, scopes: ['boards:write', 'boards:read'] } })).toBe(
      'not_checkable: the second credential has the boards:read scope',
    );
    expect(await scopeResult({ limitedCredential: { token, scopes: ['boards:write'] } })).toBe('pass');
    expect(await scopeResult({ limitedCredential: { token } })).toBe('pass');
    expect(await scopeResult({ limitedCredential: { token } }, true)).toBe(
      'not_checkable: the second credential may have the boards:read scope; list its scopes to check this rule',
    );
    expect(await scopeResult({ limitedCredential: { token, scopes: [] } }, true)).toMatch(
      /^fail: boards\.list \(GET \/api\/v1\/projects\/\w+\/boards\): expected 403, got 200$/,
    );
  });

  test('reports a rule as not checkable if the credential lacks a scope', async () => {
    const { result } = await checkProjectList(() => Response.json({}, { status: 403 }));
    expect(result).toMatchObject({
      outcome: 'not_checkable',
      message:
        "projects.list (GET /api/v1/organizations/org_acme/projects): the credential isn't allowed to do this (403)",
    });
  });
});

describe('runConformance with an unexpected response', () => {
  test.each([
    [{ message: 'x'.repeat(400) }, `: ${'x'.repeat(300)}`],
    [{ message: 7 }, ''],
    [['message'], ''],
    [null, ''],
  ])(
    'reports an unexpected status, and includes the message if the body %j contains a valid message',
    async (body, message) => {
      const { result } = await checkProjectList(() => Response.json(body, { status: 500 }));
      expect(result?.message).toBe(
        `projects.list (GET /api/v1/organizations/org_acme/projects): expected 200, got 500${message}`,
      );
    },
  );

  test.each([
    ['no body', () => new Response('')],
    ["a body that isn't JSON", () => new Response('<html>')],
    ['a string', () => Response.json({ data: 'text' })],
    ['null', () => Response.json({ data: null })],
  ])('fails a rule if the response contains %s instead of data', async (_, respond) => {
    const { result } = await checkProjectList(respond);
    expect(result).toMatchObject({
      outcome: 'fail',
      message:
        "projects.list (GET /api/v1/organizations/org_acme/projects): the response doesn't contain data",
    });
  });

  test('reports a rule as not checkable if the deployment omits a field', async () => {
    const withoutRoles = (members: { role: string }[]) => members.map(({ role: _, ...member }) => member);
    const { report } = await check(changes('projects.members.list', withoutRoles), {
      operations: ['projects.members.list'],
    });
    expect(report.results.at(-1)).toMatchObject({
      outcome: 'not_checkable',
      message: 'projects.members.list doesn\'t return "role"',
    });
  });

  test.each([
    ['a record instead of a list', {}, 'boards.list: expected a list'],
    ['a list that contains null', [null], expect.stringMatching(/^unexpected response: .*null/)],
  ])('fails a rule if the deployment returns %s', async (_, data, message) => {
    const { report } = await check(
      changes('boards.list', () => data),
      { operations: ['boards.list'], includeOptional: false },
    );
    expect(report.results.at(-1)).toMatchObject({ outcome: 'fail', message });
  });

  test('reports rules that need a project member as not checkable if the project has none', async () => {
    const { report } = await check(
      changes('projects.members.list', () => []),
      { operations: ['tickets.update'] },
    );
    expect(report.results.filter(({ outcome }) => outcome === 'not_checkable')).toMatchObject([
      { title: 'replaces the assignees and ignores duplicates', message: 'the project has no members' },
    ]);
  });

  test('deletes its records and rejects if a callback throws an error', async () => {
    let mock: { state: { projects: { all(): unknown[] } } } | undefined;
    const error = new RangeError('disk is full');
    await expect(
      check(
        (_, server) => {
          mock = server;
          return undefined;
        },
        {
          operations: ['boards.create'],
          includeOptional: false,
          onExchange: (request) => {
            if (request.startsWith('POST') && request.endsWith('/boards')) throw error;
          },
        },
      ),
    ).rejects.toBe(error);
    expect(mock?.state.projects.all()).toEqual([]);
  });
});

describe('runConformance with a failing connection', () => {
  test("rejects if the deployment doesn't respond to the first request", async () => {
    await expect(checkProjectList(lost)).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
    });
  });

  test("rejects if the deployment doesn't accept the token", async () => {
    await expect(checkProjectList(() => Response.json({}, { status: 401 }))).rejects.toThrow(
      'the deployment rejects the token (401)',
    );
  });

  test("fails only one rule if only one operation doesn't accept the token", async () => {
    const { report } = await checkProjectList((_, url) =>
      Response.json({ data: [] }, { status: url.endsWith('/projects') ? 401 : 200 }),
    );
    expect(report).toMatchObject({ failed: 1 });
  });

  test('reports a rule as not checkable if the connection fails after the first request', async () => {
    const { report } = await checkProjectList(
      (count) =>
        count === 1 ? list() : count <= 3 ? Response.json({}, { status: count === 2 ? 422 : 401 }) : lost(),
      { includeOptional: true },
    );
    expect(report).toMatchObject({ passed: 1, notCheckable: 3 });
    expect(report.results.at(-1)?.message).toBe('the connection failed: fetch failed');
  });
});

describe('runConformance with a rate limit', () => {
  test.each([
    ['in seconds', '7', 7000],
    ['in fractions of a second', '12.25', 12_250],
    ['as a date', 'Sun, 22 Nov 2026 00:00:09 GMT', 9000],
    ['of 0', '0', 1000],
    ['in the past', 'Sun, 22 Nov 2026 00:00:00 GMT', 1000],
    ['with another unit', '7s', 1000],
    ['that is missing', undefined, 1000],
  ])('retries after a 429 response with a Retry-After header %s', async (_, retryAfter, delay) => {
    vi.useFakeTimers({ now: new Date('2026-11-22T00:00:00Z'), toFake: ['Date'] });
    const { report, waits } = await checkProjectList((count) => (count === 1 ? tooMany(retryAfter) : list()));
    expect(report).toMatchObject({ passed: 1, requests: 2 });
    expect(waits).toEqual([delay]);
  });

  test('doubles the delay on each retry if the response has no Retry-After header', async () => {
    const { report, waits } = await checkProjectList((count) => (count < 5 ? tooMany() : list()));
    expect(report).toMatchObject({ passed: 1, requests: 5 });
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  test.each([
    [undefined, '60', [60_000, 60_000]],
    [30_000, '10.001', [10_001, 10_001]],
    [999, undefined, []],
  ])(
    'reports a rule as not checkable after too many 429 responses (maxRateLimitWait: %s, Retry-After: %s)',
    async (maxRateLimitWait, retryAfter, expected) => {
      const { result, waits } = await checkProjectList(() => tooMany(retryAfter), { maxRateLimitWait });
      expect(waits).toEqual(expected);
      expect(result).toMatchObject({
        outcome: 'not_checkable',
        message: `rate-limited: still 429 after ${expected.length + 1} requests (Retry-After ${Math.ceil(Number(retryAfter ?? 1))} s)`,
      });
    },
  );

  test('waits up to five times as long as maxRateLimitWait to delete its records', async () => {
    const waits: number[] = [];
    const { report } = await check(
      deletes(() => tooMany('10')),
      {
        operations: ['projects.get'],
        maxRateLimitWait: 10_000,
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    );
    expect(waits).toEqual([10_000, 10_000, 10_000, 10_000, 10_000]);
    expect(report.undeletedRecords).toEqual([
      expect.stringMatching(
        /^projects\.delete \w+: rate-limited: still 429 after 6 requests \(Retry-After 10 s\)$/,
      ),
    ]);
  });

  test('waits with a timer by default', async () => {
    vi.useFakeTimers();
    let sent = 0;
    const run = checkProjectList((count) => (count === 1 ? tooMany('3') : list()), {
      wait: undefined,
      onExchange: () => ++sent,
    });
    await vi.advanceTimersByTimeAsync(2999);
    expect(sent).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect((await run).report.passed).toBe(1);
  });
});

describe('runConformance with a request budget', () => {
  test('reports a rule as not checkable once the budget is used up', async () => {
    const { report, requests } = await checkProjectList(
      (count) => Response.json({}, { status: count === 1 ? 422 : 401 }),
      { includeOptional: true, maxRequests: 2 },
    );
    expect(requests).toHaveLength(2);
    expect(report.results.map(({ message }) => message).slice(2)).toEqual([
      'requires a second credential with fewer scopes',
      'the limit of 2 requests was reached',
    ]);
  });

  test('sends at most 1,000 requests by default', async () => {
    const { report } = await checkProjectList(() => tooMany('0'), { maxRateLimitWait: 1e9 });
    expect(report.requests).toBe(1000);
    expect(report.results.at(-1)?.message).toBe('the limit of 1000 requests was reached');
  });

  test('deletes its records even after the budget is used up', async () => {
    const { report, mock } = await check(() => undefined, { operations: ['boards.list'], maxRequests: 6 });
    expect(report.undeletedRecords).toEqual([]);
    expect(mock.state.projects.all()).toEqual([]);
    expect(report.requests).toBeGreaterThan(6);
  });
});

describe('runConformance during cleanup', () => {
  test('deletes the newest records first', async () => {
    const created: string[] = [];
    const deleted: string[] = [];
    await check(
      async ({ operation, deletes, send }) => {
        const response = await send();
        if (['projects.create', 'documents.create'].includes(operation)) {
          const { data } = await response.clone().json();
          if (data) created.push(data.id);
        }
        if (deletes && response.status === 204) deleted.push(deletes);
        return response;
      },
      { operations: ['documents.create'], includeOptional: false },
    );
    expect(created.length).toBeGreaterThan(5);
    expect(deleted.toSorted()).toEqual(created.toSorted());
    const [project, document] = created.slice(1, 3);
    expect(deleted.indexOf(String(document))).toBeLessThan(deleted.indexOf(String(project)));
  });

  test.each([
    [204, false],
    [200, false],
    [404, false],
    [300, true],
    [403, true],
    [500, true],
  ])(
    'reports whether a record was left behind if the response to its deletion is %i: %s',
    async (status, isLeftBehind) => {
      const { report } = await check(
        deletes(() => new Response(null, { status })),
        specifiedOnly,
      );
      expect(report.undeletedRecords).toEqual(
        isLeftBehind ? [expect.stringMatching(`^projects\\.delete \\w+: ${status}$`)] : [],
      );
    },
  );

  test('reports that a record was left behind if the connection fails during its deletion', async () => {
    const { report } = await check(deletes(lost), { ...specifiedOnly, operations: ['documents.get'] });
    expect(report.undeletedRecords).toEqual([
      expect.stringMatching(/^documents\.delete \w+: the connection failed: fetch failed$/),
    ]);
  });

  test.each([
    ['is lost', lost, 'the connection failed: fetch failed'],
    ["isn't JSON", () => new Response('{"da', { status: 201 }), "the response doesn't contain its ID"],
  ])(
    'reports that a record may have been left behind if the response to its creation %s',
    async (_, answer, reason) => {
      let creations = 0;
      const { report, mock } = await check(
        async ({ operation, send }) => {
          const response = await send();
          return operation === 'projects.create' && ++creations === 2 ? answer() : response;
        },
        { operations: ['projects.get'], includeOptional: true },
      );
      expect(mock.state.projects.all()).toHaveLength(1);
      expect(report.undeletedRecords).toEqual([`a record that projects.create may have created: ${reason}`]);
    },
  );

  test('deletes a record even if the request that created it was rejected', async () => {
    const { report, mock } = await check(
      async ({ operation, send }) => {
        const response = await send();
        if (operation !== 'projects.create') return response;
        return Response.json(await response.json(), { status: 200 });
      },
      { operations: ['projects.create'], includeOptional: false },
    );
    expect(report.failed).toBeGreaterThan(5);
    expect(mock.state.projects.all()).toEqual([]);
  });
});

describe('runConformance with an aborted signal', () => {
  test("doesn't check anything if the signal has already aborted", async () => {
    const { report, requests } = await checkProjectList(() => list(), { signal: AbortSignal.abort() });
    expect(report.results).toEqual([]);
    expect(requests).toEqual([]);
  });

  test('stops before the next request and deletes its records', async () => {
    const stop = new AbortController();
    const { report, mock } = await check(
      ({ operation }) => {
        if (operation === 'boards.create') stop.abort();
        return undefined;
      },
      { operations: ['boards.list', 'boards.update'], includeOptional: false, signal: stop.signal },
    );
    expect(report.results.map((result) => [nameOf(result), result.message])).toEqual([
      ['boards.list rejects a credential without the boards:read scope (403)', undefined],
      ['boards.update rejects a credential without the boards:write scope (403)', 'the run was stopped'],
    ]);
    expect(mock.state.projects.all()).toEqual([]);
  });

  test("doesn't wait to retry after a 429 response, except when it deletes its records", async () => {
    const stop = new AbortController();
    const waits: number[] = [];
    let limited = 0;
    const { report, mock } = await check(
      ({ operation, deletes: id }) => {
        const limits = operation === 'projects.get' || (id !== undefined && limited < 2);
        if (!limits) return undefined;
        limited += 1;
        return Promise.resolve(tooMany('5'));
      },
      {
        ...specifiedOnly,
        limitedCredential: undefined,
        signal: stop.signal,
        wait: async (milliseconds) => {
          waits.push(milliseconds);
          if (!stop.signal.aborted) {
            stop.abort();
            await new Promise(() => {});
          }
        },
      },
    );
    expect(report.results.at(-1)).toMatchObject({ outcome: 'not_checkable', message: 'the run was stopped' });
    expect(waits).toEqual([5000, 5000]);
    expect(mock.state.projects.all()).toEqual([]);
  });
});
