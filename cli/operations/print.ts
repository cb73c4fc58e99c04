/** A result for a person: a table for a list, a line a field for a record. */
export function table(result: unknown): string {
  if (result === undefined) return 'Done.';
  if (!Array.isArray(result)) {
    const rows = Object.entries(result as object).map(([name, value]) => [name, cell(value)]);
    return aligned(rows);
  }
  if (result.length === 0) return 'None.';
  const names = Object.keys(result[0]).filter((name) => result.some((row) => isShort(row[name])));
  return aligned([names, ...result.map((row) => names.map((name) => cell(row[name])))]);
}

const limit = 40;

/** Text that fills a screen, and what is null everywhere, makes no column. */
const isShort = (value: unknown) =>
  value !== null && (typeof value !== 'string' || value.length <= 2 * limit);

function cell(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-';
  if (typeof value === 'object') {
    const { name, id } = value as { name?: string; id?: string };
    return name ?? id ?? JSON.stringify(value);
  }
  // What a server sends must not move the cursor of a person's terminal.
  const text = String(value).replace(/[\s\p{Cc}]+/gu, ' ');
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
