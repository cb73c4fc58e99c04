import type { DocumentRow, TicketRow } from '../state/rows.js';
import { plainText } from './plain-text.js';

/** What of a ticket `q` looks in; no search finds text across two fields. */
export const ticketText = ({ title, description_html }: TicketRow): string =>
  `${title}\0${plainText(description_html ?? '')}`;

/** What of a document `q` looks in. */
export const documentText = ({ title, caption, content_html }: DocumentRow): string =>
  `${title}\0${caption ?? ''}\0${plainText(content_html ?? '')}`;
