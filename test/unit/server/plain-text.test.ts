import { expect, test } from 'vitest';
import { plainText } from '../../../mock-server/rules/plain-text.js';

test.each([
  ['no markup', 'no markup'],
  ['la<b>un</b>ch', 'launch'],
  ['<p>one</p><p>two</p>', '\none\n\ntwo\n'],
  ['one<br/>two', 'one\ntwo'],
  ['<a title="a > b" href=x>link</a>', 'link'],
  ["<a title='it''s'>link</a>", 'link'],
  ['<a title = "x>hidden" b\n=\n\'y>hidden\'>link</a>', 'link'],
  ['<a "quoted">link</a>', 'link'],
  ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
  ['Tom &amp; Jerry &lt;3 &quot;x&quot; &#39;y&#x27; a&nbsp;b', 'Tom & Jerry <3 "x" \'y\' a b'],
  ['&amp;lt;', '&lt;'],
  ['&unknown; &#x110000;', '&unknown; &#x110000;'],
  ['&constructor; &toString; &__proto__;', '&constructor; &toString; &__proto__;'],
  ['a<!-- hidden > -->b', 'ab'],
  ['a<script>if (a < b) "</p>"</script>b<STYLE>p{}</STYLE >c', 'abc'],
  ['<!doctype html>a</>b<?xml version="1.0"?>c', 'abc'],
  ['a<script>never closed', 'a'],
  ['a&#160;b&#xA0;c', 'a b c'],
  ['cut off <b', 'cut off '],
  ['cut off <!-- here', 'cut off '],
])('%j reads as %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test('a million unclosed tags are read once, not once a tag', () => {
  expect(plainText('<a'.repeat(500_000))).toBe('');
  expect(plainText('<b x="'.repeat(150_000))).toBe('');
});
