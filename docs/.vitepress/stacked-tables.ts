import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

const roles: Record<string, string> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

/**
 * Marks tables with more than two columns, so their rows can be stacked if there isn't enough room for the columns.
 * Explicit roles preserve the semantics that browsers drop when a table's layout changes. Each cell stores its
 * column's name.
 */
export function stackTables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('worktrack:stacked-tables', ({ tokens }) => tokens.forEach(markTable));
  // Replace VitePress's rule, which drops the attributes.
  markdown.renderer.rules.table_open = (tokens, index, _options, _env, renderer) =>
    `<table tabindex="0"${tokens[index] ? renderer.renderAttrs(tokens[index]) : ''}>\n`;
}

/** Adds attributes to the table that starts at `index`, if any. */
function markTable(table: Token, index: number, all: Token[]): void {
  if (table.type !== 'table_open') return;
  const tokens = all.slice(
    index,
    all.findIndex(({ type }, end) => end > index && type === 'table_close'),
  );
  const columns = tokens.flatMap(({ type }, at) =>
    type === 'th_open' ? (tokens[at + 1]?.content ?? '') : [],
  );
  // Two columns fit without stacking.
  if (columns.length <= 2) return;
  table.attrJoin('class', 'stacked');
  for (const token of tokens) {
    const role = roles[token.type];
    if (role) token.attrSet('role', role);
  }
  const cells = tokens.filter(({ type }) => type === 'td_open');
  cells.forEach((cell, number) => {
    cell.attrSet('data-column', columns[number % columns.length] ?? '');
  });
}
