import { byteLength, maxDataBytes } from '../text/size.js';
import { cell } from './cell.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Table {
  text: string;
  /** The number of rows in the table. */
  shown: number;
}

/**
 * Formats records as a table with a header line and one line per record. Omits rows beyond the size limit.
 *
 * @param group a field whose value is shown once above the rows that share it
 */
export function table(rows: readonly Row[], fields: readonly string[], group?: string): Table {
  const lines = [fields.join(' | ')];
  let bytes = byteLength(lines[0] ?? '');
  let last: unknown;
  let shown = 0;
  for (const row of rows) {
    const added = [fields.map((field) => cell(field, row[field])).join(' | ')];
    if (group && row[group] !== last) added.unshift(`[${group} ${cell(group, row[group])}]`);
    bytes += byteLength(added.join('\n')) + 1;
    if (bytes > maxDataBytes) break;
    last = group && row[group];
    lines.push(...added);
    shown += 1;
  }
  return { text: lines.join('\n'), shown };
}
