import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { origin } from '../rules/requests.js';
import { everyOperation, operations } from '../support/operations.js';
import { expectInvariants, stateText } from './invariants.js';
import { checkProperty } from './runs.js';
import { now, world } from './world.js';

const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 413, 422];

describe('random and hostile HTTP requests', () => {
  test("get responses that conform to the API, and don't change anything if the server rejects them", async () => {
    await checkProperty(
      'fuzzing HTTP requests',
      fc.asyncProperty(fc.array(anyRequest(), { minLength: 1, maxLength: 8 }), async (requests) => {
        const mock = createMockServer({ world, now });
        for (const { method, url, headers, body } of requests) {
          const before = stateText(mock);
          const response = await mock.fetch(url, { method, headers, ...(body !== undefined && { body }) });
          expect(statuses).toContain(response.status);
          const text = await response.text();
          if (response.status >= 400) {
            expect(stateText(mock)).toBe(before);
            if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ message: expect.any(String) });
          } else if (response.status === 204) expect(text).toBe('');
          else expect(JSON.parse(text)).toHaveProperty('data');
          expectInvariants(mock);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { quick: 120, long: 20_000 },
    );
  }, 3_600_000);

  test.each([
    ['unclosed nested lists', '['.repeat(200_000)],
    ['closed nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['nested objects', `${'{"title":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a long number', `{"title":${'9'.repeat(100_000)}}`],
    ['a long string', `{"title":"${'x'.repeat(5_000_000)}"}`],
    ['many fields', `{${Array.from({ length: 50_000 }, (_, index) => `"f${index}":1`).join(',')},"title":1}`],
    ['many items', `{"label_ids":[${Array.from({ length: 100_000 }, () => '1').join(',')}]}`],
    ['a byte order mark', '\uFEFF{"title":1}'],
    ['a lone surrogate', '{"title":1,"x":"\\ud800"}'],
  ])("are rejected and don't change anything if the body is hostile: %s", async (_, body) => {
    const mock = createMockServer({ world, now });
    const before = stateText(mock);
    const response = await mock.fetch(`${origin}/api/v1/tickets/tkt_1`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer all' },
      body,
    });
    expect([400, 413, 422]).toContain(response.status);
    expect(await response.json()).toMatchObject({ message: expect.any(String), code: expect.any(String) });
    expect(stateText(mock)).toBe(before);
  });
});

/** Generates requests, some similar to API requests and others entirely random. */
function anyRequest() {
  return fc
    .record({
      path: path(),
      method: method(),
      query: query(),
      token: token(),
      type: fc.option(headerText()),
      otherHeaders: arbitraryHeaders(),
      body: body(),
    })
    .map(({ path, method, query, token, type, otherHeaders, body }) => ({
      method,
      url: `${origin}${path}${query}`,
      headers: {
        ...otherHeaders,
        ...(token !== null && { authorization: token }),
        ...(type !== null && { 'content-type': type }),
      },
      body: /^(get|head)$/i.test(method) ? undefined : body,
    }));
}

const mostly = <Value>(common: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: common }, { weight: 1, arbitrary: rare });

const method = () =>
  mostly(
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    fc.oneof(fc.constantFrom('HEAD', 'OPTIONS', 'get', 'PURGE'), fc.stringMatching(/^[A-Z]{1,8}$/)),
  ).filter((name) => !/^(CONNECT|TRACE|TRACK)$/.test(name));

const segment = () =>
  mostly(
    fc.constantFrom('org_acme', 'prj_1', 'brd_1', 'tkt_1', 'tkt_2', 'doc_1', 'tkt_4', 'prj_3'),
    fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text)),
      fc.webPath(),
      fc.constantFrom('__proto__', 'constructor', '%', '%00', '%2e%2e', '..', '%E0%A4%A', '\u{1F680}', ''),
    ),
  );

const path = () =>
  mostly(
    fc
      .tuple(fc.constantFrom(...everyOperation), segment())
      .map(([id, value]) => `/api/v1${operations[id].path.replace(/\{\w+\}/, () => value)}`),
    fc.oneof(
      fc.webPath(),
      fc.array(segment()).map((parts) => `/api/v1/${parts.join('/')}`),
    ),
  ).map((text) => (text.startsWith('/') ? text : `/${text}`));

const query = () =>
  mostly(
    fc.constant(''),
    fc.oneof(
      fc.webQueryParameters().map((text) => `?${text}`),
      fc
        .array(fc.tuple(fc.constantFrom('per_page', 'page', 'q', 'tags', 'status', '__proto__'), fc.string()))
        .map((pairs) => `?${new URLSearchParams(pairs)}`),
      fc.constantFrom('?per_page=1e3', '?page=99999999999999999999', '?q=%', '?&&==', '?page=2#page=3'),
    ),
  );

const headerText = () => fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,30}[\x21-\x7e])?$/);

const arbitraryHeaders = () =>
  mostly(
    fc.constant({}),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'accept',
          'content-encoding',
          'content-length',
          'range',
          'if-match',
          'origin',
          'host',
        ),
        fc.constantFrom('x-request-id', 'x-http-method-override', 'cookie', '__proto__', 'constructor'),
        fc.stringMatching(/^[a-z][a-z0-9-]{0,15}$/),
      ),
      headerText(),
      { maxKeys: 4, noNullPrototype: true },
    ),
  );

const token = () =>
  mostly<string | null>(fc.constantFrom('Bearer all', 'bearer all', 'Bearer other'), fc.option(headerText()));

const jsonValue = () =>
  fc.oneof(
    fc.jsonValue({ stringUnit: 'binary' }),
    fc.dictionary(
      fc.constantFrom(
        'title',
        'name',
        'key',
        'board_id',
        'body_html',
        'ticket_ids',
        'position',
        '__proto__',
        'due_at',
      ),
      fc.oneof(
        fc.constantFrom<fc.JsonValue>('brd_1', 'brd_2', 'x', '\ud800', 0, 1, -0, 1e308, null, true),
        fc.jsonValue({ stringUnit: 'binary' }),
      ),
    ),
  );

const body = (): fc.Arbitrary<string | Uint8Array<ArrayBuffer> | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: jsonValue().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => new Uint8Array(bytes)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
