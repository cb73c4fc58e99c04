import { describe, expect, it } from 'vitest';
import { redactor } from '../../../src/http/redact.js';

const secret = `wt/se&c"<r>'é+t=🔑`;
const redactorOf = (...secrets: string[]) => redactor(new Set(secrets));

/** Encodes each UTF-16 code unit of the secret as a Unicode escape. */
const unicodeEscapes = secret
  .split('')
  .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  .join('');
const javaScriptEscapes = [...secret]
  .map((character) => {
    const code = character.codePointAt(0) as number;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  })
  .join('');
const decimalEntities = [...secret].map((character) => `&#${character.codePointAt(0)};`).join('');
const hexadecimalEntities = [...secret]
  .map((character) => `&#x${character.codePointAt(0)?.toString(16)};`)
  .join('');
const named: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
};

describe('redactor', () => {
  it.each([
    ['not encoded', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    [
      'percent-encoded with lowercase digits',
      encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['encoded as JSON', JSON.stringify(secret).slice(1, -1)],
    ['encoded as JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['encoded with Unicode escapes', unicodeEscapes],
    ['encoded with JavaScript escapes', javaScriptEscapes],
    [
      'encoded with JavaScript escapes in uppercase',
      javaScriptEscapes.replace(/[a-f]/g, (digit) => digit.toUpperCase()),
    ],
    ['encoded with named HTML entities', secret.replace(/[&"<>']/g, (character) => `${named[character]}`)],
    ['encoded with decimal HTML entities', decimalEntities],
    ['encoded with hexadecimal HTML entities', hexadecimalEntities],
    ['encoded with uppercase HTML entities', hexadecimalEntities.toUpperCase()],
  ])('replaces each occurrence of a secret that is %s', (_, encoded) => {
    expect(redactorOf(secret)(`<p>before ${encoded} and ${encoded} after, cut o`)).toBe(
      '<p>before [redacted] and [redacted] after, cut o',
    );
  });

  it('replaces a secret that contains regular expression metacharacters', () => {
    const special = '\\a^b$c.*d+e?f(g)[h]{i}|j/k-l';
    const redact = redactorOf(special);

    expect(redact(`before ${encodeURIComponent(special)} after`)).toBe('before [redacted] after');
    expect(redact('100 % of a^b$c.xd')).toBe('100 % of a^b$c.xd');
  });

  it('keeps a string that only resembles the secret', () => {
    const text = 'wt%2Fse&amp;c and &#119;';
    expect(redactorOf(secret)(text)).toBe(text);
  });

  it('replaces every secret and ignores secrets shorter than four characters', () => {
    expect(redactorOf('abc', 'abcd', 'efgh')('abc abcd efgh')).toBe('abc [redacted] [redacted]');
  });

  it('replaces a secret that begins with another secret', () => {
    expect(redactorOf('wt_1', 'wt_1_new')('wt_1 and wt_1_new')).toBe('[redacted] and [redacted]');
  });

  it('replaces a secret in the values and keys of nested objects, lists, and headers', () => {
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
  ])('returns %s itself if it contains no secret', (_, value) => {
    expect(redactorOf('wt_1')(value)).toBe(value);
  });

  it('removes functions and instances of unsupported classes, which can contain the secret', () => {
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

  it('removes circular references, but keeps objects that are referenced twice', () => {
    const user = { token: 'wt_1' };
    const circular: Record<string, unknown> = { first: user, second: user, list: [] };
    circular.self = circular;
    (circular.list as unknown[]).push(circular);

    const copy = redactorOf('wt_1')(circular);

    expect(copy).toEqual({ first: { token: '[redacted]' }, second: copy.first, list: [undefined] });
    expect(copy.second).toBe(copy.first);
  });

  it('removes values that are nested more than 32 levels deep', () => {
    const nest = (levels: number): unknown => (levels === 0 ? ['innermost'] : [nest(levels - 1)]);
    const redact = redactorOf('wt_1');

    expect(JSON.stringify(redact(nest(32)))).toContain('innermost');
    expect(JSON.stringify(redact(nest(33)))).not.toContain('innermost');
  });
});

describe('a redacted copy of an error', () => {
  const redact = redactorOf('wt_1');

  it("has the original error's class and properties, and only custom properties are enumerable", () => {
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

  it('is mutable, like the original error', () => {
    const copy = redact(Object.assign(new Error('wt_1'), { code: 'E1' })) as Error & { code?: string };
    copy.message = 'replaced';
    delete copy.code;

    expect([copy.message, 'code' in copy]).toEqual(['replaced', false]);
  });

  it('has no cause if the original error has none', () => {
    expect('cause' in redact(new Error('wt_1'))).toBe(false);
  });

  it('has a message and a name even if the original error computes them from private fields', () => {
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

  it("includes a DOMException's code, even though it's a getter", () => {
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
