import type { MarkdownRenderer } from 'vitepress';

/** What `_render` of the local search gets. Its type comes from another version of markdown-it than VitePress's own. */
type Renderer = Pick<MarkdownRenderer, 'options' | 'render'> & {
  set(options: { highlight: MarkdownRenderer['options']['highlight'] }): unknown;
};

/**
 * Renders a page for the search, which reads only its words. Highlighting code is most of the work of
 * rendering, so it is switched off meanwhile. The pages themselves use the same renderer.
 */
export function renderWithoutColors(markdown: Renderer, source: string, env: object): string {
  const { highlight } = markdown.options;
  markdown.set({ highlight: null });
  try {
    return markdown.render(source, env);
  } finally {
    markdown.set({ highlight: highlight ?? null });
  }
}
