import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** What of a ticket can be searched. */
export const ticketText = ({ title, description_html }: TicketRow): string[] => [
  title,
  description_html ?? '',
];

/** What of a document can be searched. */
export const documentText = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  content_html ?? '',
];

/**
 * A test for records that contain the text, whatever its case.
 *
 * @returns a function of a record and of what gives its title, plain texts and, last, its HTML
 */
export function matcher(
  q: string,
): <Row extends object>(row: Row, textsOf: (row: Row) => string[]) => boolean {
  const needle = fold(q);
  return (row, textsOf) => {
    let text = folded.get(row);
    if (text === undefined) {
      const texts = textsOf(row);
      const html = texts.pop() ?? '';
      text = fold([...texts, plainText(html)].join('\0'));
      folded.set(row, text);
    }
    return text.includes(needle);
  };
}

/** Folded texts by record: a record never changes, so neither does its text. */
const folded = new WeakMap<object, string>();

/** Upper case, because it maps a text as the sum of its parts; lower case does not (final sigma). */
const fold = (text: string): string => text.toUpperCase();
