import type { Attempt, RowResult, RowWithRecord } from '../attempt.js';
import { isInDoubt, type LedgerEntry, type RowError } from '../ledger-entry.js';
import type { Tally } from '../report.js';
import type { Sync } from './choose-tasks.js';
import { isWrite, linkOf, type SyncOperation } from './operation.js';
import { saveUnwritten, syncAttempts } from './sync-row.js';
import { decide, type LinkedEntry, type SyncTask } from './task.js';

/**
 * Returns functions that perform a sync's operations and count the results.
 *
 * @param isReviewed whether a plan is being applied. If so, only the plan's operations are performed.
 */
export function taskPerformer<Row>(sync: Sync<Row>, { isReviewed }: { isReviewed: boolean }) {
  const { settings, target, runner, linked } = sync;
  const { tally, options } = runner;
  /** Rows that the API rejected, perhaps because a board was full. */
  let postponed: { task: SyncTask<Row>; entry: LedgerEntry; retry: () => Promise<void> }[] = [];

  async function perform(task: SyncTask<Row>): Promise<void> {
    const { operation, row } = task;
    const { key, original } = row;
    const error = 'error' in operation ? (operation.error as RowError) : undefined;
    if (operation.type === 'failed')
      return tally.addRow('failed', { key, state: 'failed', error, row: original });
    if (operation.type === 'unknown') {
      // The row may have been resolved since it was planned.
      const entry = await options.ledger.get(key);
      return isInDoubt(entry) ? tally.addRow('unknown', { ...entry, error }) : undefined;
    }
    if (!isWrite(operation)) {
      await saveUnwritten(task, options.ledger);
      return countOperation(tally, operation, task.values !== undefined);
    }
    if (operation.type === 'create' || operation.type === 'recreate') await create(task);
    else await write(task, attemptsOf(task));
  }

  /** Creates a row's record, and then sets the fields that a create request can't set. */
  async function create(task: SyncTask<Row>): Promise<void> {
    const { row } = task;
    const result = await runner.perform(row);
    if (result) conclude(task, result, () => create(task));
    if (result?.is !== 'created' && result?.is !== 'recovered') return;
    const rest = taskAfter(task, result);
    const last = isWrite(rest.operation) ? await runner.perform(row, attemptsOf(rest)) : undefined;
    if (last) runner.count(row, last);
  }

  /** If the row is rejected, its retry reuses the attempt, because some of its fields may have been written. */
  async function write(task: SyncTask<Row>, attempt: Attempt): Promise<void> {
    const result = await runner.perform(task.row, attempt);
    if (result) conclude(task, result, () => write(task, attempt));
  }

  function attemptsOf(task: SyncTask<Row>): Attempt {
    const reviewed = isReviewed ? task.operation : undefined;
    return syncAttempts(target, task, { policy: settings, read: linked.read, reviewed });
  }

  /** Returns the remaining task for a row whose record was just created. */
  function taskAfter({ row, values = {} }: SyncTask<Row>, { record, fields }: RowWithRecord): SyncTask<Row> {
    const { key, fingerprint } = row;
    const entry: LinkedEntry = { key, state: 'done', recordId: record.id, fingerprint, fields };
    linked.add(record);
    return decide(target.updates.fields, { row, values, entry }, record, settings);
  }

  /** Counts a row's result. If the API rejected the row, it's retried later. */
  function conclude(task: SyncTask<Row>, result: RowResult, retry: () => Promise<void>): void {
    if (result.is === 'synced') countOperation(tally, result.operation, task.values !== undefined);
    else if (result.is === 'stale') tally.addRow('stale', linkOf(task.operation));
    else if (result.is === 'failed' && result.entry.error?.status === 422)
      postponed.push({ task, entry: result.entry, retry });
    else runner.count(task.row, result);
  }

  /** Retries the rejected rows in rounds. Stops after a round in which no row succeeds. */
  async function finish(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; postponed.length < before; ) {
      const rows = new Set(postponed.splice(0));
      before = rows.size;
      await runner.forEach([...rows], (row) => {
        rows.delete(row);
        return row.retry();
      });
      // If the sync was stopped, some rows have not been retried.
      postponed = [...postponed, ...rows];
    }
    for (const { task, entry } of postponed) tally.addRow('failed', { ...entry, row: task.row.original });
    await runner.finish();
  }

  return { perform, finish };
}

/** @param isRow whether the row is in the source */
function countOperation<Row>(tally: Tally<Row>, operation: SyncOperation, isRow: boolean): void {
  const link = linkOf(operation);
  const { type } = operation;
  if ('conflicts' in operation && operation.conflicts?.length)
    tally.addRow('conflicts', { ...link, conflicts: operation.conflicts });
  if (type === 'update' || type === 'revive')
    tally.addRow('updated', { ...link, fields: Object.keys(operation.changes) });
  else if (type === 'archive') tally.add('archived');
  else if (type === 'delete') tally.add('deleted');
  else if (type === 'stale')
    tally.addRow('stale', { ...link, ...(operation.error && { error: operation.error }) });
  else if (type === 'gone' || type === 'recreate') tally.addRow('gone', link);
  else if (isRow) tally.add('skipped');
}
