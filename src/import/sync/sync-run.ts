import { isDeepStrictEqual } from 'node:util';
import { WorktrackError } from '../../errors/index.js';
import { forSync } from '../import-row.js';
import { ImportRun } from '../import-run.js';
import { isInDoubt, type LedgerEntry, type RowError } from '../ledger.js';
import { titleOf } from '../lookup.js';
import type { ImportSettings, RunImportOptions, SyncSettings } from '../options.js';
import type { ImportReport } from '../report.js';
import { type ClaimedRecord, type FinalStep, type PreparedRow, rowError } from '../row.js';
import { ImportStoppedError } from '../run-control.js';
import { LinkedRecords } from './linked-records.js';
import {
  countOperation,
  isPerformed,
  isWrite,
  linkOf,
  obsoleteReason,
  type SyncOperation,
  toPlain,
  toStale,
  valuesAfter,
} from './operation.js';
import { saveUnwritten, syncSteps, type UpdatableTarget } from './sync-row.js';
import {
  decide,
  findMissing,
  hasNews,
  type LinkedEntry,
  missingRow,
  type SyncTask,
  taskWithoutEntry,
} from './task.js';

/** Syncs rows, plans a sync, or applies a plan. Chooses an operation for each row. */
export class SyncRun<Row> extends ImportRun<Row> {
  protected override readonly name = 'sync';
  readonly #settings: SyncSettings;
  readonly #target: UpdatableTarget<Row>;
  readonly #linked: LinkedRecords<Row>;
  /** The planned tasks. Undefined if the operations are performed. */
  #planned: SyncTask<Row>[] | undefined;
  /** Whether a plan is being applied. If so, only the plan's operations are performed. */
  #isReviewed = false;
  /** Rows that the API rejected, perhaps because a board was full. */
  #postponed: PostponedRow<Row>[] = [];

  constructor(options: RunImportOptions<Row>, settings: ImportSettings, sync: SyncSettings) {
    super({ ...options, target: forSync(options.target) }, settings);
    this.#settings = sync;
    this.#target = options.target as UpdatableTarget<Row>;
    this.#linked = new LinkedRecords(this.#target, this.ledger, this.runner);
  }

  /** Chooses an operation for each row without writing anything. */
  async plan(): Promise<{ tasks: SyncTask<Row>[]; report: ImportReport<Row> }> {
    const tasks: SyncTask<Row>[] = [];
    this.#planned = tasks;
    const report = await this.complete(() => this.readRows());
    // An incomplete plan would look like a complete one.
    if (report.stopped) throw new ImportStoppedError(this.options.signal?.reason, report, this.name);
    return { tasks, report };
  }

