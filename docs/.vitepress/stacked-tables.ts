import type { MarkdownRenderer } from 'vitepress';

const roles: Record<string, string> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

/**
 * Marks the tables of operation pages, so that their rows can be stacked on narrow windows. Explicit roles keep the
 * tables' semantics, which browsers drop when the layout changes. Each cell gets the name of its column.
 */
export function stackTables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('worktrack:stacked-tables', ({ tokens, env }) => {
    if (!String(env.relativePath).startsWith('reference/operations/')) return;
    let columns: string[] = [];
    let column = 0;
    tokens.forEach((token, index) => {
      const role = roles[token.type];
      if (!role) return;
      token.attrSet('role', role);
      if (token.type === 'table_open') {
        token.attrJoin('class', 'stacked');
        columns = [];
      }
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') columns.push(tokens[index + 1]?.content ?? '');
      if (token.type === 'td_open') token.attrSet('data-column', columns[column++] ?? '');
    });
  });
  // VitePress's rule drops the attributes.
  markdown.renderer.rules.table_open = (tokens, index, _options, _env, renderer) =>
    `<table tabindex="0"${tokens[index] ? renderer.renderAttrs(tokens[index]) : ''}>\n`;
}
