import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

/** Creates a document from a seed. The documents contain every kind of markup that Markdown can express. */
export function createDocument(seed: number): string {
  const next = random(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  const times = (most: number, make: () => string, separator = '') =>
    Array.from({ length: 1 + Math.floor(next() * most) }, make).join(separator);
  const phrase = () => times(4, () => pick(words), ' ');
  const inline = (): string =>
    pick([
      phrase,
      phrase,
      () => `${phrase()} <b>${phrase()}</b> ${phrase()}`,
      () => `<em>${phrase()}</em>, <strong>${phrase()} <i>${phrase()}</i></strong>`,
      () => `<s>${phrase()}</s> ${phrase()} <del>${phrase()}</del>`,
      () => `<code>${pick(code).trim()}</code> ${phrase()}`,
      () => `<a href="${pick(urls)}">${phrase()}</a> ${phrase()}`,
      () => `${phrase()} <a href="${pick(urls)}" title="${phrase()}"><b>${phrase()}</b></a>`,
      () => `<img src="/files/${seed}.png" alt="${phrase()}">`,
      () => `${phrase()}<br>${phrase()}`,
    ])();
  const list = (depth: number): string => {
    const tag = pick(['<ul>', '<ol>', `<ol start="${2 + Math.floor(next() * 40)}">`]);
    const box = pick([
      '',
      '',
      '<input type="checkbox" disabled> ',
      '<input type="checkbox" checked disabled> ',
    ]);
    const item = () =>
      `<li>${tag === '<ul>' ? box : ''}${inline()}${depth > 0 && next() < 0.4 ? list(depth - 1) : ''}</li>`;
    return `${tag}${times(4, item)}${tag.startsWith('<ul') ? '</ul>' : '</ol>'}`;
  };
  const table = () => {
    const columns = 1 + Math.floor(next() * 3);
    const row = (tag: string) => `<tr>${`<${tag}>${phrase()}</${tag}>`.repeat(columns)}</tr>`;
    return `<table><thead>${row('th')}</thead><tbody>${times(3, () => row('td'))}</tbody></table>`;
  };
  const block = (depth: number): string =>
    pick([
      () => `<p>${inline()}</p>`,
      () => `<p>${inline()}</p>`,
      () => pick([1, 2, 3, 4, 5, 6].map((level) => `<h${level}>${phrase()}</h${level}>`)),
      () => list(2),
      () =>
        `<pre><code class="language-${pick(['ts', 'sh', 'json'])}">${times(3, () => pick(code), '\n')}\n</code></pre>`,
      () => `<blockquote>${depth > 0 ? times(2, () => block(depth - 1)) : `<p>${inline()}</p>`}</blockquote>`,
      () => '<hr>',
      table,
    ])();
  return times(6, () => block(2), '\n');
}

const words =
  'plan the launch 3. *stars* _under_ a_b_c [x] # 1) - + > &lt;b&gt; &amp;amp; | ` \\ ~~ é 日本 👩‍🚀 “quoted” &nbsp;x e.g. !important $5'.split(
    ' ',
  );
const code = ['const a = `x`;', 'npm test', '&lt;b&gt;', 'a | b', '**not bold**', '  indented'];
const urls = [
  'https://example.com/a?b=1&amp;c=(2)',
  '/app/projects/apollo',
  'mailto:ada@example.com',
  '#top',
];

function random(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Node = DefaultTreeAdapterMap['childNode'];

/** Describes the text, structure, links, and images of HTML. Omits what doesn't affect the meaning. */
export function outlineOf(html: string): string {
  const lines: string[] = [];
  const visit = (node: Node, preformatted: boolean): void => {
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterMap['textNode'];
      lines.push(preformatted ? value : value.replace(/[ \n\t]+/g, ' '));
      return;
    }
    const { tagName, attrs = [], childNodes = [] } = node as DefaultTreeAdapterMap['element'];
    const name = { b: 'strong', i: 'em', s: 'del', p: '', tbody: '', thead: '' }[tagName] ?? tagName;
    const kept = attrs.filter(
      ({ name, value }) => !/task-list/.test(value) && name !== 'disabled' && name !== 'align',
    );
    const shown = kept.map(({ name, value }) => ` ${name}=${value}`).sort();
    lines.push(name ? `<${name}${shown.join('')}>` : '\n');
    for (const child of childNodes) visit(child, preformatted || tagName === 'pre');
    lines.push(name ? `</${name}>` : '\n');
  };
  for (const node of parseFragment(html).childNodes) visit(node, false);
  return lines
    .join('')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/\s*(<\/?(?:ul|ol|li|blockquote|table|tr|td|th|h\d|hr|pre|br|input)[^>]*>)\s*/g, '$1');
}
