import type { MarkdownRenderer } from 'vitepress';

/** The renderer that VitePress passes to `_render`. Its type comes from a different version of markdown-it. */
type Renderer = Pick<MarkdownRenderer, 'options' | 'render'> & {
  set(options: { highlight: MarkdownRenderer['options']['highlight'] }): unknown;
};

/**
 * Renders a page for the search index without syntax highlighting, which is the slowest part of rendering.
 * Restores the highlighter afterward, because the pages use the same renderer.
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
