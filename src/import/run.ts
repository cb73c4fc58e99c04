import { ImportRun } from './import-run.js';
import { importSettings, type RunImportOptions, type SyncOptions, syncSettings } from './options.js';
import {
  type DocumentTargetOptions,
  documentTarget,
  type TicketTargetOptions,
  ticketTarget,
} from './record-targets.js';
import type { ImportReport } from './report.js';
import { isWrite, type SavedSyncPlan, type SyncOperation } from './sync/operation.js';
import { SyncRun } from './sync/sync-run.js';

/** Options for {@link importTickets}. */
export interface ImportTicketsOptions<Row>
  extends TicketTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/** Options for {@link importDocuments}. */
export interface ImportDocumentsOptions<Row>
  extends DocumentTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/** Options for a sync with a given target. */
export interface RunSyncOptions<Row> extends Omit<RunImportOptions<Row>, 'onChange'>, SyncOptions {}

/** Options for {@link syncTickets}. */
export interface SyncTicketsOptions<Row>
  extends TicketTargetOptions<Row>,
    Omit<RunSyncOptions<Row>, 'target'> {}

/** Options for {@link syncDocuments}. */
export interface SyncDocumentsOptions<Row>
  extends DocumentTargetOptions<Row>,
    Omit<RunSyncOptions<Row>, 'target'> {}

/**
 * The operations that a sync plans to perform. To get all operations except those that do nothing, iterate
 * over the plan.
 */
export interface SyncPlan<Row> extends AsyncIterable<SyncOperation> {
  /** The number of rows by type of operation. */
  readonly counts: Readonly<Record<SyncOperation['type'], number>>;
  /** Whether there is nothing to write. */
  readonly isEmpty: boolean;
  /**
   * The number of missing rows whose records are kept. Records are kept if the source is empty or more than
   * `maxRemovals` rows are missing.
   */
  readonly blockedRemovals: number;
  /**
   * Performs the operations. Checks each record before writing it. If the record or the ledger has changed
   * since the sync was planned, reports the row as `stale` instead.
   *
   * @throws ImportStoppedError if the sync can't continue
   */
  apply(): Promise<ImportReport<Row>>;
  /**
   * Returns the plan for `JSON.stringify()`. To perform exactly these operations later, pass the saved plan
   * as `reviewedPlan`.
   */
  toJSON(): SavedSyncPlan;
}

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
export function importTickets<Row>(options: ImportTicketsOptions<Row>): Promise<ImportReport<Row>> {
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
export function importDocuments<Row>(options: ImportDocumentsOptions<Row>): Promise<ImportReport<Row>> {
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
  return new ImportRun(run, settings).run();
}

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
export function syncTickets<Row>(options: SyncTicketsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, project, toTicket, isMatch, ...run } = options;
  return runSync({ ...run, target: ticketTarget({ client, project, toTicket, isMatch }) });
}

/**
 * Syncs documents with rows. Works like {@link syncTickets}.
 *
 * @throws ImportStoppedError if the sync can't continue
 * @throws LedgerError if the ledger belongs to another import or is in use
 */
export function syncDocuments<Row>(options: SyncDocumentsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, organization, toDocument, isMatch, ...run } = options;
  return runSync({ ...run, target: documentTarget({ client, organization, toDocument, isMatch }) });
}

/**
 * Plans a sync without writing anything. The plan contains all changes, field by field, and is kept in
 * memory.
 *
 * @throws ImportStoppedError if the rows or the records can't be read
 * @throws LedgerError if the ledger belongs to another import or is in use
 *
 * @example
 * ```ts
 * const plan = await planSync({
 *   target: ticketTarget({ client, project, toTicket }),
 *   rows, ledger,
 *   key: (row) => row.id,
 * });
 * for await (const operation of plan) console.log(operation);
 * await plan.apply();
 * ```
 */
export async function planSync<Row>(options: RunSyncOptions<Row>): Promise<SyncPlan<Row>> {
  const { tasks, report } = await (await openSync(options)).plan();
  const operations = tasks.map(({ operation }) => operation).filter(({ type }) => type !== 'unchanged');
  const counts = countTypes(operations);
  counts.unchanged = report.skipped + tasks.length - operations.length;
  const { blockedRemovals } = report;
  return {
    counts,
    isEmpty: !operations.some(isWrite),
    blockedRemovals,
    async *[Symbol.asyncIterator]() {
      yield* operations;
    },
    apply: async () => (await openSync(options)).apply(tasks, report),
    toJSON: () => ({ version: 1, scope: options.target.scope, counts, blockedRemovals, operations }),
  };
}

async function runSync<Row>(options: RunSyncOptions<Row>): Promise<ImportReport<Row>> {
  // Plan the sync first so that its operations can be compared with those in the reviewed plan.
  if (options.reviewedPlan) return (await planSync(options)).apply();
  return (await openSync(options)).run();
}

async function openSync<Row>(options: RunSyncOptions<Row>): Promise<SyncRun<Row>> {
  const { onConflict, onGone, onMissing, maxRemovals, reviewedPlan, ...run } = options;
  const settings = importSettings(run);
  const sync = syncSettings(options);
  await options.ledger.bind(options.target.scope);
  return new SyncRun(run, settings, sync);
}

function countTypes(operations: readonly SyncOperation[]): Record<SyncOperation['type'], number> {
  const counts = {
    create: 0,
    recreate: 0,
    update: 0,
    revive: 0,
    archive: 0,
    delete: 0,
    conflict: 0,
    gone: 0,
    stale: 0,
    failed: 0,
    unknown: 0,
    unchanged: 0,
  };
  for (const { type } of operations) counts[type]++;
  return counts;
}
