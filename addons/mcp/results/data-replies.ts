import { cleanText } from '../text/clean-text.js';
import { htmlToMarkdown } from '../text/markdown.js';
import { byteLength, cutToJsonBytes, maxDataBytes, type Part, type Reply } from './reply.js';
import { cell, type Row, table, withState } from './table.js';

export interface ListPage {
  rows: readonly Row[];
  page: number;
  perPage: number;
  total: number;
  /** Whether there is another page. */
  hasNext: boolean;
  /** A sentence about how the list was read. */
  note?: string | undefined;
}

/** Formats a page of a list and explains how to get the next rows. */
export function listReply(noun: string, list: ListPage, fields: readonly string[], group?: string): Reply {
  const { rows, page, perPage, total, hasNext } = list;
  const note = list.note ? ` ${list.note}` : '';
  const offset = (page - 1) * perPage;
  if (rows.length === 0) {
    const hint =
      page > 1 && total > 0 ? 'This page is past the end of the list. Start at page=1.' : undefined;
    return { heading: `No ${noun}${page > 1 ? ` on page ${page}` : ''}; ${total} in total.${note}`, hint };
  }
  const marked = withState(rows, fields);
  const shownTable = table(marked.rows, marked.fields, { group });
  const { shown } = shownTable;
  const data = [shownTable];
  const heading = `${noun} ${offset + 1}-${offset + shown} of ${total}${note && `.${note}`}`;
  if (shown < rows.length) return { heading, data, hint: smallerPages(offset + shown, shown) };
  return { heading, data, hint: hasNext ? `More: page=${page + 1}` : undefined };
}

/** Suggests a page size that fits, and the page to request next. */
function smallerPages(next: number, shown: number): string {
  const perPage = [100, 50, 20, 10, 5].find((size) => size <= shown) ?? 1;
  return `This page was cut off at the size limit. More: per_page=${perPage} page=${Math.floor(next / perPage) + 1}`;
}

interface RecordView {
  /** The fields to show. @defaultValue all fields with a value, except HTML fields */
  fields?: readonly string[] | undefined;
  /** The HTML field to show after the other fields. */
  longText?: string | undefined;
  /** Whether to show the long text as HTML instead of Markdown. */
  isHtml?: boolean | undefined;
  /** The character offset at which the long text starts. @defaultValue 0 */
  textOffset?: number | undefined;
}

/**
 * Formats a record with one field per line. The long text comes last.
 *
 * @param view set if the record was requested. Otherwise, values are shortened to 500 characters, because the
 * model wrote them itself.
 */
export function recordReply(heading: string, record: Row, view?: RecordView): Reply {
  const { fields, longText, isHtml = false, textOffset = 0 } = view ?? {};
  const names =
    fields ?? Object.keys(record).filter((name) => record[name] !== null && !name.endsWith('_html'));
  const shortNames = names.filter((name) => name !== longText);
  const long = view && recordPart(record, shortNames, 5000);
  const isTooLong = long && byteLength(JSON.stringify(long.value)) > maxDataBytes - 1500;
  const part = long && !isTooLong ? long : recordPart(record, shortNames, 500);
  const shortened = isTooLong
    ? 'Long values were shortened; to get one in full, pass its name in fields.'
    : undefined;
  const data = shortNames.length > 0 ? [part] : [];
  const longValue = longText && (!fields || fields.includes(longText)) ? record[longText] : undefined;
  if (typeof longValue !== 'string') return { heading, data, hint: shortened };
  const { markdown, hasHidden } = isHtml
    ? { markdown: cleanText(longValue), hasHidden: false }
    : htmlToMarkdown(longValue);
  const { text, hint } = section(
    markdown,
    textOffset,
    Math.max(1000, maxDataBytes - byteLength(JSON.stringify(part.value)) - 200),
  );
  const hidden = hasHidden ? 'Text that browsers hide was omitted.' : undefined;
  const name = `${longText} as ${isHtml ? 'HTML' : 'Markdown'}`;
  return {
    heading,
    data,
    text: { name, value: text },
    hint: [shortened, hidden, hint].filter(Boolean).join(' ') || undefined,
  };
}

function recordPart(record: Row, names: readonly string[], length: number): Part {
  const lines = names.map((name) => line(name, record[name], length));
  return {
    text: lines.map(([name, text, separator]) => `${name}:${separator}${text}`).join('\n'),
    value: Object.fromEntries(lines),
  };
}

/** Returns a field's name and value, and the separator between them. */
function line(name: string, value: unknown, length: number): [name: string, text: string, separator: string] {
  const [first] = Array.isArray(value) ? value : [];
  // Show lists of nested records, such as the boards in analytics, as tables.
  if (first && typeof first === 'object' && !('name' in first)) {
    return [name, table(value as Row[], Object.keys(first)).text, '\n'];
  }
  return [name, cell(name, value, length), ' '];
}

function section(text: string, offset: number, room: number): { text: string; hint?: string | undefined } {
  const shown = cutToJsonBytes(text.slice(offset), room);
  const end = offset + shown.length;
  if (end >= text.length && offset === 0) return { text: shown };
  const more = end < text.length ? ` More: text_offset=${end}` : '';
  return { text: shown, hint: `Showing characters ${offset}-${end} of ${text.length}.${more}` };
}
