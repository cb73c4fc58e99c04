import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText } from '../../addons/jobs/pull-text.js';

const key = 'a key for tests only';
const redact = (text: string) => redactText(key, text);
const redactHtml = (html: string) => redactText(key, html, 'html');

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

  test('keeps the elements of HTML, and removes attributes and other elements', () => {
    const html =
      '<H1 class="lead">Hello</H1>\n<p>Ask <a href="https://acme.example/x?user=bob#top" title=\'Bob\'>Bob</a> &amp; co.</p><br/><acme-card data-customer="Initech">x</acme-card><!-- internal -->';
    expect(redactHtml(html)).toMatch(
      /^<H1>[A-Z][a-z]{4}<\/H1>\n<p>[A-Z]\w\w <a>[A-Z]\w\w<\/a> &amp; \w\w\.<\/p><br>\w<!-- [a-z]{8} -->$/,
    );
    expect(redactHtml(html)).not.toMatch(/hello|acme|bob|internal|lead|initech/i);
  });

  test('replaces the letters of unfinished and unusual tags like text', () => {
    expect(redactHtml('<p title="Bob <b>Ada</b>')).toMatch(/^<\w \w{5}="\w{3} <b>\w{3}<\/b>$/);
    expect(redactHtml('<p title="a > Bob">Ada</p>')).toMatch(/^<p> \w{3}">\w{3}<\/p>$/);
    expect(redactHtml('1 < 2 && Ada > Bob')).toMatch(/^\d < \d && \w{3} > \w{3}$/);
  });

  test.each([
    ['&#66;&#111;&#x62;', 3],
    ['caf&eacute;', 4],
    ['&pi;', 1],
  ])('replaces %s with %i letters', (html, count) => {
    expect(redactHtml(html)).toMatch(new RegExp(`^[a-z]{${count}}$`));
  });

  test("doesn't change character references that stand for punctuation, spaces, or emoji", () => {
    const html = '&lt;&#128512;&nbsp;&#x1F44D;&#38;';
    expect(redactHtml(html)).toBe(html);
  });

  test.each([
    ['https://intranet.acme.com:8080/a', /^[a-z]{5}:\/\/example\.com:\d{4}\/[a-z]$/],
    ['mail ada@intranet.acme.com.', /^[a-z]{4} [a-z]{3}@example\.com\.$/],
    ['<p>//ab.co/x</p>', /^<p>\/\/example\.com\/[a-z]<\/p>$/],
  ])('replaces the host in %s with example.com', (text, expected) => {
    expect(redactHtml(text)).toMatch(expected);
  });

  test('replaces Latin words with pronounceable ones', () => {
    expect(redact('Strengths')).toMatch(/^[ou]?(?:[bdgklnrtvz][ou])*[bdgklnrtvz]?$/i);
  });

  test('always replaces the same text in the same way, and differently with another key', () => {
    expect(redact('In progress')).toBe(redact('In progress'));
    expect(redactText('another key', 'In progress')).not.toBe(redact('In progress'));
  });

  test('never replaces a single letter or digit with itself', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
    expect(letters.filter((letter) => redact(letter) === letter)).toEqual([]);
  });
});
