import { pad, toOneLine, truncate, widthOf } from './text.js';

/**
 * Formats a list as a table, or a record with one field per line.
 *
 * @param width the terminal width. Columns that don't fit are listed below the table.
 * @param fields the columns, in order. By default, the fields that have values, most useful first.
 */
export function formatTable(
  result: unknown,
  width = Number.POSITIVE_INFINITY,
  fields?: readonly string[],
): string {
  if (result === undefined) return 'Done.';
  if (Array.isArray(result))
    return result.length === 0 ? 'None.' : formatList(result.map(toRecord), width, fields);
  const entries = Object.entries(toRecord(result)).map(([name, value]) => [toLabel(name), value] as const);
  const names = widest(entries.map(([name]) => name));
  const limit = Math.max(longestCell, width - names - gap.length);
  return align(
    entries.map(([name, value]) => [name, formatCell(value, limit)]),
    [names],
  );
}

/** Converts a value to a record. Deployments that violate the contract may return other values. */
const toRecord = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : { value: JSON.stringify(value) }) as Record<
    string,
    unknown
  >;

function formatList(records: Record<string, unknown>[], width: number, fields?: readonly string[]): string {
  const columns = fields ?? usefulNames(records);
  const wide = fittingColumns(columns, records, longestCell, width);
  const isFitting = totalWidth(wide) <= width;
  const isComplete = isFitting && wide.length === columns.length;
  const narrow = isComplete ? wide : fittingColumns(columns, records, shortestCell, width);
  // Shorten cells only if this makes room for another column.
  const table = narrow.length > wide.length || !isFitting ? narrow : wide;
  const rows = [
    table.map(({ name }) => toLabel(name)),
    ...records.map((_, row) => table.map(({ cells }) => cells[row] ?? '')),
  ];
  const widths = table.map(({ width }) => width);
  return align(rows, widths) + describeHidden(columns.slice(table.length));
}

/** Returns the fields that fit in a table, most useful first. */
function usefulNames(records: Record<string, unknown>[]): string[] {
  const names = tabularNames(records);
  const hasNumber = names.includes('number');
  return names.sort((a, b) => rankOf(a, hasNumber) - rankOf(b, hasNumber));
}

/** Returns the names of the fields whose value is short enough for a table in at least one record. */
function tabularNames(records: Record<string, unknown>[]): string[] {
  const names = new Map<string, boolean>();
  for (const record of records) {
    for (const name of Object.keys(record)) names.set(name, names.get(name) || isTabular(record[name]));
  }
  return [...names].filter(([, isUsed]) => isUsed).map(([name]) => name);
}

interface Column {
  name: string;
  cells: string[];
  width: number;
}

/** Formats as many columns as fit, most useful first. Always returns the first two. */
function fittingColumns(
  names: readonly string[],
  records: Record<string, unknown>[],
  limit: number,
  width: number,
): Column[] {
  const columns: Column[] = [];
  for (const name of names) {
    const column = columnOf(name, records, limit);
    if (totalWidth([...columns, column]) > width && columns.length >= 2) break;
    columns.push(column);
  }
  return columns;
}

const totalWidth = (columns: readonly Column[]) =>
  columns.reduce((total, { width }) => total + width + gap.length, -gap.length);

function columnOf(name: string, records: Record<string, unknown>[], limit: number): Column {
  // Don't shorten IDs, because a partial ID is useless.
  const cells = records.map((record) => formatCell(record[name], isId(name) ? longestCell : limit));
  return { name, cells, width: Math.max(widthOf(toLabel(name)), widest(cells)) };
}

function describeHidden(names: readonly string[]): string {
  if (names.length === 0) return '';
  const listed = names.slice(0, maxListed).map(toLabel);
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : '';
  return `\n(not shown: ${listed.join(', ')}${more}; use --json to print all fields)`;
}

/** The maximum number of names listed below a table. */
const maxListed = 50;

const longestCell = 40;
const shortestCell = 24;
const gap = '  ';

const isId = (name: string) => /(^|_)id$/.test(name);

/** The fields to show first. */
const leading = [
  'number',
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
  'labels',
];

/** @param hasNumber whether the records have numbers, which are more useful than IDs */
function rankOf(name: string, hasNumber: boolean): number {
  const index = hasNumber && isId(name) ? -1 : leading.indexOf(name);
  if (index >= 0) return index;
  if (name === 'position') return leading.length + 1;
  if (name.endsWith('_at')) return leading.length + 2;
  if (name === 'id') return leading.length + 3;
  return isId(name) ? leading.length + 4 : leading.length;
}

/** Returns false for null and for strings that are too long for a table cell. */
const isTabular = (value: unknown) =>
  value !== null && value !== undefined && (typeof value !== 'string' || value.length <= 2 * longestCell);

export function formatCell(value: unknown, limit: number, depth = 0): string {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'object') return truncate(toOneLine(String(value)), limit);
  if (depth > maxDepth) return '…';
  if (Array.isArray(value)) {
    // Each item takes up at least one terminal column, so more than `limit` items never fit.
    const items = value.slice(0, limit).map((item) => formatCell(item, limit, depth + 1));
    return truncate(items.join(', '), limit) || '-';
  }
  const { name, id } = value as { name?: unknown; id?: unknown };
  if (name !== undefined && name !== null) return formatCell(name, limit, depth + 1);
  return formatCell(id ?? toJson(value), limit, depth + 1);
}

/**
 * The maximum nesting depth of lists and records in a cell. A hostile response can be nested thousands of
 * levels deep.
 */
const maxDepth = 4;

function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The value is nested too deeply.
    return '…';
  }
}

/** @param widths the width of each column. The last width isn't needed. */
const align = (rows: string[][], widths: readonly number[]): string =>
  rows
    .map((row) =>
      row
        .map((text, column) => (column < row.length - 1 ? pad(text, widths[column] ?? 0) : text))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');

/**
 * Returns the largest width. Avoids `Math.max(...widths)`, which would overflow the stack if the list is
 * long.
 */
const widest = (texts: readonly string[]): number =>
  texts.reduce((width, text) => Math.max(width, widthOf(text)), 0);

/** Makes a field name safe and short enough to print. */
const toLabel = (name: string) => truncate(toOneLine(name), longestCell);
