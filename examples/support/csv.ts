/**
 * Reads CSV as RFC 4180 has it: fields in quotes may hold commas, line ends and doubled quotes.
 *
 * @returns a record for each line after the first, which names the columns
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [names = [], ...lines] = readLines(text.replace(/^\ufeff/, ''));
  return lines.map((fields) => Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ''])));
}

/** Writes a field so that {@link parseCsv} reads it back. */
export const csvField = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  // A field, quoted or not, and what ends it.
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
