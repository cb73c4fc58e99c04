import type { Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import { gfm } from 'micromark-extension-gfm';
import { visit } from 'unist-util-visit';
import { cleanText } from './clean-text.js';
import { HtmlLimitError, parseHtml } from './parse-html.js';
import { prepareForMarkdown } from './prepare-html.js';

/** HTML converted to Markdown. */
export interface MarkdownView {
  markdown: string;
  /** Whether any text was omitted because browsers hide it. */
  hasHidden: boolean;
}

/** Converts HTML to Markdown. Omits text that browsers hide. */
export function htmlToMarkdown(html: string): MarkdownView {
  try {
    const { root, hasHidden } = readHtml(html);
    return { markdown: markdownOf(root), hasHidden };
  } catch (error) {
    if (error instanceof HtmlLimitError)
      return { markdown: `[not shown: ${error.message}]`, hasHidden: false };
    throw error;
  }
}

/** Converts Markdown to HTML. HTML tags in the Markdown become text. */
export const markdownToHtml = (markdown: string): string => renderHtml(parseMarkdown(markdown));

/**
 * Reads HTML as a Markdown tree. Each node includes its offsets in the HTML.
 *
 * @throws HtmlLimitError if the HTML is too large or nested too deeply
 */
export function readHtml(html: string): { root: Root; hasHidden: boolean } {
  const tree = parseHtml(html);
  const hasHidden = prepareForMarkdown(tree);
  const root = toMdast(tree, { document: true }) as Root;
  // In Markdown, a whole list is either loose or tight.
  visit(root, 'list', ({ children, spread }) => {
    for (const item of children) item.spread = spread;
  });
  return { root, hasHidden };
}

export const markdownOf = (root: Root): string => cleanText(toMarkdown(root, markdownStyle)).trim();

/**
 * Excludes GitHub's first two extensions (autolinks and footnotes), because they would escape every URL and
 * email address in the text.
 */
const markdownStyle: Options = {
  extensions: gfmToMarkdown({ tablePipeAlign: false }).extensions?.slice(2),
  bullet: '-',
  rule: '-',
  emphasis: '_',
};

/** Thrown if Markdown has too many lines or is nested too deeply to be parsed in bounded time. */
export class MarkdownLimitError extends Error {}

/**
 * Parses Markdown with GitHub's extensions. HTML tags become text, so that no visible content is lost.
 *
 * @throws MarkdownLimitError if the Markdown has too many lines or is nested too deeply
 */
export function parseMarkdown(markdown: string): Root {
  if (deepNesting.test(markdown) || markdown.split('\n', maxLines).length === maxLines) {
    throw new MarkdownLimitError('the Markdown has too many lines or is nested too deeply');
  }
  const root = fromMarkdown(markdown, {
    extensions: [gfm(), { disable: { null: disabled } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  visit(root, 'text', (node) => {
    node.value = node.value.replaceAll('\n', ' ');
  });
  return root;
}

const deepNesting = /^(?:[ \t]|> ?|[-*+] |\d{1,9}[.)] ){150}/m;
const maxLines = 10_000;

const disabled = 'htmlFlow htmlText gfmFootnoteDefinition gfmFootnoteCall'.split(' ');

/**
 * Renders blocks as HTML.
 *
 * @param blocks the blocks to render, from the root
 */
export function renderHtml(root: Root, blocks: readonly RootContent[] = root.children): string {
  const definitions = root.children.filter(({ type }) => type === 'definition');
  const tree = toHast({ type: 'root', children: [...blocks, ...definitions] }) as HtmlRoot;
  return toHtml(tree).trim();
}
