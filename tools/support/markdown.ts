/** Returns a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * Returns code that links to a page that only the site has. Vue sets the link when it builds the site, and code hosts
 * show only the code.
 *
 * @param page the relative path, without an extension
 */
export const siteLink = (code: string, page: string): string => `<a :href="'${page}.html'">\`${code}\`</a>`;
