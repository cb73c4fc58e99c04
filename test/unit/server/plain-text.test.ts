import { expect, test } from 'vitest';
import { documentTexts, ticketTexts } from '../../../mock-server/rules/views.js';
import type { DocumentRow, TicketRow } from '../../../mock-server/state/rows.js';
import { plainText } from '../../../src/shared/plain-text.js';

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
  ['<h1>a</h1><my-tag>b</my-tag><span>c</span>', '\na\nbc'],
  ['<P>a</P><BR>b', '\na\n\nb'],
  ['<scripty>a</scripty><myscript>b</myscript><style-x>c</style-x>', 'abc'],
  ['a</script>b</style>c', 'abc'],
  ['a<script>1</scripty>2</script/>b<style>3</style\n>c', 'abc'],
  ['a<script data="</script>">hidden</script>b', 'ab'],
  ['a<!---->b<!-- 1 -- > 2 -->c', 'abc'],
  ['a<!-->b-->c', 'ac'],
  ['a<', 'a<'],
  ['<>a< b', '<>a< b'],
  ['a</', 'a'],
  ['1 < <b>2</b>', '1 < 2'],
  ['a<p title=x"y>b', 'a\nb'],
  ['a<b\tc = "1 > 2" d>e', 'ae'],
  ['a<b c=x ">e', 'ae'],
  ['a<b c="\'>" d=\'">\'>e', 'ae'],
  ['&AMP;&Lt;&GT;&apos;&quot;&nbsp;.', '&<>\'"\u0020.'],
  ['a & b &amp c &; &#; &#x;', 'a & b &amp c &; &#; &#x;'],
  ['&#65;&#x41;&#X41;&#0000065;&#x000041;', 'AAAAA'],
  ['&#00000065; &#x0000041; &#1114111; &#1114112;', '&#00000065; &#x0000041; \u{10ffff} &#1114112;'],
  ['&x1; &1; &amp1;', '&x1; &1; &amp1;'],
  ['<i>Tom &amp; Jerry</i> &lt;3', 'Tom & Jerry <3'],
])('plainText(%j) returns %j', (html, text) => {
  expect(plainText(html)).toBe(text);
});

const blocks =
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
  'header hr li main nav ol p pre section table tbody td tfoot th thead tr ul';

test.each(blocks.split(' '))('plainText replaces the tag <%s> with a line break', (name) => {
  expect(plainText(`one<${name}>two`)).toBe('one\ntwo');
});

test('plainText treats a tag with a very long name as an inline element', () => {
  expect(plainText(`a<p${'x'.repeat(100)}>b`)).toBe('ab');
});

test('plainText processes hundreds of thousands of unclosed tags in linear time', () => {
  expect(plainText('<a'.repeat(500_000))).toBe('');
  expect(plainText('<b x="'.repeat(150_000))).toBe('');
});

test('ticketTexts and documentTexts return one string per field, which is empty for null', () => {
  const ticket = (description_html: string | null) =>
    ticketTexts({ title: 'a', description_html } as TicketRow);
  expect([ticket('<b>c</b>'), ticket(null)]).toEqual([
    ['a', 'c'],
    ['a', ''],
  ]);
  const document = (caption: string | null, content_html: string | null) =>
    documentTexts({ title: 'a', caption, content_html } as DocumentRow);
  expect([document('b', '<b>c</b>'), document(null, null)]).toEqual([
    ['a', 'b', 'c'],
    ['a', '', ''],
  ]);
});
