import { expect, it } from 'vitest';
import { redactor } from '../../../src/http/redact.js';

const secret = 'wt/se&c"ré+t=';
const redact = redactor(new Set([secret]));

it.each([
  ['itself', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  [
    'Unicode escapes',
    [...secret].map((it) => `\\u00${it.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  ],
  ['named HTML entities', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['decimal HTML entities', [...secret].map((it) => `&#${it.charCodeAt(0)};`).join('')],
  ['hexadecimal HTML entities', [...secret].map((it) => `&#x${it.charCodeAt(0).toString(16)};`).join('')],
])('a secret is redacted if it is %s', (_, encoded) => {
  expect(redact(`<p>before ${encoded} after, cut o`)).toBe('<p>before [redacted] after, cut o');
});

it("a string that only resembles the secret isn't redacted", () => {
  expect(redact('wt%2Fse&amp;c and &#119;')).toBe('wt%2Fse&amp;c and &#119;');
});

it("a secret of four characters is redacted, one of three isn't", () => {
  expect(redactor(new Set(['abcd']))('abcd')).toBe('[redacted]');
  expect(redactor(new Set(['abc']))('abc')).toBe('abc');
});
