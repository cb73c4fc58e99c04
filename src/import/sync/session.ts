import { isDeepStrictEqual } from 'node:util';
import type { ClaimedRecord, Step } from '../import-row.js';
import { isInDoubt, type Ledger, type LedgerEntry, type RowError } from '../ledger.js';
import type { RunImportOptions, SyncSettings } from '../options.js';
import type { LinkedRow, Tally } from '../report.js';
import type { PreparedRow } from '../row.js';
import { RowSource, rowError, rowWithoutPayload } from '../row.js';
import type { RowRunner } from '../row-runner.js';
import type { FieldValues } from './fields.js';
import { LinkedRecords } from './linked-records.js';
import {
  decide,
  decideRemoval,
  findMissing,
  isPerformed,
  isWrite,
  type LinkedEntry,
  type NoOperation,
  type SyncOperation,
  type SyncTask,
  toPlain,
  valuesAfter,
} from './operation.js';
import { hasNews, saveUnwritten, syncSteps, type UpdatableTarget } from './sync-row.js';

/** Chooses the operation for each row of a sync, and performs it or adds it to a plan. */
export class SyncSession<Row> {
  /** The planned tasks. Undefined if the operations are performed. */
  planned: SyncTask<Row>[] | undefined;
  readonly #settings: SyncSettings;
  readonly #target: UpdatableTarget<Row>;
  readonly #ledger: Ledger;
  readonly #runner: RowRunner<Row>;
  readonly #tally: Tally<Row>;
  /** Whether a plan is being applied. If so, only the plan's operations are performed. */
  #isReviewed = false;
  /** Rows that the API rejected, perhaps because a board was full. */
  #postponed: { task: SyncTask<Row>; entry: LedgerEntry }[] = [];
  readonly #linked: LinkedRecords<Row>;

  constructor(
    { target, ledger }: Pick<RunImportOptions<Row>, 'target' | 'ledger'>,
    settings: SyncSettings,
    runner: RowRunner<Row>,
    tally: Tally<Row>,
  ) {
    this.#target = target as UpdatableTarget<Row>;
    this.#ledger = ledger;
    this.#settings = settings;
    this.#runner = runner;
    this.#tally = tally;
    this.#linked = new LinkedRecords(this.#target, ledger, runner);
  }

  load(): Promise<void> {
    return this.#linked.load();
  }

