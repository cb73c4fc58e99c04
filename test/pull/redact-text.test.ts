import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText } from '../../addons/jobs/pull/redact-text.js';

const key = 'a key for tests only';
const redact = (text: string) => redactText(key, text);

/** Replaces each letter and digit with the character class that a redaction must preserve. */
const shapeOf = (text: string) =>
  text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{L}/gu, 'x')
    .replace(/\p{N}/gu, '0');

describe('redactText', () => {
  test.each([
    'Fuel valves (REV 2) are leaking, see APO-14!',
    '  two lines\r\n\tand a tab  ',
    'naïve café',
    'Ελληνικά και Русский',
    'שלום עולם',
    '👩‍👩‍👧‍👦 family, 👍🏽 thumb, ❤️ heart',
    'a\u0308 combining',
  ])('replaces every letter and digit of %j and preserves its format', (text) => {
    const redacted = redact(text);
    expect(redacted).not.toBe(text);
    // A precomposed accented letter loses its accent.
    expect(shapeOf(redacted)).toBe(shapeOf(text));
  });

  test.each([
    ['Hebrew', 'שלום', /^\p{Script=Hebrew}+$/u],
    ['Arabic', 'مرحبا', /^\p{Script=Arabic}+$/u],
    ['Japanese', '山田ひらカタ', /^\p{Script=Han}{2}\p{Script=Hiragana}{2}\p{Script=Katakana}{2}$/u],
  ])('replaces %s letters with letters from the same script', (_, text, script) => {
    expect(redact(text)).toMatch(script);
  });

  test('preserves the length of any text, in code points', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        (text) => [...redact(text)].length === [...text].length,
      ),
    );
  });

  test.each([
    ['regional indicators', '🇩🇪'],
    ['invisible tag characters', '\u{e0041}\u{e006c}'],
    ['circled letters', 'ⒶⓁ'],
    ['mathematical letters', '𝐀𝐥'],
    ['private-use characters', '\ue000\ue001'],
    ['lone surrogates', '\ud800a'],
  ])('replaces %s that can form words', (_, text) => {
    const redacted = redact(text);
    for (const character of text) expect(redacted).not.toContain(character);
  });

  test('preserves the structure of HTML', () => {
    const html =
      '<h1 class="lead">Hello</h1>\n<p>Ask <a href="https://acme.example/x?user=bob#top" title=\'Bob\' target="_blank">Bob</a> &amp; co.</p><!-- internal --><br/><td colspan="12">7</td>';
    const redacted = redact(html);
    expect(shapeOf(redacted)).toBe(shapeOf(html));
    const tags = (text: string) => text.match(/<\/?\w+|\b(?:class|href|title|target|colspan)=/g);
    expect(tags(redacted)).toEqual(tags(html));
    expect(redacted).toContain('target="_blank"');
    expect(redacted).toContain('colspan="12"');
    expect(redacted).toContain('&amp;');
    expect(redacted).not.toMatch(/hello|acme|bob|internal|lead|ask/i);
  });

  test('replaces the names of custom elements and attributes, and closing tags still match', () => {
    const redacted = redact('<acme-card data-customer="Initech">x</acme-card>');
    expect(redacted).not.toMatch(/acme|card|customer|initech/i);
    expect(redacted).toMatch(/^<([a-z]+-[a-z]+) [a-z]+-[a-z]+="[A-Z][a-z]+">[a-z]<\/\1>$/);
  });

  test.each([
    ['&#66;&#111;&#x62;', 'a decimal or hexadecimal character reference'],
    ['caf&eacute;', 'a named character reference'],
    ['%42%6Fb', 'percent-encoding'],
  ])('replaces the letters of %s (%s)', (text) => {
    const redacted = redact(text);
    const decoded = decodeURIComponent(redacted).replace(/&#(\d+);/g, (_, code) =>
      String.fromCodePoint(Number(code)),
    );
    expect(redacted).toHaveLength(text.length);
    expect(decoded).toMatch(/^[a-z]+$/i);
    expect(decoded).not.toMatch(/bob|é/i);
  });

  test.each(['&lt;&#128512;&nbsp;&#x1F44D;', '%20%2F', '&pi;'])(
    "doesn't change %s, which contains no letters",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );

  test('never generates a host name that could exist', () => {
    expect(redact('https://intranet.acme.com:8080/a')).toMatch(/^https:\/\/[a-z]{9}\.invalid:\d{4}\/[a-z]$/);
    expect(redact('mail ada@intranet.acme.com')).toMatch(/@[a-z]{9}\.invalid$/);
    expect(redact('mail ada@intranet.acme.com.')).toMatch(/@[a-z]{9}\.invalid\.$/);
    expect(redact('http://intranet1/a')).toMatch(/^http:\/\/[a-z]\.invalid\/[a-z]$/);
    expect(redact('//ab.co')).toMatch(/^\/\/[a-z]{2}\.[a-z]{2}$/);
    expect(redact('ftp://ab.co')).toMatch(/^[a-z]+:\/\/[a-z]{5}$/);
  });

  test('replaces Latin words with pronounceable ones', () => {
    expect(redact('Strengths')).toMatch(/^[ou]?(?:[bdgklnrtvz][ou])*[bdgklnrtvz]?$/i);
  });

  test('always replaces the same text in the same way, so slugs still match names', () => {
    expect(redact('In progress')).toBe(redact('In progress'));
    expect(redact('in-progress')).toBe(redact('In progress').toLowerCase().replace(' ', '-'));
    expect(redactText('another key', 'In progress')).not.toBe(redact('In progress'));
    expect(redactText(key, 'In progress', 1)).not.toBe(redact('In progress'));
  });

  test('never replaces a single letter or digit with itself', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
    expect(letters.filter((letter) => redact(letter) === letter)).toEqual([]);
  });
});
