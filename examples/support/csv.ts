/**
 * Parses CSV as defined in RFC 4180. The first line must contain the column names.
 *
 * @returns one record per data row
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [names = [], ...lines] = readLines(text.replace(/^\ufeff/, ''));
  return lines.map((fields) => Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ''])));
}

/** Quotes a CSV field if necessary. */
export const csvField = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  // Matches a quoted or unquoted field and the separator after it.
  for (const [match, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (match === '' && !line.length) break;
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines.filter((fields) => fields.some(Boolean));
}
