import type { MarkdownRenderer } from 'vitepress';

/**
 * Renders a page for the search, which reads only its words. Highlighting code is most of the work of
 * rendering, so it is switched off meanwhile. The pages themselves use the same renderer.
 */
export function renderWithoutColors(markdown: MarkdownRenderer, source: string, env: object): string {
  const { highlight } = markdown.options;
  markdown.set({ highlight: null });
  try {
    return markdown.render(source, env);
  } finally {
    markdown.set({ highlight: highlight ?? null });
  }
}
