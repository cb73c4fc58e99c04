import { cleanText } from '../text/clean-text.js';
import { htmlToText } from '../text/html-to-text.js';
import { byteLength, cutToBytes, maxDataBytes } from '../text/size.js';
import { cell } from './cell.js';
import type { Reply } from './reply.js';
import { type Row, table } from './table.js';

/** Options for displaying a record. */
export interface RecordView {
  /** The fields to show. @defaultValue all fields with a value, except HTML fields */
  fields?: readonly string[] | undefined;
  /** The HTML field to show after the other fields. */
  longText?: string | undefined;
  /** The character offset at which the long text starts. @defaultValue 0 */
  textOffset?: number | undefined;
}

/** Formats a record with one field per line. The long text comes last, with each line prefixed by `>`. */
export function recordReply(heading: string, record: Row, view: RecordView = {}): Reply {
  const { fields, longText, textOffset = 0 } = view;
  const names =
    fields ?? Object.keys(record).filter((name) => record[name] !== null && !name.endsWith('_html'));
  const lines = names.filter((name) => name !== longText).map((name) => line(name, record[name]));
  const longValue = longText && (!fields || fields.includes(longText)) ? record[longText] : undefined;
  if (typeof longValue !== 'string') return { heading, data: lines.join('\n') };
  const room = Math.max(1000, maxDataBytes - byteLength(lines.join('\n')) - 100);
  const { text, hint } = part(cleanText(htmlToText(longValue)), textOffset, room);
  lines.push(`${longText} (as text):`, quoted(text));
  return { heading, data: lines.join('\n'), hint };
}

function line(name: string, value: unknown): string {
  const [first] = Array.isArray(value) ? value : [];
  // Lists of nested records, such as the boards in analytics, are shown as tables.
  if (first && typeof first === 'object' && !('name' in first)) {
    return `${name}:\n${table(value as Row[], Object.keys(first)).text}`;
  }
  return `${name}: ${cell(name, value, 500)}`;
}

function part(text: string, offset: number, room: number): { text: string; hint?: string | undefined } {
  let shown = cutToBytes(text.slice(offset), room);
  // The `>` prefixes count toward the limit and can take more space than the text.
  for (let bytes = byteLength(quoted(shown)); bytes > room; bytes = byteLength(quoted(shown))) {
    shown = cutToBytes(shown, Math.floor((byteLength(shown) * room) / bytes) - 1);
  }
  const end = offset + shown.length;
  if (end >= text.length && offset === 0) return { text: shown };
  const more = end < text.length ? ` More: text_offset=${end}` : '';
  return { text: shown, hint: `Characters ${offset}-${end} of ${text.length} of the text.${more}` };
}

const quoted = (text: string): string => text.replace(/^/gm, '> ');
