import { shorten } from '../../../src/internal.js';
import { cleanLine } from '../text/clean-text.js';
import { htmlToMarkdown } from '../text/markdown.js';
import { byteLength, maxDataBytes, type Part } from './reply.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Table extends Part {
  shown: number;
}

/**
 * Formats records as a table with a header line and one line per record. Omits rows beyond the size limit.
 *
 * @param group a field whose value is shown once above the rows that share it
 * @param lengths the maximum lengths of values, by field
 */
export function table(
  rows: readonly Row[],
  fields: readonly string[],
  { group, lengths = {} }: { group?: string | undefined; lengths?: Readonly<Record<string, number>> } = {},
): Table {
  const columns = group ? [...fields, group] : fields;
  const cells: string[][] = [];
  const lines = [fields.join(' | ')];
  let bytes = byteLength(JSON.stringify(columns));
  let last: unknown;
  for (const row of rows) {
    const added = columns.map((field) => cell(field, row[field], lengths[field]));
    // Measure the data as JSON, because the JSON is longer than the text.
    bytes += byteLength(JSON.stringify(added)) + 1;
    if (bytes > maxDataBytes) break;
    if (group && row[group] !== last) lines.push(`[${group} ${added.at(-1)}]`);
    lines.push(added.slice(0, fields.length).join(' | '));
    last = group && row[group];
    cells.push(added);
  }
  return { text: lines.join('\n'), value: { columns, rows: cells }, shown: cells.length };
}

/**
 * Adds a `state` column if any ticket is done or archived, or if any other record is archived. If this column
 * is missing, all records are open.
 */
export function withState(rows: readonly Row[], fields: readonly string[]) {
  const marked = rows.map((row) => {
    const marks = [row.completed_at && 'done', row.archived_at && 'archived'].filter(Boolean);
    return { ...row, state: marks.join(', ') || 'open' };
  });
  const isNeeded = marked.some(({ state }) => state !== 'open');
  return { rows: marked, fields: isNeeded ? [...fields, 'state'] : fields };
}

/** Formats a field value on one line. Values that could be mistaken for separators are quoted. */
export function cell(field: string, value: unknown, length = 120): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  const text = plain(field, value, length);
  return /^(?:-?$|["[])|\|/.test(text) ? JSON.stringify(text) : text;
}

function plain(field: string, value: unknown, length: number): string {
  if (typeof value === 'string') {
    if (field.endsWith('_at')) return compactDate(value);
    const text = field.endsWith('_html') ? htmlToMarkdown(value.slice(0, length * 20)).markdown : value;
    return shorten(cleanLine(text), isId(field) ? 200 : length);
  }
  if (Array.isArray(value)) return list(value, length);
  if (typeof value === 'object') return shorten(reference(value), length);
  return String(value);
}

const isId = (field: string) => field === 'id' || field.endsWith('_id') || field === 'slug';

/** Shortens `2026-01-04T18:00:00.000Z` to `2026-01-04T18:00Z`. */
const compactDate = (value: string): string =>
  shorten(cleanLine(value).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?/, '$1'), 40);

function list(values: readonly unknown[], length: number): string {
  const shown = values
    .slice(0, Math.max(10, length / 50))
    .map((value) => (typeof value === 'string' ? cleanLine(value) : reference(value)));
  const omitted = values.length - shown.length;
  return shorten(shown.join(', '), length * 3) + (omitted > 0 ? ` and ${omitted} more` : '');
}

function reference(value: unknown): string {
  const { name, id } = value as { name?: unknown; id?: unknown };
  if (typeof name !== 'string') return cleanLine(JSON.stringify(value));
  const shown = shorten(cleanLine(name), 60);
  return typeof id === 'string' ? `${shown} (${shorten(cleanLine(id), 60)})` : shown;
}
