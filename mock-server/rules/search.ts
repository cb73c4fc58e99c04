import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** Returns the ticket's strings that `q` searches. Each is searched separately. */
export const ticketTexts = ({ title, description_html }: TicketRow): string[] => [
  title,
  plainText(description_html ?? ''),
];

/** Returns the document's strings that `q` searches. Each is searched separately. */
export const documentTexts = ({ title, caption, content_html }: DocumentRow): string[] => [
  title,
  caption ?? '',
  plainText(content_html ?? ''),
];
