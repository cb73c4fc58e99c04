import { expect, it } from 'vitest';
import { redactor } from '../../../src/http/redact.js';

const secret = 'wt/se&c"ré+t=';
const redact = redactor(new Set([secret]));

it.each([
  ['not encoded', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  [
    'percent-encoded with lowercase digits',
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['encoded as JSON', JSON.stringify(secret).slice(1, -1)],
  ['encoded as JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  [
    'encoded with Unicode escapes',
    [...secret].map((character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  ],
  ['encoded with named HTML entities', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  [
    'encoded with decimal HTML entities',
    [...secret].map((character) => `&#${character.charCodeAt(0)};`).join(''),
  ],
  [
    'encoded with hexadecimal HTML entities',
    [...secret].map((character) => `&#x${character.charCodeAt(0).toString(16)};`).join(''),
  ],
])('redactor replaces a secret that is %s', (_, encoded) => {
  expect(redact(`<p>before ${encoded} after, cut o`)).toBe('<p>before [redacted] after, cut o');
});

it('redactor keeps a string that only resembles the secret', () => {
  expect(redact('wt%2Fse&amp;c and &#119;')).toBe('wt%2Fse&amp;c and &#119;');
});

it('redactor ignores secrets shorter than four characters', () => {
  expect(redactor(new Set(['abcd']))('abcd')).toBe('[redacted]');
  expect(redactor(new Set(['abc']))('abc')).toBe('abc');
});