  async taskFor(row: PreparedRow<Row>): Promise<SyncTask<Row>> {
    const values = await this.#runner.read(async (context) =>
      this.#target.updates.valuesOf(row.payload, context),
    );
    const entry = this.#linked.entries.get(row.key);
    if (!entry) return createTask(row, values);
    const { fields, check } = this.#target.updates;
    const task = await this.#linked.decide(entry, (record) =>
      decide(fields, row, values, entry, record, this.#settings),
    );
    const { operation } = task;
    const error = 'changes' in operation ? check?.(valuesAfter(operation)) : undefined;
    if (!error) return task;
    const { key, title } = operation;
    return noTask(row, { type: 'failed', key, title, error: rowError(error) });
  }

  /** Performs a task, or adds it to the plan. */
  async accept(task: SyncTask<Row>): Promise<void> {
    if (!this.planned) return this.#perform(task);
    const { operation } = task;
    const { reviewed } = this.#settings;
    if (
      reviewed &&
      isWrite(operation) &&
      !isDeepStrictEqual(reviewed.get(operation.key), toPlain(operation))
    ) {
      this.planned.push({ ...task, operation: toStale(operation) });
    } else if (operation.type === 'unchanged' && !hasNews(task)) {
      if (task.values) this.#tally.add('skipped');
    } else this.planned.push(task);
  }

  /** Plans a `failed` operation for a row that can't be synced. */
  acceptFailed(row: Row, key: string, error: RowError): Promise<void> {
    return this.accept(noTask(rowWithoutPayload(key, row), { type: 'failed', key, error }));
  }

  /** Plans an `unknown` operation for an in-doubt row that is missing from the source. */
  acceptUnknown(key: string, error: RowError): Promise<void> {
    return this.accept(noTask(rowWithoutPayload(key, undefined as never), { type: 'unknown', key, error }));
  }

  /** Performs the operations in a plan. */
  async apply(tasks: readonly SyncTask<Row>[]): Promise<void> {
    this.#isReviewed = true;
    await this.#linked.loadEntries();
    await this.#runner.forEach(new RowSource(tasks), async (task) => {
      const { operation, row, entry } = task;
      // The entry has changed if this plan, or another run, was applied after the row was planned.
      const isUnresolved = operation.type === 'failed' || operation.type === 'unknown';
      if (!isUnresolved && !isDeepStrictEqual(this.#linked.entries.get(row.key), entry))
        this.#tally.addRow('stale', linkOf(operation));
      else await this.#perform(task);
    });
  }

  /**
   * Archives or deletes the records of missing rows. Call this only after the entire source has been read.
   */
  async removeMissing(isSeen: (key: string) => boolean): Promise<void> {
    const { onMissing, maxRemovals } = this.#settings;
    if (onMissing === 'keep') return;
    const entries = [...this.#linked.entries.values()];
    const { read } = this.#tally.counts;
    const { missing, isBlocked } = findMissing(entries, isSeen, { read, maxRemovals });
    if (isBlocked) {
      this.#tally.blockedRemovals = missing.length;
      return;
    }
    await this.#runner.forEach(new RowSource(missing), async (entry) => {
      const { fields } = this.#target.updates;
      const task = await this.#linked.decide(entry, (record) =>
        decideRemoval(fields, entry, record, onMissing, this.#settings),
      );
      await this.accept(task);
    });
  }

  /**
   * Plans a `stale` operation for each reviewed operation that no longer applies and hasn't been performed.
   * Call this only after all other operations have been planned.
   */
  async reportObsolete(isSeen: (key: string) => boolean): Promise<void> {
    const { planned } = this;
    const { reviewed } = this.#settings;
    if (!planned || !reviewed) return;
    const listed = new Set<string>();
    for (const { operation } of planned) if (operation.type !== 'unchanged') listed.add(operation.key);
    const rest = [...reviewed.values()].filter(({ key }) => !listed.has(key));
    await this.#runner.forEach(new RowSource(rest), async (expected) => {
      const { key } = expected;
      const entry = this.#linked.entries.get(key);
      const record = entry && (await this.#linked.get(entry));
      if (entry && isPerformed(this.#target.updates.fields, expected, record)) return;
      const error = { message: obsoleteReason(expected, isSeen(key)) };
      const operation = { ...toStale(expected), error };
      planned.push({ ...noTask(rowWithoutPayload(key, undefined as never), operation), entry });
    });
  }

  /** Retries the rows that the API rejected, as long as some of the rows succeed. */
  async retryPostponed(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#postponed.length < before; ) {
      const rows = this.#postponed.splice(0);
      before = rows.length;
      await this.#runner.forEach(new RowSource(rows), ({ task }) => this.#perform(task));
    }
    for (const { task, entry } of this.#postponed)
      this.#tally.addRow('failed', { ...entry, row: task.row.row });
  }

  async #perform(task: SyncTask<Row>): Promise<void> {
    const { operation, row } = task;
    const onStep = (step: Step) => this.#conclude(task, step);
    switch (operation.type) {
      case 'create':
      case 'recreate': {
        const step = await this.#runner.run(row, { onStep });
        if (step?.is !== 'created' && step?.is !== 'recovered') return;
        const rest = this.#taskAfter(task, step);
        if (isWrite(rest.operation)) await this.#write(rest, () => false);
        return;
      }
      case 'update':
      case 'revive':
      case 'archive':
      case 'delete':
        await this.#write(task, onStep);
        return;
      case 'failed':
        return this.#tally.addRow('failed', {
          key: operation.key,
          state: 'failed',
          error: operation.error,
          row: row.row,
        });
      case 'unknown': {
        // The row may have been resolved since it was planned.
        const entry = await this.#ledger.get(operation.key);
        if (isInDoubt(entry)) this.#tally.addRow('unknown', { ...entry, error: operation.error });
        return;
      }
      default:
        await saveUnwritten(task, this.#ledger);
        this.#count(operation, task.values !== undefined);
    }
  }

  #write(task: SyncTask<Row>, onStep: (step: Step) => boolean): Promise<Step | undefined> {
    const options = { policy: this.#settings, read: this.#linked.read, isReviewed: this.#isReviewed };
    return this.#runner.run(task.row, { step: syncSteps(this.#target, task, options), onStep });
  }

  /** Returns the remaining task for a row whose record was just created. */
  #taskAfter({ row, values = {} }: SyncTask<Row>, { record, fields }: ClaimedRecord): SyncTask<Row> {
    const { key, fingerprint } = row;
    const entry: LinkedEntry = { key, state: 'done', recordId: record.id, fingerprint, fields };
    this.#linked.add(record);
    return decide(this.#target.updates.fields, row, values, entry, record, this.#settings);
  }

  /** Counts the result of a row's final step. Returns false if the runner must count it. */
  #conclude(task: SyncTask<Row>, step: Step): boolean {
    if (step.is === 'synced') this.#count(step.operation, task.values !== undefined);
    else if (step.is === 'stale') this.#tally.addRow('stale', linkOf(task.operation));
    else if (step.is === 'failed' && step.entry.error?.status === 422)
      this.#postponed.push({ task, entry: step.entry });
    else return false;
    return true;
  }

  #count(operation: SyncOperation, isRow: boolean): void {
    const link = linkOf(operation);
    const { type } = operation;
    if ('conflicts' in operation && operation.conflicts?.length)
      this.#tally.addRow('conflicts', { ...link, conflicts: operation.conflicts });
    if (type === 'update' || type === 'revive')
      this.#tally.addRow('updated', { ...link, fields: Object.keys(operation.changes) });
    else if (type === 'archive') this.#tally.add('archived');
    else if (type === 'delete') this.#tally.add('deleted');
    else if (type === 'stale')
      this.#tally.addRow('stale', { ...link, ...(operation.error && { error: operation.error }) });
    else if (type === 'gone' || type === 'recreate') this.#tally.addRow('gone', link);
    else if (isRow) this.#tally.add('skipped');
  }
}

const createTask = <Row>(row: PreparedRow<Row>, values: FieldValues): SyncTask<Row> => {
  const { title } = values;
  const name = typeof title === 'string' ? title : undefined;
  const operation = { type: 'create', key: row.key, title: name, after: values } as const;
  return { row, values, operation, entry: undefined, synced: undefined };
};

/** Returns a task that doesn't write anything to the record or the ledger. */
const noTask = <Row>(row: PreparedRow<Row>, operation: NoOperation): SyncTask<Row> => ({
  row,
  operation,
  entry: undefined,
  values: undefined,
  synced: undefined,
});

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

const linkOf = (operation: SyncOperation): LinkedRow => ({
  key: operation.key,
  ...('recordId' in operation && { recordId: operation.recordId }),
});
