import { expect, test } from 'vitest';
import { editHtml } from '../../addons/mcp/text/edit-html.js';
import { htmlToMarkdown, markdownToHtml } from '../../addons/mcp/text/markdown.js';
import { createDocument, outlineOf } from './support/documents.js';

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);
const markdownOf = (html: string) => htmlToMarkdown(html).markdown;

test('converting HTML to Markdown and back preserves text, structure, and links', () => {
  for (const seed of seeds) {
    const html = createDocument(seed);
    const markdown = markdownOf(html);
    const converted = markdownToHtml(markdown);
    expect(outlineOf(converted), `${seed}: ${html}\n${markdown}`).toBe(outlineOf(html));
  }
});

test('editHtml changes one word in a styled document and preserves every other byte', () => {
  // Use fewer documents than in the other tests, because each edit requires several conversions.
  for (const seed of seeds.slice(0, 40)) {
    const styled = createDocument(seed).replaceAll(
      /<(p|li|td|h\d)>/g,
      '<$1 style="color: teal" data-id="1">',
    );
    const html = `<div class="doc"><p style="margin: 0">Some <mark>unique</mark> words &amp; <span class="x">more</span></p>\n${styled}</div>`;
    const edited = editHtml(html, markdownOf(html).replace('unique', 'changed'));
    expect(edited).toEqual({ html: html.replace('unique', 'changed'), lost: [] });
  }
});

const styled = `<div class="doc"><h1 style="color: red">Plan</h1>
<p>The <b>quick</b> brown <span style="color: #00f">fox</span> jumps &amp; runs.</p><!-- note -->
<ul class="fancy"><li>one two</li><li>three <u>four</u></li></ul><p style="display: none">secret</p>
<table><tr><td colspan="2">cell</td></tr><tr><td>b</td><td>c</td></tr></table></div>`;

test.each([
  ['fox', 'dog'],
  ['quick', 'slow'],
  ['four', 'five'],
  ['cell', 'field'],
  ['Plan', 'Long plan'],
])('editHtml replaces %j with %j without changing the markup', (old, now) => {
  expect(editHtml(styled, markdownOf(styled).replace(old, now))).toEqual({
    html: styled.replace(old, now),
    lost: [],
  });
});

test('editHtml preserves an entity next to a changed word and escapes the new text', () => {
  const { html } = editHtml(styled, markdownOf(styled).replace('runs', 'eats <all>'));
  expect(html).toBe(styled.replace('runs', 'eats &lt;all&gt;'));
});

test('editHtml inserts and appends blocks without changing other blocks', () => {
  const markdown = markdownOf(styled);
  expect(editHtml(styled, markdown.replace('# Plan', '# Plan\n\nNew')).html).toBe(
    styled.replace('</h1>', '</h1>\n<p>New</p>'),
  );
  const { html, lost } = editHtml(styled, `${markdown}\n\n- [x] Done`);
  expect(html.replace(/\n<ul class="contains-task-list">[\s\S]*<\/ul>/, '')).toBe(styled);
  expect(lost).toEqual([]);
});

test('editHtml reports exactly the markup that would be lost by editing a block', () => {
  const { html, lost } = editHtml(styled, markdownOf(styled).replace('one two', 'one **two**'));
  expect(lost).toEqual(['class on <ul>', '<u>']);
  expect(html).toContain('<li>one <strong>two</strong></li>');
  expect(html).toContain('<span style="color: #00f">fox</span>');
  expect(html).toContain('<td colspan="2">cell</td>');
  expect(editHtml(styled, 'All new').lost).toEqual(
    expect.arrayContaining([
      'style on <h1>',
      'style on <span>',
      'colspan on <td>',
      'a comment',
      'hidden text',
    ]),
  );
});

