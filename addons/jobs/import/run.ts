import { complete, importRows, storeFailure } from './import-run.js';
import { importSettings, type RunImportOptions, type RunSyncOptions } from './options.js';
import {
  type DocumentTargetOptions,
  documentTarget,
  type TicketTargetOptions,
  ticketTarget,
} from './record-targets.js';
import type { ImportReport } from './report.js';
import { chooseTasks, openSync } from './sync/choose-tasks.js';
import { taskPerformer } from './sync/perform-tasks.js';
import { planSync } from './sync/plan.js';

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
 * @throws ConfigurationError if an option is unknown or invalid
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
  return runImport<Row>({ ...run, target: ticketTarget({ client, project, toTicket, isMatch }) });
}

/**
 * Imports rows as documents. Each row becomes exactly one document or is reported. Works like
 * {@link importTickets}.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function importDocuments<Row>(options: ImportDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  return runImport<Row>({ ...run, target: documentTarget({ client, organization, toDocument, isMatch }) });
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

/** Options for {@link syncTickets}. */
export interface SyncTicketsOptions<Row>
  extends TicketTargetOptions<Row>,
    Omit<RunSyncOptions<Row>, 'target'> {}

/** Options for {@link syncDocuments}. */
export interface SyncDocumentsOptions<Row>
  extends DocumentTargetOptions<Row>,
    Omit<RunSyncOptions<Row>, 'target'> {}

/**
 * Syncs tickets with rows: creates, updates, moves, and unarchives tickets. If you set `onMissing`, archives
 * or deletes the tickets of missing rows. Fields that changed only in the ticket since the last sync are
 * kept. To continue an import or an earlier sync, pass its ledger.
 *
 * @throws ImportStoppedError if the sync can't continue, for example because `rows` throws. If `rows` throws,
 * no missing row's record is archived or deleted.
 * @throws LedgerError if the ledger belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const ledger = await fileLedger('tickets.ledger');
 * const report = await syncTickets({
 *   client, project, rows, ledger,
 *   key: (row) => row.id,
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 *   onMissing: 'archive',
 * });
 * console.log(report.created, report.updated, report.archived, report.conflictRows);
 * await ledger.close();
 * ```
 */
export async function syncTickets<Row>(options: SyncTicketsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, project, toTicket, isMatch, ...run } = options;
  return runSync<Row>({ ...run, target: ticketTarget({ client, project, toTicket, isMatch }) });
}

/**
 * Syncs documents with rows. Works like {@link syncTickets}.
 *
 * @throws ImportStoppedError if the sync can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function syncDocuments<Row>(options: SyncDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  return runSync<Row>({ ...run, target: documentTarget({ client, organization, toDocument, isMatch }) });
}

/** Syncs rows with a given target. */
async function runSync<Row>(options: RunSyncOptions<Row>): Promise<ImportReport<Row>> {
  // Plan the sync first so that its operations can be compared with those in the reviewed plan.
  if (options.reviewedPlan) return (await planSync(options)).apply();
  const sync = await openSync(options);
  const { perform, finish } = taskPerformer(sync, { isReviewed: false });
  return complete('sync', sync.runner, async () => {
    await chooseTasks(sync, perform, (row, key, cause) => storeFailure(sync.runner, row, key, cause));
    await finish();
  });
}