  /** Performs the operations in a plan. */
  apply(tasks: readonly SyncTask<Row>[], planned: ImportReport<Row>): Promise<ImportReport<Row>> {
    for (const name of ['read', 'skipped', 'duplicates'] as const) this.tally.add(name, planned[name]);
    this.tally.blockedRemovals = planned.blockedRemovals;
    this.#isReviewed = true;
    return this.complete(async () => {
      await this.#linked.loadEntries();
      await this.runner.forEach(tasks, async (task) => {
        const { operation, row, entry } = task;
        // The entry is different if this plan has already been applied, or if another run has changed the row
        // since it was planned.
        const isUnresolved = operation.type === 'failed' || operation.type === 'unknown';
        if (isUnresolved || isDeepStrictEqual(this.#linked.entries.get(row.key), entry))
          await this.#perform(task);
        else this.tally.addRow('stale', linkOf(operation));
      });
      await this.finish();
    });
  }

  protected override async readRows(): Promise<void> {
    await this.#linked.load();
    await super.readRows();
  }

  protected override async process(row: PreparedRow<Row>): Promise<void> {
    let task: SyncTask<Row>;
    try {
      task = await this.#taskFor(row);
    } catch (error) {
      // An API error also affects other rows, so it isn't reported as a failed conversion.
      if (error instanceof WorktrackError) throw error;
      return this.failConversion(row.original, row.key, error);
    }
    return this.#accept(task);
  }

  async #taskFor(row: PreparedRow<Row>): Promise<SyncTask<Row>> {
    const { updates } = this.#target;
    const values = await this.runner.read(async (context) => updates.valuesOf(row.payload, context));
    const { key } = row;
    const entry = this.#linked.entries.get(key);
    if (!entry) {
      const operation: SyncOperation = { type: 'create', key, title: titleOf(values), after: values };
      return { row, values, operation, entry: undefined };
    }
    const task = await this.#linked.decide({ row, values, entry }, this.#settings);
    const { operation } = task;
    const error = 'changes' in operation ? updates.check?.(valuesAfter(operation)) : undefined;
    if (!error) return task;
    const failed = { type: 'failed', key, title: operation.title, error: rowError(error) } as const;
    return { ...taskWithoutEntry(failed), row };
  }

  protected override async failConversion(row: Row, key: string, cause: unknown): Promise<void> {
    // A plan doesn't change the ledger.
    if (this.#planned) await this.reportFailed(row, key, rowError(cause));
    else await this.storeFailure(row, key, cause);
  }

  protected override reportFailed(row: Row, key: string, error: RowError): Promise<void> {
    return this.#accept(taskWithoutEntry({ type: 'failed', key, error }, row));
  }

  protected override reportUnknown({ key }: LedgerEntry, error: RowError): Promise<void> {
    return this.#accept(taskWithoutEntry({ type: 'unknown', key, error }));
  }

  protected override async finishReading(): Promise<void> {
    const { stop } = this.runner;
    await this.#removeMissing();
    if (!stop.isStopped) await super.finishReading();
    if (!stop.isStopped) await this.#planObsolete();
  }

  /** Archives or deletes the records of missing rows. */
  async #removeMissing(): Promise<void> {
    const { onMissing, maxRemovals } = this.#settings;
    if (onMissing === 'keep') return;
    const entries = [...this.#linked.entries.values()];
    const { read } = this.tally.counts;
    const { missing, isBlocked } = findMissing(entries, (key) => this.isSeen(key), { read, maxRemovals });
    if (isBlocked) this.tally.blockedRemovals = missing.length;
    else
      await this.runner.forEach(missing, async (entry) =>
        this.#accept(await this.#linked.decide({ ...missingRow(entry), entry }, this.#settings)),
      );
  }

  /**
   * Plans a `stale` operation for each reviewed operation that no longer applies and hasn't been performed.
   * Call this only after all other operations have been planned.
   */
  async #planObsolete(): Promise<void> {
    const planned = this.#planned;
    const { reviewed } = this.#settings;
    if (!planned || !reviewed) return;
    const listed = new Set<string>();
    for (const { operation } of planned) if (operation.type !== 'unchanged') listed.add(operation.key);
    const rest = [...reviewed.values()].filter(({ key }) => !listed.has(key));
    await this.runner.forEach(rest, async (expected) => {
      const { key } = expected;
      const entry = this.#linked.entries.get(key);
      const record = entry && (await this.#linked.get(entry));
      if (entry && isPerformed(this.#target.updates.fields, expected, record)) return;
      const error = { message: obsoleteReason(expected, this.isSeen(key)) };
      planned.push({ ...taskWithoutEntry({ ...toStale(expected), error }), entry });
    });
  }

  /** Performs a task, or adds it to the plan. */
  async #accept(task: SyncTask<Row>): Promise<void> {
    if (!this.#planned) return this.#perform(task);
    const { operation } = task;
    const { reviewed } = this.#settings;
    if (
      reviewed &&
      isWrite(operation) &&
      !isDeepStrictEqual(reviewed.get(operation.key), toPlain(operation))
    ) {
      this.#planned.push({ ...task, operation: toStale(operation) });
    } else if (operation.type === 'unchanged' && !hasNews(task)) {
      if (task.values) this.tally.add('skipped');
    } else this.#planned.push(task);
  }

  async #perform(task: SyncTask<Row>): Promise<void> {
    const { operation, row } = task;
    if (operation.type === 'failed')
      return super.reportFailed(row.original, row.key, operation.error as RowError);
    if (operation.type === 'unknown') {
      // The row may have been resolved since it was planned.
      const entry = await this.ledger.get(row.key);
      if (isInDoubt(entry)) await super.reportUnknown(entry, operation.error as RowError);
      return;
    }
    if (!isWrite(operation)) {
      await saveUnwritten(task, this.ledger);
      return countOperation(this.tally, operation, task.values !== undefined);
    }
    if (operation.type !== 'create' && operation.type !== 'recreate')
      return this.#write(task, this.#stepsOf(task));
    const step = await this.runner.perform(row);
    if (step) this.#conclude(task, step, () => this.#perform(task));
    if (step?.is !== 'created' && step?.is !== 'recovered') return;
    const rest = this.#taskAfter(task, step);
    const last = isWrite(rest.operation) ? await this.runner.perform(row, this.#stepsOf(rest)) : undefined;
    if (last) this.runner.count(row, last);
  }

  /** Writes a row's record. A rejected row continues with the same steps, because some fields may be written. */
  async #write(task: SyncTask<Row>, steps: SyncSteps): Promise<void> {
    const step = await this.runner.perform(task.row, steps);
    if (step) this.#conclude(task, step, () => this.#write(task, steps));
  }

  #stepsOf(task: SyncTask<Row>): SyncSteps {
    const reviewed = this.#isReviewed ? task.operation : undefined;
    return syncSteps(this.#target, task, { policy: this.#settings, read: this.#linked.read, reviewed });
  }

  /** Returns the remaining task for a row whose record was just created. */
  #taskAfter({ row, values = {} }: SyncTask<Row>, { record, fields }: ClaimedRecord): SyncTask<Row> {
    const { key, fingerprint } = row;
    const entry: LinkedEntry = { key, state: 'done', recordId: record.id, fingerprint, fields };
    this.#linked.add(record);
    return decide(this.#target.updates.fields, { row, values, entry }, record, this.#settings);
  }

  /** Counts the result of a row's final step. If the API rejected the row, it's retried later. */
  #conclude(task: SyncTask<Row>, step: FinalStep, retry: () => Promise<void>): void {
    if (step.is === 'synced') countOperation(this.tally, step.operation, task.values !== undefined);
    else if (step.is === 'stale') this.tally.addRow('stale', linkOf(task.operation));
    else if (step.is === 'failed' && step.entry.error?.status === 422)
      this.#postponed.push({ task, entry: step.entry, retry });
    else this.runner.count(task.row, step);
  }

  /** Retries the rows that the API rejected, until none of them succeeds. */
  protected override async finish(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#postponed.length < before; ) {
      const rows = new Set(this.#postponed.splice(0));
      before = rows.size;
      await this.runner.forEach([...rows], (row) => {
        rows.delete(row);
        return row.retry();
      });
      // If the sync is stopped, some rows haven't been retried.
      this.#postponed = [...this.#postponed, ...rows];
    }
    for (const { task, entry } of this.#postponed)
      this.tally.addRow('failed', { ...entry, row: task.row.original });
    await super.finish();
  }
}

type SyncSteps = ReturnType<typeof syncSteps>;

interface PostponedRow<Row> {
  task: SyncTask<Row>;
  entry: LedgerEntry;
  retry: () => Promise<void>;
}
