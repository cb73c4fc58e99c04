import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnprocessableError } from 'worktrack';
import { RecentSecrets, Redactor } from '../../../src/shared/redact.js';
import { runs, seed } from '../../properties/runs.js';
import { clientWith, errorOf, json as respond, serve } from './support/serve.js';

const secret = `wt/se&c"<r>'é+t=🔑`;
function redactorOf(...secrets: string[]) {
  const redactor = new Redactor(new RecentSecrets());
  for (const each of secrets) redactor.add(each);
  return <Value>(value: Value) => redactor.redact(value);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
};
const eachCharacter = (text: string, encode: (code: number) => string) =>
  [...text].map((character) => encode(character.codePointAt(0) as number)).join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** The forms of a token in URLs, headers, JSON, and HTML. */
const encoders: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lowercase': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  JSON: json,
  'JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'JSON with Unicode escapes': (text) =>
    text
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  'JSON in JSON': (text) => json(json(text)),
  'named HTML entities': (text) => text.replace(/[&"<>']/g, (character) => `${entities[character]}`),
  'decimal HTML entities': (text) => eachCharacter(text, (code) => `&#${code};`),
  'hexadecimal HTML entities': (text) => eachCharacter(text, (code) => `&#x${code.toString(16)};`),
  'uppercase hexadecimal HTML entities': (text) =>
    eachCharacter(text, (code) => `&#X${code.toString(16).toUpperCase()};`),
};

/** Ends in a letter, so that no part of an encoded character remains after it. */
const token = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019-._~+/=&<>"\'\\é🔑'), minLength: 8, maxLength: 60 })
  .map((text) => `w${text}x`);

describe('redactor', () => {
  it.each(Object.keys(encoders))('replaces each occurrence of a token (%s)', (name) => {
    const property = fc.property(token, (text) => {
      const encoded = encoders[name]?.(text);
      expect(redactorOf(text)(`<p>before ${encoded} and ${encoded} after, cut o`)).toBe(
        '<p>before [redacted] and [redacted] after, cut o',
      );
    });
    fc.assert(property, { numRuns: runs({ quick: 50, long: 5000 }), seed });
  });

  it.each(['base64', 'base64url'] as const)('replaces a token anywhere in %s', (encoding) => {
    const property = fc.property(token, fc.string(), fc.string(), (text, before, after) => {
      const redacted = redactorOf(text)(Buffer.from(before + text + after).toString(encoding));
      expect(redacted).toContain('[redacted]');
      // At most the characters that also encode a neighboring byte remain.
      const length = Math.ceil((Buffer.byteLength(before + after) * 4) / 3);
      expect(redacted.replace('[redacted]', '').length).toBeLessThanOrEqual(length + 6);
    });
    fc.assert(property, { numRuns: runs({ quick: 100, long: 5000 }), seed });
  });

  it('replaces a secret that contains regular expression metacharacters', () => {
    const special = '\\a^b$c.*d+e?f(g)[h]{i}|j/k-l';
    const redact = redactorOf(special);

    expect(redact(`before ${encodeURIComponent(special)} after`)).toBe('before [redacted] after');
    expect(redact('100 % of a^b$c.xd')).toBe('100 % of a^b$c.xd');
  });

  it('replaces an encoded secret of 5,000 characters, for which a full pattern would be too long to compile', () => {
    const long = 'wt+1'.repeat(1250);

    expect(redactorOf(long)(`before ${encodeURIComponent(long)} after`)).toBe('before [redacted] after');
    expect(redactorOf(long)('100 % of wt+1wt+1')).toBe('100 % of wt+1wt+1');
  });

  it("doesn't change a string that only resembles the secret", () => {
    const text = 'wt%2Fse&amp;c and &#119;';
    expect(redactorOf(secret)(text)).toBe(text);
  });

  it('replaces every secret that has at least four characters', () => {
    expect(redactorOf('abc', 'abcd', 'efgh')('abc abcd efgh')).toBe('abc [redacted] [redacted]');
  });

  it('replaces a secret that begins with another secret', () => {
    expect(redactorOf('wt_1', 'wt_1_new')('wt_1 and wt_1_new')).toBe('[redacted] and [redacted]');
  });

  it('replaces a secret in the keys and values of nested objects, lists, and headers', () => {
    const symbol = Symbol('key');
    const redact = redactorOf('wt_1');

    expect(
      redact({ list: ['a', 'wt_1', 5, null], wt_1: true, deep: { [symbol]: 'is wt_1', other: undefined } }),
    ).toStrictEqual({
      list: ['a', '[redacted]', 5, null],
      '[redacted]': true,
      deep: { [symbol]: 'is [redacted]', other: undefined },
    });
    expect(redact({ wt_1: true, other: 1 })).toEqual({ '[redacted]': true, other: 1 });
    expect([...redact(new Headers({ 'x-a': 'Bearer wt_1', 'x-b': 'b' }))]).toEqual([
      ['x-a', 'Bearer [redacted]'],
      ['x-b', 'b'],
    ]);
  });

  it.each<[string, unknown]>([
    ['an object', { a: [1, { b: 'c' }], d: null }],
    ['a list', ['a', ['b']]],
    ['an error', new Error('outer', { cause: new TypeError('inner') })],
    ['a date', new Date(0)],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 'b' })],
  ])("returns %s itself, not a copy, if it doesn't contain a secret", (_, value) => {
    expect(redactorOf('wt_1')(value)).toBe(value);
  });

  it('removes functions and instances of unsupported classes, which may contain the secret', () => {
    class Session {
      token = 'wt_1';
    }
    expect(
      redactorOf('wt_1')({
        session: new Session(),
        map: new Map([['wt_1', 1]]),
        read: () => 'wt_1',
        kept: 1,
      }),
    ).toEqual({ kept: 1 });
  });

  it('removes circular references, but not objects that are referenced twice', () => {
    const user = { token: 'wt_1' };
    const circular: Record<string, unknown> = { first: user, second: user, list: [] };
    circular.self = circular;
    (circular.list as unknown[]).push(circular);

    const copy = redactorOf('wt_1')(circular);

    expect(copy).toEqual({ first: { token: '[redacted]' }, second: copy.first, list: [undefined] });
    expect(copy.second).toBe(copy.first);
  });

  it('removes values that are more than 32 levels deep', () => {
    const nest = (levels: number): unknown => (levels === 0 ? ['innermost'] : [nest(levels - 1)]);
    const redact = redactorOf('wt_1');

    expect(JSON.stringify(redact(nest(32)))).toContain('innermost');
    expect(JSON.stringify(redact(nest(33)))).not.toContain('innermost');
  });
});

