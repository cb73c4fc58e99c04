import type { Element, Nodes, Root } from 'hast';
import { hiddenByStyle } from './hidden-style.js';

/**
 * Removes content that browsers hide, such as hidden elements, transparent text, scripts, and comments. Then
 * replaces elements that Markdown can't express.
 *
 * @returns whether text was removed
 */
export function prepareForMarkdown(root: Root): boolean {
  const hasHidden = removeHidden(root, new Map());
  simplify(root, new Set(), { cells: 0 });
  return hasHidden;
}

/**
 * Removes hidden nodes.
 *
 * @param styles the inherited styles, and whether they hide text
 * @returns whether text was removed
 */
function removeHidden(parent: Root | Element, styles: ReadonlyMap<string, boolean>): boolean {
  const hidesText = [...styles.values()].includes(true);
  let hasHidden = false;
  const isShown = (node: Nodes): boolean => {
    if (node.type === 'text' && !hidesText) return true;
    if (node.type === 'element' && !hides(node)) {
      const inside = removeHidden(node, new Map([...styles, ...hiddenByStyle(styleOf(node)).text]));
      hasHidden ||= inside;
      return true;
    }
    hasHidden ||= hasText(node);
    return false;
  };
  parent.children = parent.children.filter(isShown) as Element['children'];
  return hasHidden;
}

/**
 * Replaces elements that Markdown can't express, and joins adjacent text nodes.
 *
 * @param around the kinds of emphasis that the node is nested in
 * @param used the number of cells that were created from merged cells so far
 */
function simplify(parent: Root | Element, around: ReadonlySet<string>, used: { cells: number }): Contents {
  const kept: Nodes[] = [];
  const contents: Contents = { emphasized: 0, hasBlocks: false };
  for (const node of parent.children) {
    if (node.type === 'element') {
      const { emphasized, hasBlocks } = simplifyElement(node, around, used);
      contents.emphasized += emphasized;
      contents.hasBlocks ||= hasBlocks;
    }
    // Join adjacent text nodes here, because joining many small ones later would take quadratic time.
    const isWrapper = node.type === 'element' && node.tagName === 'span';
    for (const part of isWrapper ? node.children : [node]) {
      const last = kept.at(-1);
      if (part.type === 'text' && last?.type === 'text') last.value += part.value;
      else kept.push(part);
    }
  }
  parent.children = kept as Element['children'];
  return contents;
}

/** The contents of a node, excluding nested blocks. */
interface Contents {
  emphasized: number;
  hasBlocks: boolean;
}

function simplifyElement(element: Element, around: ReadonlySet<string>, used: { cells: number }): Contents {
  adapt(element, used);
  const kind = emphasisKinds[element.tagName];
  const { emphasized, hasBlocks } = simplify(element, kind ? new Set([...around, kind]) : around, used);
  if (blocks.has(element.tagName)) {
    if (emphasized > maxEmphasized) removeEmphasis(element);
    return { emphasized: 0, hasBlocks: true };
  }
  // In Markdown, emphasis can't contain blocks or the same kind of emphasis.
  if (kind && hasBlocks) element.tagName = 'div';
  else if (kind && around.has(kind)) element.tagName = 'span';
  return { emphasized: emphasized + (kind ? 1 : 0), hasBlocks };
}

const styleOf = ({ properties }: Element): string => String(properties.style ?? '');

function hides(element: Element): boolean {
  const { tagName, properties } = element;
  if (invisible.has(tagName) || (tagName === 'dialog' && !properties.open)) return true;
  return (properties.hidden ?? false) !== false || hiddenByStyle(styleOf(element)).all;
}

function hasText(node: Nodes): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  return node.type === 'element' && !code.has(node.tagName) && node.children.some(hasText);
}

/** Elements that browsers don't show, or that don't contain text. */
const code = new Set('script style svg math'.split(' '));
const invisible = new Set([
  ...code,
  ...'base template head title noscript object datalist noembed noframes frameset'.split(' '),
]);

const blocks = new Set(
  'address article aside blockquote dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);

const emphasisKinds: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 'del',
  strike: 'del',
  del: 'del',
};

/**
 * The maximum amount of emphasis in a block. Beyond this limit, Markdown becomes ambiguous, and finding the
 * right markers takes cubic time.
 */
const maxEmphasized = 100;

/** Elements for which Markdown has no markup. Underlined text isn't the same as emphasis. */
const withoutMeaning = new Set(
  'abbr bdi bdo big cite data dfn font ins label mark nobr small sub sup time u'.split(' '),
);

/**
 * The maximum number of cells created from merged cells. A merged cell becomes one cell followed by empty
 * cells.
 */
const maxMergedCells = 1000;

function removeEmphasis(element: Element): void {
  for (const child of element.children) {
    if (child.type !== 'element' || blocks.has(child.tagName)) continue;
    if (emphasisKinds[child.tagName]) child.tagName = 'span';
    removeEmphasis(child);
  }
}

function adapt(element: Element, used: { cells: number }): void {
  const { properties, tagName } = element;
  if (properties.colSpan || properties.rowSpan) {
    used.cells += (Number(properties.colSpan) || 1) * (Number(properties.rowSpan) || 1);
    if (used.cells > maxMergedCells) {
      properties.colSpan = 1;
      properties.rowSpan = 1;
    }
  }
  if (tagName === 'caption') element.tagName = 'tr';
  if (tagName === 'dialog') element.tagName = 'div';
  if (tagName === 'menu') element.tagName = 'ul';
  if (withoutMeaning.has(tagName)) element.tagName = 'span';
  if (tagName === 'img') properties.src = shownUrl(properties.src);
  if (tagName === 'a' && !shownUrl(properties.href)) element.tagName = 'span';
}

/** Returns a URL without embedded data, or an empty string if the URL could run code. */
function shownUrl(url: unknown): string {
  const text = String(url ?? '').trim();
  if (/^data:/i.test(text)) return 'data:…';
  return /^(?![a-z][a-z\d+.-]*:)|^(?:https?|mailto|tel):/i.test(text) ? text : '';
}
