import stringWidth from 'string-width';
import { pad, toOneLine, truncate } from './text.js';

/**
 * Formats a list as a table, or a record with one field per line.
 *
 * @param width the terminal width; columns that don't fit are listed below the table
 */
export function formatTable(result: unknown, width = Number.POSITIVE_INFINITY): string {
  if (result === undefined) return 'Done.';
  if (Array.isArray(result)) return result.length === 0 ? 'None.' : formatList(result.map(toRecord), width);
  const entries = Object.entries(toRecord(result)).map(([name, value]) => [toOneLine(name), value] as const);
  const names = Math.max(...entries.map(([name]) => stringWidth(name)));
  const limit = Math.max(longestCell, width - names - gap.length);
  return align(entries.map(([name, value]) => [name, formatCell(value, limit)]));
}

/** A deployment that violates the contract may return values that aren't records. */
const toRecord = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : { value: JSON.stringify(value) }) as Record<
    string,
    unknown
  >;

function formatList(records: Record<string, unknown>[], width: number): string {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
    .filter((name) => records.some((record) => isTabular(record[name])))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const table = [longestCell, shortestCell]
    .map((limit) =>
      dropColumns(
        columns.map((name) => columnOf(name, records, limit)),
        width,
      ),
    )
    // Shorten cells only if that makes room for another column.
    .reduce((wide, narrow) => (narrow.length > wide.length ? narrow : wide));
  const shown = new Set(table.map(({ name }) => name));
  const hidden = columns.filter((name) => !shown.has(name)).map(toOneLine);
  const rows = [
    table.map(({ name }) => toOneLine(name)),
    ...records.map((_, row) => table.map(({ cells }) => cells[row] ?? '')),
  ];
  return (
    align(rows) +
    (hidden.length > 0 ? `\n(not shown: ${hidden.join(', ')}; use --json to print all fields)` : '')
  );
}

interface Column {
  name: string;
  cells: string[];
  width: number;
}

function columnOf(name: string, records: Record<string, unknown>[], limit: number): Column {
  // Don't shorten IDs, because a partial ID is useless.
  const cells = records.map((record) => formatCell(record[name], isId(name) ? longestCell : limit));
  return { name, cells, width: Math.max(stringWidth(name), ...cells.map((cell) => stringWidth(cell))) };
}

/** Drops the least useful columns until the table fits. Always keeps the first two columns. */
function dropColumns(columns: Column[], width: number): Column[] {
  let remaining = columns;
  const total = () => remaining.reduce((sum, column) => sum + column.width + gap.length, -gap.length);
  while (total() > width && remaining.length > 2) remaining = remaining.slice(0, -1);
  return remaining;
}

const longestCell = 40;
const shortestCell = 24;
const gap = '  ';

const isId = (name: string) => /(^|_)id$/.test(name);

/** The fields to show first. */
const leading = [
  'id',
  'title',
  'name',
  'key',
  'role',
  'status',
  'board_id',
  'assignees',
  'priority',
  'due_at',
  'number',
  'labels',
];

function rankOf(name: string): number {
  const index = leading.indexOf(name);
  if (index >= 0) return index;
  if (name === 'position') return leading.length + 1;
  if (name.endsWith('_at')) return leading.length + 2;
  return isId(name) ? leading.length + 3 : leading.length;
}

/** Returns false for null and for strings that are too long for a table cell. */
const isTabular = (value: unknown) =>
  value !== null && value !== undefined && (typeof value !== 'string' || value.length <= 2 * longestCell);

function formatCell(value: unknown, limit: number): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value))
    return truncate(value.map((item) => formatCell(item, limit)).join(', '), limit) || '-';
  if (typeof value === 'object') {
    const { name, id } = value as { name?: unknown; id?: unknown };
    return formatCell(name ?? id ?? JSON.stringify(value), limit);
  }
  return truncate(toOneLine(String(value)), limit);
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}