describe('redactBody', () => {
  const redactor = new Redactor(new RecentSecrets());
  redactor.add('wt_1234');

  it("returns the parsed body itself, not a copy, if its text doesn't contain the secret", () => {
    const body = { data: [{ at: '50% \\ &amp;' }] };
    expect(redactor.redactBody(JSON.stringify(body), body)).toBe(body);
  });

  it.each([
    ['parsed JSON', '{"a":["x wt_1234"]}', { a: ['x wt_1234'] }, { a: ['x [redacted]'] }],
    ['JSON with escapes', '{"a":"\\u0077t_1234"}', { a: 'wt_1234' }, { a: '[redacted]' }],
    ['a string', 'wt_1234!', 'wt_1234!', '[redacted]!'],
  ])('redacts %s', (_, text, parsed, redacted) => {
    expect(redactor.redactBody(text, parsed)).toEqual(redacted);
  });

  it('returns only the start of a long body that contains a secret', () => {
    const body = { data: ['wt_1234', ...Array.from({ length: 200_000 }, () => 'filler')] };
    const redacted = redactor.redactBody(JSON.stringify(body), body) as string;
    expect(redacted).toHaveLength(2 ** 20);
    expect(redacted.slice(0, 30)).toBe('{"data":["[redacted]","filler"');
  });
});

describe('Redactor', () => {
  it('removes secrets that other calls have used recently', () => {
    const recent = new RecentSecrets();
    const [earlier, later] = [new Redactor(recent), new Redactor(recent)];
    earlier.add('wt_1');
    later.add('wt_2');
    expect([earlier, later].map((each) => each.redact('wt_1 wt_2'))).toEqual([
      '[redacted] [redacted]',
      '[redacted] [redacted]',
    ]);
  });

  it("removes a call's own secrets and the 16 most recent secrets of other calls", () => {
    const recent = new RecentSecrets();
    const [own, other] = [new Redactor(recent), new Redactor(recent)];
    own.add('wt_own');
    for (let number = 10; number < 30; number++) other.add(`wt_${number}`);
    new Redactor(recent).add('wt_14');
    expect(own.redact('wt_own wt_13 wt_14 wt_29')).toBe('[redacted] wt_13 [redacted] [redacted]');
    new Redactor(recent).add('wt_30');
    expect(own.redact('wt_own wt_14 wt_15 wt_30 w%74_own')).toBe(
      '[redacted] [redacted] wt_15 [redacted] [redacted]',
    );
  });

  it('removes a secret from header names', () => {
    const redact = redactorOf('wt_Secret');
    expect([...redact(new Headers({ 'x-wt_secret': 'a', b: 'wt_Secret' }))]).toEqual([
      ['b', '[redacted]'],
      ['redacted', 'a'],
    ]);
  });
});

