import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** What of a ticket `q` looks in; no search finds text across two of them. */
export const ticketTexts = ({ title, description_html }: TicketRow): string[] => [
  title,
  plainText(description_html ?? ''),
];

/** What of a document `q` looks in. */
export const documentTexts = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  plainText(content_html ?? ''),
];
