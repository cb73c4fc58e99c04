import { complete, storeFailure } from '../import-run.js';
import type { RunSyncOptions } from '../options.js';
import {
  type DocumentTargetOptions,
  documentTarget,
  type TicketTargetOptions,
  ticketTarget,
} from '../record-targets.js';
import type { ImportReport } from '../report.js';
import { chooseTasks, openSync } from './choose-tasks.js';
import { taskPerformer } from './perform-tasks.js';
import { planSync } from './plan.js';

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
  return runSync({ ...run, target: ticketTarget({ client, project, toTicket, isMatch }) });
}

/**
 * Syncs documents with rows. Works like {@link syncTickets}.
 *
 * @throws ImportStoppedError if the sync can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 */
export async function syncDocuments<Row>(options: SyncDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  return runSync({ ...run, target: documentTarget({ client, organization, toDocument, isMatch }) });
}

/** Syncs rows with a given target. */
export async function runSync<Row>(options: RunSyncOptions<Row>): Promise<ImportReport<Row>> {
  // Plan the sync first so that its operations can be compared with those in the reviewed plan.
  if (options.reviewedPlan) return (await planSync(options)).apply();
  const sync = await openSync(options);
  const { perform, finish } = taskPerformer(sync, { isReviewed: false });
  return complete('sync', sync.runner, async () => {
    await chooseTasks(sync, perform, (row, key, cause) => storeFailure(sync.runner, row, key, cause));
    await finish();
  });
}
