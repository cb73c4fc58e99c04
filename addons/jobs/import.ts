import { withBook } from './book.js';
import { type ImportDocumentsOptions, type ImportTicketsOptions, importSettings } from './import-options.js';
import type { ImportReport } from './import-report.js';
import { ImportRun } from './import-run.js';
import { documentKind, ticketKind } from './records.js';

/**
 * Imports rows as tickets. Each row becomes exactly one ticket or is reported, even if responses are lost, the
 * process is killed, or a later run uses another machine and a new book. Each ticket ends with a mark that
 * contains its row's key. Before a run creates its first ticket, it reads the marks of the project's tickets.
 *
 * A row whose response was lost is in doubt. After all other rows, the import reads the marks again, and creates
 * the tickets that don't exist. Two runs with different books at the same time can create two tickets for a
 * row. The next run with a new book reports them.
 *
 * Requires the `tickets:read` and `tickets:write` scopes.
 *
 * @throws ImportStoppedError if the import can't continue: the credential is rejected, the project doesn't
 * exist, the API is unavailable for too long, the book can't be written, or `rows` or `key` throws
 * @throws BookError if the book belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const book = sqliteBook('tickets.book');
 * const report = await importTickets({
 *   client, project, rows, book,
 *   source: 'Jira',
 *   key: (row) => row.id,
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 * });
 * console.log(report.created, report.failedRows, report.unknownRows, report.duplicates);
 * await book.close();
 * ```
 */
export async function importTickets<Row>(options: ImportTicketsOptions<Row>): Promise<ImportReport<Row>> {
  const settings = importSettings('ticket', options);
  const run = new ImportRun(ticketKind(options.client, options.project), options.toTicket, settings);
  return withBook(settings.book, () => run.run());
}

/**
 * Imports rows as documents. Works like {@link importTickets}. Requires the `documents:read` and
 * `documents:write` scopes.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws BookError if the book belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function importDocuments<Row>(options: ImportDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const settings = importSettings('document', options);
  const run = new ImportRun(documentKind(options.client, options), options.toDocument, settings);
  return withBook(settings.book, () => run.run());
}
