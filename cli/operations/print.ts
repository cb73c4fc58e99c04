import { displayWidth, oneLine, padded, shortened } from './text.js';

/**
 * A result for a person: a table for a list, a line a field for a record.
 *
 * @param width columns of the terminal; a table that is wider leaves some of its columns out, and says so
 */
export function table(result: unknown, width = Number.POSITIVE_INFINITY): string {
  if (result === undefined) return 'Done.';
  if (Array.isArray(result)) return result.length === 0 ? 'None.' : list(result, width);
  const entries = Object.entries(result as object);
  const names = Math.max(...entries.map(([name]) => name.length));
  const limit = Math.max(longest, width - names - gap.length);
  return aligned(entries.map(([name, value]) => [name, cell(value, limit)]));
}

function list(records: Record<string, unknown>[], width: number): string {
  const all = Object.keys(records[0] ?? {});
  const told = all.filter((name) => records.some((record) => isShort(record[name])));
  const widths = new Map(told.map((name) => [name, widthOf(name, records)]));
  const names = fitting(told, widths, width);
  const rows = records.map((record) => names.map((name) => cell(record[name], longest)));
  const left = told.filter((name) => !names.includes(name));
  const note = left.length > 0 ? `\n(no room for ${left.join(', ')}; --json has them)` : '';
  return aligned([names, ...rows]) + note;
}

/** Where a table is too wide, what says least to a person goes first. */
function fitting(names: string[], widths: ReadonlyMap<string, number>, width: number): string[] {
  const expendable = [
    ...names.filter((name) => name.endsWith('_id')),
    ...names.filter((name) => name.endsWith('_at')).reverse(),
    ...names.filter((name) => !/(^id|_id|_at)$/.test(name)).reverse(),
  ];
  const kept = new Set(names);
  const total = () =>
    [...kept].reduce((sum, name) => sum + (widths.get(name) ?? 0) + gap.length, -gap.length);
  // An id and what it is called stay, whatever the width.
  while (total() > width && kept.size > 2) kept.delete(expendable.shift() ?? '');
  return [...kept];
}

const longest = 40;
const gap = '  ';

/** Text that fills a screen, and what is null everywhere, makes no column. */
const isShort = (value: unknown) =>
  value !== null && (typeof value !== 'string' || value.length <= 2 * longest);

const widthOf = (name: string, records: Record<string, unknown>[]) =>
  Math.max(name.length, ...records.map((record) => displayWidth(cell(record[name], longest))));

function cell(value: unknown, limit: number): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return shortened(value.map((item) => cell(item, limit)).join(', '), limit) || '-';
  if (typeof value === 'object') {
    const { name, id } = value as { name?: string; id?: string };
    return cell(name ?? id ?? JSON.stringify(value), limit);
  }
  return shortened(oneLine(String(value)), limit);
}

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((text, column) => padded(text, widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}
