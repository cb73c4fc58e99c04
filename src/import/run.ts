import { importRows } from './import-run.js';
import { importSettings, type RunImportOptions } from './options.js';
import {
  type DocumentTargetOptions,
  documentTarget,
  type TicketTargetOptions,
  ticketTarget,
} from './record-targets.js';
import type { ImportReport } from './report.js';
import { runSync } from './sync/run-sync.js';

/** Options for {@link importTickets}. */
export interface ImportTicketsOptions<Row>
  extends TicketTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/** Options for {@link importDocuments}. */
export interface ImportDocumentsOptions<Row>
  extends DocumentTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/**
 * Imports rows as tickets. Each row becomes exactly one ticket or is reported, even if responses are lost or
 * the process is killed. Run the import again with the same ledger to continue.
 *
 * @throws ImportStoppedError if the import can't continue: the credential is rejected, the project doesn't
 * exist, the API is unavailable from the start, the ledger can't be written to, or `rows` throws
 * @throws LedgerError if the ledger belongs to another import or is in use
 *
 * @example
 * ```ts
 * const ledger = await fileLedger('tickets.ledger');
 * const report = await importTickets({
 *   client, project, rows, ledger,
 *   key: (row) => row.id,
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 * });
 * console.log(report.created, report.failed, report.unknown);
 * await ledger.close();
 * ```
 */
export async function importTickets<Row>(options: ImportTicketsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, project, toTicket, isMatch, ...run } = options;
  const target = ticketTarget({ client, project, toTicket, isMatch });
  return runImport<Row>({ ...run, target });
}

/**
 * Imports rows as documents. Each row becomes exactly one document or is reported. Works like
 * {@link importTickets}.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 */
export async function importDocuments<Row>(options: ImportDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  const target = documentTarget({ client, organization, toDocument, isMatch });
  return runImport<Row>({ ...run, target });
}

/**
 * Imports rows so that each row becomes exactly one record or is reported, even if responses are lost or the
 * process is killed. `importTickets` and `importDocuments` use this function. Call it directly to import other
 * kinds of records.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function runImport<Row>(options: RunImportOptions<Row>): Promise<ImportReport<Row>> {
  const { onChange, ...run } = options;
  const settings = importSettings(options);
  if (onChange === 'update') return runSync({ ...run, onMissing: 'keep' });
  await run.ledger.bind(run.target.scope);
  return importRows(run, settings);
}