test.each([
  ['a hidden element', '<p hidden>no</p>'],
  ['display: none', '<p style="display: none">no</p>'],
  ['escaped CSS', '<p style="d\\69splay: n\\6fne">no</p>'],
  ['a comment in CSS', '<p style="display:/* x */none">no</p>'],
  ['!important', '<p style="display: none !important; display: block">no</p>'],
  ['visibility', '<p style="visibility: hidden">no</p>'],
  ['transparent text', '<p style="color: rgba(0, 0, 0, 0)">no</p><p style="color: #0000">no</p>'],
  ['text in the color of its background', '<p style="color: #fff; background: #FFF">no</p>'],
  ['zero opacity', '<p style="opacity: 0%">no</p><p style="opacity: .01">no</p>'],
  ['tiny text', '<p style="font-size: 0">no</p><p style="font-size: 1px">no</p>'],
  [
    'off-screen text',
    '<p style="position: absolute; left: -9999px">no</p><p style="text-indent: -999em">no</p>',
  ],
  [
    'clipped text',
    '<div style="height: 0; overflow: hidden">no</div><p style="clip-path: inset(50%)">no</p>',
  ],
  ['scaled text', '<p style="transform: scale(0)">no</p><p style="transform: translateX(-9999px)">no</p>'],
  ['a closed dialog', '<dialog>no</dialog><template>no</template><noscript>no</noscript>'],
])('hidden text is omitted, but the text that follows it is kept: %s', (_, html) => {
  expect(htmlToMarkdown(`<p>before</p>${html}<p>after</p>`)).toEqual({
    markdown: 'before\n\nafter',
    hasHidden: true,
  });
});

test("visible text isn't removed even if it resembles hidden text", () => {
  const html =
    '<p style="visibility: hidden"><b style="visibility: visible">one</b></p><p style="opacity: 0.5">two</p><p aria-hidden="true">three</p><p style="font-size: 0"><b style="font-size: 12px">four</b></p><p style="position: absolute; left: 5px; color: #00000080">five</p><dialog open>six</dialog><p style="margin: -8px">seven</p><!-- no --><script>no</script>';
  const { markdown, hasHidden } = htmlToMarkdown(html);
  expect(markdown.split(/\W+/).filter(Boolean)).toEqual([
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
  ]);
  expect(hasHidden).toBe(false);
});

test('a hidden paragraph without an end tag ends where an HTML parser would end it', () => {
  expect(markdownOf('<p hidden>no<p>yes<ul><li hidden>no<li>yes</ul>')).toBe('yes\n\n- yes');
});

test('HTML in Markdown is converted to plain text, and unsafe URLs are removed', () => {
  expect(markdownToHtml('<img src=x onerror=alert(1)>')).toBe('<p>&#x3C;img src=x onerror=alert(1)></p>');
  expect(
    markdownOf('<a href="javascript:alert(1)">x</a><img src="data:image/png;base64,AAAA" alt="y">'),
  ).toBe('x![y](data:…)');
});

test.each([
  ['100,000 nested elements', '<div>'.repeat(100_000)],
  [
    'nested formatting',
    `${Array.from({ length: 5000 }, (_, index) => `<b a=${index}>`).join('')}${'<p>x'.repeat(5000)}`,
  ],
  ['100,000 comments', 'a<!-- -->'.repeat(100_000)],
  [
    'a tag with 50,000 attributes',
    `<p ${Array.from({ length: 50_000 }, (_, index) => `a${index}=">"`).join(' ')}>x`,
  ],
  ['two million characters', 'x'.repeat(2_000_000)],
])('HTML that is too large or nested too deeply is rejected instead of being converted: %s', (_, html) => {
  expect(markdownOf(html)).toBe('[not shown: the HTML is too large or nested too deeply]');
});

test('merged cells and 5,000 emphasized words become simple Markdown', () => {
  expect(markdownOf(`<table>${'<tr><td colspan=999 rowspan=999>x'.repeat(100)}</table>`).length).toBeLessThan(
    100_000,
  );
  expect(markdownOf(`<p>${'<b>a</b><i>b</i>'.repeat(2500)}</p>`)).toBe('ab'.repeat(2500));
});

test.each([
  ['nested lists', Array.from({ length: 400 }, (_, index) => `${' '.repeat(index * 2)}- x`).join('\n')],
  ['nested quotes', `${'>'.repeat(5000)}x`],
  ['20,000 lines', '- x\n'.repeat(20_000)],
])('Markdown with %s is rejected', (_, markdown) => {
  expect(() => markdownToHtml(markdown)).toThrow('the Markdown has too many lines or is nested too deeply');
});
