import { visit } from 'unist-util-visit';
import { parseHtml } from './parse-html.js';
import { prepareForMarkdown } from './prepare-html.js';

/**
 * Lists the features that HTML loses when it's converted to Markdown and back, such as `style on <p> (2)` or
 * `hidden text`.
 */
export function lossOf(html: string, converted: string): string[] {
  const lost = featuresOf(html);
  for (const [feature, count] of featuresOf(converted)) lost.set(feature, (lost.get(feature) ?? 0) - count);
  const counts = new Map<string, number>();
  for (const [feature, count] of lost) {
    const [name = ''] = feature.split('\0');
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
}

/** Counts elements and attributes with their values. */
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
