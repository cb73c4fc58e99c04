import { isDeepStrictEqual } from 'node:util';
import type { SeenRows } from '../digest-table.js';
import { complete } from '../import-run.js';
import { ImportStoppedError } from '../import-stop.js';
import { rowError } from '../ledger-entry.js';
import type { RunSyncOptions } from '../options.js';
import type { ImportReport } from '../report.js';
import type { ImportedRecord } from '../target.js';
import { chooseTasks, openSync, type Sync } from './choose-tasks.js';
import { areAlike, type SyncFields } from './fields.js';
import {
  countTypes,
  isWrite,
  linkOf,
  type NoOperation,
  type SavedSyncPlan,
  type SyncOperation,
  valuesAfter,
} from './operation.js';
import { taskPerformer } from './perform-tasks.js';
import { hasNews, type SyncTask, taskWithoutEntry } from './task.js';

/**
 * The operations that a sync plans to perform. To get all operations except `unchanged` ones, iterate over the
 * plan.
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
 * Plans a sync without writing anything. The plan contains all changes, field by field, and is kept in
 * memory.
 *
 * @throws ImportStoppedError if the rows or the records can't be read
 * @throws LedgerError if the ledger belongs to another import or is in use
 * @throws ConfigurationError if an option is unknown or invalid
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
  const { tasks, report } = await planTasks(await openSync(options));
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
    apply: async () => applyTasks(await openSync(options), tasks, report),
    toJSON: () => ({ version: 1, scope: options.target.scope, counts, blockedRemovals, operations }),
  };
}

/** @returns the plan's tasks, and the report of the run that planned them */
async function planTasks<Row>(sync: Sync<Row>) {
  const { settings, runner } = sync;
  const tasks: SyncTask<Row>[] = [];
  const accept = async (task: SyncTask<Row>) => {
    const { operation } = task;
    const { reviewed } = settings;
    const isReviewed = () => isDeepStrictEqual(reviewed?.get(operation.key), toPlain(operation));
    if (reviewed && isWrite(operation) && !isReviewed())
      tasks.push({ ...task, operation: toStale(operation) });
    else if (operation.type !== 'unchanged' || hasNews(task)) tasks.push(task);
    else if (task.values) runner.tally.add('skipped');
  };
  const report = await complete('sync', runner, async () => {
    // A plan doesn't change the ledger.
    const seen = await chooseTasks(sync, accept, (row, key, cause) =>
      accept(taskWithoutEntry({ type: 'failed', key, error: rowError(cause) }, row)),
    );
    await planObsolete(sync, tasks, seen);
  });
  // An incomplete plan would look like a complete one.
  if (report.stopped) throw new ImportStoppedError(runner.options.signal?.reason, report, 'sync');
  return { tasks, report };
}

/**
 * Plans a `stale` operation for each reviewed operation that no longer applies and hasn't been performed.
 * Call this only after all other operations have been planned.
 */
async function planObsolete<Row>(
  { settings, target, runner, linked }: Sync<Row>,
  tasks: SyncTask<Row>[],
  seen: SeenRows,
): Promise<void> {
  const planned = new Set<string>();
  for (const { operation } of tasks) if (operation.type !== 'unchanged') planned.add(operation.key);
  const rest = [...(settings.reviewed?.values() ?? [])].filter(({ key }) => !planned.has(key));
  await runner.forEach(rest, async (expected) => {
    const { key } = expected;
    const entry = linked.entries.get(key);
    const record = entry && (await linked.get(entry));
    if (entry && isPerformed(target.updates.fields, expected, record)) return;
    const error = { message: obsoleteReason(expected, seen.has(key)) };
    tasks.push({ ...taskWithoutEntry({ ...toStale(expected), error }), entry });
  });
}

/** Converts an operation to plain data for a saved plan. */
const toPlain = (operation: SyncOperation): unknown => JSON.parse(JSON.stringify(operation));

/** Returns the operation to plan instead of one that differs from the reviewed plan. */
const toStale = (operation: SyncOperation): NoOperation => ({
  type: 'stale',
  ...linkOf(operation),
  title: operation.title,
});

/** Explains why the sync won't perform an operation from the reviewed plan. */
function obsoleteReason({ type }: SyncOperation, isSeen: boolean): string {
  if (type === 'archive' || type === 'delete')
    return isSeen ? 'the row is in the source again' : 'the sync no longer removes the record';
  return isSeen ? 'the row or its record has changed since the review' : 'the row is no longer in the source';
}

/** Returns whether a row's record is already in the state that an operation would put it in. */
function isPerformed<Found extends ImportedRecord>(
  fields: SyncFields<Found>,
  operation: SyncOperation,
  record: Found | undefined,
): boolean {
  if (!record) return operation.type === 'archive' || operation.type === 'delete';
  if (operation.type === 'delete') return false;
  if (operation.type === 'archive') return fields.archived?.read(record) === true;
  return !('changes' in operation) || areAlike(fields, valuesAfter(operation), record);
}

function applyTasks<Row>(
  sync: Sync<Row>,
  tasks: readonly SyncTask<Row>[],
  planned: ImportReport<Row>,
): Promise<ImportReport<Row>> {
  const { runner, linked } = sync;
  const { tally } = runner;
  for (const name of ['read', 'skipped', 'duplicates'] as const) tally.add(name, planned[name]);
  tally.blockedRemovals = planned.blockedRemovals;
  const { perform, finish } = taskPerformer(sync, { isReviewed: true });
  return complete('sync', runner, async () => {
    await linked.loadEntries();
    await runner.forEach(tasks, async (task) => {
      const { operation, row, entry } = task;
      // The entry is different if this plan has already been applied, or if another run has changed the row
      // since it was planned.
      const isUnresolved = operation.type === 'failed' || operation.type === 'unknown';
      if (isUnresolved || isDeepStrictEqual(linked.entries.get(row.key), entry)) await perform(task);
      else tally.addRow('stale', linkOf(operation));
    });
    await finish();
  });
}
