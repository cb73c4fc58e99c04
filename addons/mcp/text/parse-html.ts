import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { defaultTreeAdapter, parseFragment } from 'parse5';
import { VFile } from 'vfile';

/** Thrown if HTML is too large or nested too deeply to be converted in bounded time. */
export class HtmlLimitError extends Error {
  constructor() {
    super('the HTML is too large or nested too deeply');
  }
}

/**
 * Parses an HTML fragment. Each node includes its offsets in the source.
 *
 * @throws HtmlLimitError if the HTML is too large or nested too deeply
 */
export function parseHtml(html: string): Root {
  if (html.length > maxLength || hasTagWithManyAttributes(html)) throw new HtmlLimitError();
  let depth = 0;
  let nodes = 0;
  const limited = (count: number, limit: number) => {
    if (count > limit) throw new HtmlLimitError();
  };
  const fragment = parseFragment(html, {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...args) => {
        limited(++nodes, maxNodes);
        return defaultTreeAdapter.createElement(...args);
      },
      createCommentNode: (text) => {
        limited(++nodes, maxNodes);
        return defaultTreeAdapter.createCommentNode(text);
      },
      onItemPush: () => limited(++depth, maxDepth),
      onItemPop: () => void depth--,
    },
  });
  return fromParse5(fragment, { file: new VFile(html) }) as Root;
}

/** The maximum length of the HTML, in characters. The API limits documents to a million characters. */
const maxLength = 1_500_000;

/**
 * Limits on the HTML. Without them, parsing could take quadratic time. Real documents hardly ever reach them.
 */
const maxDepth = 100;
const maxNodes = 20_000;
const maxAttributes = 500;

function hasTagWithManyAttributes(html: string): boolean {
  tag.lastIndex = 0;
  while (tag.test(html)) {
    attribute.lastIndex = tag.lastIndex;
    let count = 0;
    while (attribute.test(html)) {
      if (++count > maxAttributes) return true;
      tag.lastIndex = attribute.lastIndex;
    }
  }
  return false;
}

const tag = /<[a-z][^\s/>]*/gi;
const attribute = /[\s/]*=?[^\s/>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?/y;
