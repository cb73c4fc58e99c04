import { withBook } from './book.js';
import { documentKind, ticketKind } from './records.js';
import { type SyncDocumentsOptions, type SyncTicketsOptions, syncSettings } from './sync-options.js';
import { describeTasks, planTasks } from './sync-plan.js';
import { type SyncPlan, type SyncReport, SyncStoppedError } from './sync-report.js';
import { reviewTasks } from './sync-review.js';
import { runSync, type SyncRun } from './sync-run.js';
import type { SyncKind } from './sync-state.js';
import { performTasks } from './sync-write.js';

/**
 * Syncs tickets with rows: creates, updates, moves, and unarchives tickets. With `onMissing`, it also archives
 * or deletes tickets whose rows are missing.
 *
 * - A field is written only if it changed in the source. If people changed it as well, it's a conflict.
 * - Fields that only people changed are left alone.
 * - What the server returns for a write counts as its stored form, so a server that changes values isn't written to
 *   again.
 * - Records are removed only after the source was read to its end, and only up to `maxRemovals`.
 *
 * Requires the `tickets:read` and `tickets:write` scopes, and `boards:read` for rows with a `board_slug`.
 *
 * @throws SyncStoppedError if the sync can't continue: the credential is rejected, the project doesn't exist,
 * the API is unavailable for too long, the book can't be written, or `rows` or `key` throws
 * @throws BookError if the book belongs to another job or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const book = sqliteBook('tickets.book');
 * const report = await syncTickets({
 *   client, project, rows, book,
 *   source: 'Jira',
 *   key: (row) => row.id,
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 *   onMissing: 'archive',
 * });
 * console.log(report.created, report.updated, report.archived, report.conflictRows);
 * await book.close();
 * ```
 */
export async function syncTickets<Row>(options: SyncTicketsOptions<Row>): Promise<SyncReport> {
  return sync(prepare('syncTickets', options));
}

/**
 * Syncs documents with rows. Works like {@link syncTickets}. Requires the `documents:read` and `documents:write`
 * scopes.
 *
 * @throws SyncStoppedError if the sync can't continue
 * @throws BookError if the book belongs to another job or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function syncDocuments<Row>(options: SyncDocumentsOptions<Row>): Promise<SyncReport> {
  return sync(prepare('syncDocuments', options));
}

/**
 * Plans a sync without writing to the API. The plan is plain data, so you can save it, review it, and pass it to
 * {@link syncTickets} or {@link syncDocuments} as `plan`. Values that the API would reject are `failed`
 * operations. If an operation no longer fits the source or the record when the plan is performed, it's reported
 * as stale.
 *
 * @throws SyncStoppedError if the rows or the records can't be read, or the signal aborts
 * @throws BookError if the book belongs to another job or is in use
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const plan = await planSync(options);
 * for (const { type, key, changes } of plan.operations) console.log(type, key, changes);
 * await syncTickets({ ...options, plan });
 * ```
 */
export async function planSync<Row>(
  options: SyncTicketsOptions<Row> | SyncDocumentsOptions<Row>,
): Promise<SyncPlan> {
  let plan: SyncPlan | undefined;
  const prepared = prepare('planSync', options);
  const describe = async (run: SyncRun<Row>) => {
    const described = await describeTasks(run, await planTasks(run));
    // An incomplete plan would look like a complete one.
    if (!run.control.isStopped) plan = described;
  };
  const report = await withBook(options.book, () => runSync(prepared, describe));
  if (plan) return plan;
  throw new SyncStoppedError(report, { cause: options.signal?.reason });
}

function sync<Row>(prepared: Pick<SyncRun<Row>, 'kind' | 'toPayload' | 'settings'>): Promise<SyncReport> {
  const perform = async (run: SyncRun<Row>) => performTasks(run, reviewTasks(run, await planTasks(run)));
  return withBook(prepared.settings.book, () => runSync(prepared, perform));
}

function prepare<Row>(name: string, options: SyncTicketsOptions<Row> | SyncDocumentsOptions<Row>) {
  const settings = syncSettings<Row>(name, options);
  if ('toDocument' in options) {
    const kind = documentKind(options.client, options) as unknown as SyncKind;
    return { kind, toPayload: options.toDocument, settings };
  }
  const kind = ticketKind(options.client, options.project) as unknown as SyncKind;
  return { kind, toPayload: options.toTicket, settings };
}
