import type { Text } from 'hast';
import type { Nodes, RootContent } from 'mdast';
import { visit } from 'unist-util-visit';
import { htmlToMarkdown, markdownOf, parseMarkdown, readHtml, renderHtml } from './markdown.js';
import { parseHtml } from './parse-html.js';
import { prepareForMarkdown } from './prepare-html.js';

/** The result of editing HTML as Markdown. */
export interface EditedHtml {
  html: string;
  /** The markup that the edit removes, such as `style on <p> (2)`. Markdown can't express this markup. */
  lost: readonly string[];
}

/**
 * Edits HTML to match the given Markdown. Keeps the HTML of unchanged parts. If only a word changes, only
 * that word is replaced. Any other change replaces only the affected blocks, unless the blocks don't
 * correspond to distinct parts of the HTML.
 *
 * @throws HtmlLimitError or MarkdownLimitError if the conversion would take too long
 */
export function editHtml(html: string, markdown: string): EditedHtml {
  const target = parseMarkdown(markdown);
  const expected = markdownOf(target);
  const isRight = (result: string) => canonical(result) === expected;
  const blocks = blocksOf(html);
  if (blocks) {
    const { oldBlocks, newBlocks, start, end } = difference(blocks, blocksIn(target.children, markdown));
    const [before, source, after] = [html.slice(0, start), html.slice(start, end), html.slice(end)];
    const render = (part: readonly Block[]) =>
      renderHtml(
        target,
        part.map(({ node }) => node),
      );
    const [old, ...moreOld] = oldBlocks;
    const [now, ...moreNew] = newBlocks;
    const edited =
      old && now && moreOld.length + moreNew.length === 0 && editText(source, old.markdown, now.markdown);
    if (edited && isRight(before + edited + after)) return { html: before + edited + after, lost: [] };
    const result = before + (old || start === 0 ? '' : '\n') + render(newBlocks) + after;
    if (isRight(result)) return { html: result, lost: lossOf(source, render(oldBlocks)) };
  }
  const same = renderHtml(parseMarkdown(htmlToMarkdown(html).markdown));
  return { html: renderHtml(target), lost: lossOf(html, same) };
}

const canonical = (html: string): string => markdownOf(parseMarkdown(htmlToMarkdown(html).markdown));

/** A paragraph, list, or other block at the top level of the Markdown. */
interface Block {
  node: RootContent;
  markdown: string;
}

interface HtmlBlock extends Block {
  start: number;
  end: number;
}

const blocksIn = (nodes: readonly RootContent[], markdown: string): Block[] =>
  nodes.map((node) => ({ node, markdown: markdown.slice(...rangeOf(node)) }));

/** Returns undefined if the blocks don't correspond to distinct parts of the HTML. */
function blocksOf(html: string): HtmlBlock[] | undefined {
  const { root } = readHtml(html);
  const markdown = markdownOf(root);
  const blocks = blocksIn(parseMarkdown(markdown).children, markdown);
  const ranges = root.children.map(rangeOf);
  let last = 0;
  for (const [start, end] of ranges) {
    if (!(start >= last && end >= start)) return undefined;
    last = end;
  }
  if (ranges.length !== blocks.length) return undefined;
  return blocks.map((block, index) => {
    const [start, end] = ranges[index] as [number, number];
    return { ...block, start, end };
  });
}

/** Returns a node's offsets. If the node has no offsets, returns the range of its descendants. */
function rangeOf(node: Nodes): [start: number, end: number] {
  let [start, end] = [Infinity, -1];
  visit(node, ({ position }) => {
    start = Math.min(start, position?.start.offset ?? Infinity);
    end = Math.max(end, position?.end.offset ?? -1);
  });
  return [start, end];
}

/** Finds the changed blocks and their range in the HTML. */
function difference(old: readonly HtmlBlock[], now: readonly Block[]) {
  const isSame = (index: number, other: number) => old[index]?.markdown === now[other]?.markdown;
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && isSame(first, first)) first++;
  let last = 0;
  while (last < shorter - first && isSame(old.length - last - 1, now.length - last - 1)) last++;
  const oldBlocks = old.slice(first, old.length - last);
  const newBlocks = now.slice(first, now.length - last);
  const start = oldBlocks[0]?.start ?? old[first - 1]?.end ?? old[0]?.start ?? 0;
  return { oldBlocks, newBlocks, start, end: oldBlocks.at(-1)?.end ?? start };
}

