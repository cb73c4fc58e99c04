import type { MarkdownRenderer } from 'vitepress';

/** The renderer that VitePress passes to `_render`. Its type comes from a different version of markdown-it. */
type Renderer = Pick<MarkdownRenderer, 'options' | 'render'> & {
  set(options: { highlight: MarkdownRenderer['options']['highlight'] }): unknown;
};

/** The part of VitePress's environment that the search index uses. */
interface PageEnvironment {
  relativePath: string;
  frontmatter?: { search?: boolean };
}

/**
 * Contributors read these pages in order, so searches for API terms don't list them. They aren't indexed, like pages
 * with `search: false` in their frontmatter.
 */
const internalPages = new Set(['contributing/how-the-rules-are-tested.md', 'decisions.md']);

/** Returns the HTML of a page for the search index, or an empty string for a page that isn't indexed. */
export function searchableHtml(markdown: Renderer, source: string, env: PageEnvironment): string {
  const html = renderWithoutColors(markdown, source, env);
  if (internalPages.has(env.relativePath) || env.frontmatter?.search === false) return '';
  return withoutNextSteps(html);
}

/**
 * Renders a page without syntax highlighting, which is the slowest part of rendering. Restores the highlighter
 * afterward, because the pages use the same renderer.
 */
function renderWithoutColors(markdown: Renderer, source: string, env: object): string {
  const { highlight } = markdown.options;
  markdown.set({ highlight: null });
  try {
    return markdown.render(source, env);
  } finally {
    markdown.set({ highlight: highlight ?? null });
  }
}

/** Removes the links at the end of a page, because they match the same queries as the pages they lead to. */
const withoutNextSteps = (html: string): string => html.replace(/<h2 id="next-steps"[\s\S]*?(?=<h2 |$)/, '');