it('a client redacts both its rotated tokens and the tokens of derived clients', async () => {
  const tokens = ['wt_first', 'wt_second'];
  const logged: unknown[] = [];
  const log = (...entry: unknown[]) => logged.push(entry);
  const body = { message: 'wt_first wt_second wt_sibling' };
  const { client } = await serve((out, _, index) =>
    respond(out, index ? 422 : 204, body, { 'x-request-id': body.message, 'x-wt_sibling': 'wt_first' }),
  );
  const testClient = client({
    token: () => tokens.shift() ?? 'wt_third',
    hooks: { response: () => expect.fail('wt_first') },
    logger: { debug: log, info: log, warn: log, error: log },
    logLevel: 'debug',
    logBodies: true,
  });
  await testClient.withOptions({ token: 'wt_sibling' }).tickets.delete('t');
  for (let call = 0; call < 2; call++) await errorOf(testClient.tickets.get('t'));
  const update = testClient.tickets.update('wt_first', { title: 'wt_first' });
  const error = (await errorOf(update)) as UnprocessableError;
  expect(error.message).toBe('tickets.update: [redacted] [redacted] [redacted] (422)');
  expect(error.body).toEqual({ message: '[redacted] [redacted] [redacted]' });
  expect(error.requestId).toBe('[redacted] [redacted] [redacted]');
  expect(logged.length).toBeGreaterThan(4);
  expect(JSON.stringify(logged.slice(-4))).toContain('[redacted]');
  expect(JSON.stringify([...error.headers, logged.slice(-4)])).not.toMatch(/wt_(first|second|sibling)/);
});

it('a client redacts a token in the path or the query of an event, but keeps the host', async () => {
  const events: string[][] = [];
  const client = clientWith(async () => Response.json({}), {
    token: 'work',
    hooks: {
      request: ({ operation, urlTemplate, url }) => void events.push([operation, urlTemplate, url]),
    },
  });
  await client.raw('GET', '/work', { query: { token: 'work' } });
  expect(events).toEqual([
    ['GET /[redacted]', '/[redacted]', 'https://work.example/api/v1/[redacted]?token=[redacted]'],
  ]);
});

describe('a redacted copy of an error', () => {
  const redact = redactorOf('wt_1');

  it('has the class and properties of the original error, and only custom properties are enumerable', () => {
    const error = Object.assign(new RangeError('wt_1 expired', { cause: 'wt_1' }), { code: 'E1' });
    error.stack = 'RangeError: wt_1 expired\n    at wt_1.js';

    const copy = redact(error);

    expect(copy).toBeInstanceOf(RangeError);
    expect(copy).not.toBe(error);
    expect(Object.keys(copy)).toEqual(['code']);
    expect([copy.name, copy.message, copy.stack, copy.cause, copy.code]).toEqual([
      'RangeError',
      '[redacted] expired',
      'RangeError: [redacted] expired\n    at [redacted].js',
      '[redacted]',
      'E1',
    ]);
  });

  it('can be modified like the original error', () => {
    const copy = redact(Object.assign(new Error('wt_1'), { code: 'E1' })) as Error & { code?: string };
    copy.message = 'replaced';
    delete copy.code;

    expect([copy.message, 'code' in copy]).toEqual(['replaced', false]);
  });

  it("doesn't have a cause if the original error has none", () => {
    expect('cause' in redact(new Error('wt_1'))).toBe(false);
  });

  it('has a message and a name even if the original error computes both from private fields', () => {
    class PrivateError extends Error {
      readonly #token = 'wt_1';
      override get name() {
        return `PrivateError ${this.#token.length}`;
      }
      override get message() {
        return `${this.#token} expired`;
      }
    }
    const copies = [redact(new PrivateError()), redact(new DOMException('wt_1 expired', 'AbortError'))];

    expect(copies.map(({ name, message }) => [name, message])).toEqual([
      ['PrivateError 4', '[redacted] expired'],
      ['AbortError', '[redacted] expired'],
    ]);
  });

  it('includes the code of a DOMException, which is a getter', () => {
    const copy = redact(new DOMException('wt_1 expired', 'AbortError'));
    expect([copy.code, Object.keys(copy)]).toEqual([20, []]);
  });

  it('omits the value of a getter that throws', () => {
    const error = Object.defineProperty(new Error('wt_1'), 'detail', {
      get() {
        throw new Error('not available');
      },
    });

    expect(redact(error)).toMatchObject({ message: '[redacted]', detail: undefined });
  });
});