/** Changes a block's text but not its markup. Returns undefined if the markup must also change. */
function editText(html: string, markdown: string, newMarkdown: string): string | undefined {
  const [old, now] = changedWords(markdown, newMarkdown).map(unescaped) as [string, string];
  if (old === '') return undefined;
  const wanted = markdownOf(parseMarkdown(newMarkdown));
  const pattern = new RegExp(old.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '\\s+'), 'g');
  const texts: Text[] = [];
  visit(parseHtml(html), 'text', (node) => void texts.push(node));
  let attempts = 0;
  for (const text of texts) {
    const offsets = sourceOffsets(html, text);
    for (const { 0: match, index } of offsets ? text.value.matchAll(pattern) : []) {
      if (++attempts > maxAttempts) return undefined;
      const [start, end] = [offsets?.[index], offsets?.[index + match.length]];
      const result = html.slice(0, start) + escaped(now) + html.slice(end);
      if (canonical(result) === wanted) return result;
    }
  }
  return undefined;
}

/** The maximum number of occurrences to try. The same words can occur several times in a block. */
const maxAttempts = 20;

/** Returns the words that differ between two strings. */
function changedWords(old: string, now: string): [string, string] {
  const isWord = (character = '') => /[\p{L}\p{N}\p{M}]/u.test(character);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const rest = Math.min(old.length, now.length) - start;
  while (end < rest && old[old.length - end - 1] === now[now.length - end - 1]) end++;
  while (start > 0 && isWord(old[start - 1])) start--;
  while (end > 0 && isWord(old[old.length - end])) end--;
  return [old.slice(start, old.length - end), now.slice(start, now.length - end)];
}

/**
 * Returns the HTML offset of each character in a text node, or undefined if the offsets can't be determined.
 */
function sourceOffsets(html: string, { value, position }: Text): number[] | undefined {
  const start = position?.start.offset ?? 0;
  const source = html.slice(start, position?.end.offset);
  const offsets: number[] = [];
  let decoded = '';
  for (const { 0: part, index } of source.matchAll(/&[#\w]+;?|[^&]+|&/g)) {
    const isReference = part.length > 1 && part.startsWith('&');
    const characters = isReference ? decode(part) : part;
    for (let at = 0; at < characters.length; at++) offsets.push(start + index + (isReference ? 0 : at));
    decoded += characters;
  }
  offsets.push(start + source.length);
  return decoded === value ? offsets : undefined;
}

function decode(reference: string): string {
  const [node] = parseHtml(reference).children;
  return node?.type === 'text' ? node.value : reference;
}

const unescaped = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Lists the features that HTML loses when it's converted to Markdown and back, such as `style on <p> (2)` or
 * `hidden text`.
 */
function lossOf(html: string, converted: string): string[] {
  const lost = featuresOf(html);
  for (const [feature, count] of featuresOf(converted)) lost.set(feature, (lost.get(feature) ?? 0) - count);
  const counts = new Map<string, number>();
  for (const [feature, count] of lost) {
    const [name = ''] = feature.split('\0');
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
}

/** Counts each element, and each attribute along with its value. */
function featuresOf(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const root = parseHtml(html);
  visit(root, (node) => {
    if (node.type === 'comment') count('a comment');
    if (node.type !== 'element') return;
    const tag = synonyms[node.tagName] ?? node.tagName;
    if (!structural.has(tag)) count(`<${tag}>`);
    for (const [name, value] of Object.entries(node.properties)) {
      if (value !== false) count(`${attributeOf(name)} on <${tag}>\0${value}`);
    }
  });
  if (prepareForMarkdown(root)) count('hidden text');
  return counts;
}

const attributeOf = (property: string): string =>
  /^(?:data|aria)[A-Z]/.test(property)
    ? property.replace(/[A-Z]/g, '-$&').toLowerCase()
    : (names[property] ?? property.toLowerCase());

const names: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for' };

const synonyms: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del' };

/** Elements that have no default styling. */
const structural = new Set('div p span section article main tbody thead tfoot'.split(' '));
