import type { RowResult, RowWithRecord } from '../attempt.js';
import { isInDoubt, type LedgerEntry, type RowError } from '../ledger-entry.js';
import type { Tally } from '../report.js';
import type { Attempt } from '../row-runner.js';
import type { Sync } from './choose-tasks.js';
import { isWrite, linkOf, type SyncOperation } from './operation.js';
import { saveUnwritten, syncAttempts } from './sync-row.js';
import { decide, type LinkedEntry, type SyncTask } from './task.js';

interface PostponedRow<Row> {
  task: SyncTask<Row>;
  entry: LedgerEntry;
  retry: () => Promise<void>;
}

/** Performs a sync's operations, and counts the results. */
export class TaskPerformer<Row> {
  readonly #sync: Sync<Row>;
  /** Whether a plan is being applied. If so, only the plan's operations are performed. */
  readonly #isReviewed: boolean;
  /** Rows that the API rejected, perhaps because a board was full. */
  #postponed: PostponedRow<Row>[] = [];

  constructor(sync: Sync<Row>, { isReviewed }: { isReviewed: boolean }) {
    this.#sync = sync;
    this.#isReviewed = isReviewed;
  }

  async perform(task: SyncTask<Row>): Promise<void> {
    const { operation, row } = task;
    const { options, runner } = this.#sync;
    const { key, original } = row;
    if (operation.type === 'failed') {
      const error = operation.error as RowError;
      return runner.tally.addRow('failed', { key, state: 'failed', error, row: original });
    }
    if (operation.type === 'unknown') {
      // The row may have been resolved since it was planned.
      const entry = await options.ledger.get(key);
      const error = operation.error as RowError;
      return isInDoubt(entry) ? runner.tally.addRow('unknown', { ...entry, error }) : undefined;
    }
    if (!isWrite(operation)) {
      await saveUnwritten(task, options.ledger);
      return countOperation(runner.tally, operation, task.values !== undefined);
    }
    if (operation.type !== 'create' && operation.type !== 'recreate')
      return this.#write(task, this.#attemptsOf(task));
    const result = await runner.perform(row);
    if (result) this.#conclude(task, result, () => this.perform(task));
    if (result?.is !== 'created' && result?.is !== 'recovered') return;
    const rest = this.#taskAfter(task, result);
    const last = isWrite(rest.operation) ? await runner.perform(row, this.#attemptsOf(rest)) : undefined;
    if (last) runner.count(row, last);
  }

  /** Writes a row's record. A rejected row continues with the same attempts, because some fields may be written. */
  async #write(task: SyncTask<Row>, attempt: Attempt): Promise<void> {
    const result = await this.#sync.runner.perform(task.row, attempt);
    if (result) this.#conclude(task, result, () => this.#write(task, attempt));
  }

  #attemptsOf(task: SyncTask<Row>): Attempt {
    const { target, settings, linked } = this.#sync;
    const reviewed = this.#isReviewed ? task.operation : undefined;
    return syncAttempts(target, task, { policy: settings, read: linked.read, reviewed });
  }

  /** Returns the remaining task for a row whose record was just created. */
  #taskAfter({ row, values = {} }: SyncTask<Row>, { record, fields }: RowWithRecord): SyncTask<Row> {
    const { target, settings, linked } = this.#sync;
    const { key, fingerprint } = row;
    const entry: LinkedEntry = { key, state: 'done', recordId: record.id, fingerprint, fields };
    linked.add(record);
    return decide(target.updates.fields, { row, values, entry }, record, settings);
  }

  /** Counts a row's result. If the API rejected the row, it's retried later. */
  #conclude(task: SyncTask<Row>, result: RowResult, retry: () => Promise<void>): void {
    const { runner } = this.#sync;
    if (result.is === 'synced') countOperation(runner.tally, result.operation, task.values !== undefined);
    else if (result.is === 'stale') runner.tally.addRow('stale', linkOf(task.operation));
    else if (result.is === 'failed' && result.entry.error?.status === 422)
      this.#postponed.push({ task, entry: result.entry, retry });
    else runner.count(task.row, result);
  }

  /** Retries the rows that the API rejected, as long as some of the rows succeed. */
  async finish(): Promise<void> {
    const { runner } = this.#sync;
    for (let before = Number.POSITIVE_INFINITY; this.#postponed.length < before; ) {
      const rows = new Set(this.#postponed.splice(0));
      before = rows.size;
      await runner.forEach([...rows], (row) => {
        rows.delete(row);
        return row.retry();
      });
      // If the sync is stopped, some rows haven't been retried.
      this.#postponed = [...this.#postponed, ...rows];
    }
    for (const { task, entry } of this.#postponed)
      runner.tally.addRow('failed', { ...entry, row: task.row.original });
    await runner.finish();
  }
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
