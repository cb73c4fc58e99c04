import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** Returns a ticket's searchable strings. Each string is searched separately. */
export const ticketTexts = ({ title, description_html }: TicketRow): string[] => [
  title,
  plainText(description_html ?? ''),
];

/** Returns a document's searchable strings. Each string is searched separately. */
export const documentTexts = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  plainText(content_html ?? ''),
];
