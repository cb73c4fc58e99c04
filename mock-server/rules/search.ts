import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** The strings of a ticket that `q` searches, each separately. */
export const ticketTexts = ({ title, description_html }: TicketRow): string[] => [
  title,
  plainText(description_html ?? ''),
];

/** The strings of a document that `q` searches, each separately. */
export const documentTexts = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  plainText(content_html ?? ''),
];
