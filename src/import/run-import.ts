import { isDeepStrictEqual } from 'node:util';
import { WorktrackError } from '../errors/index.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { DigestTable } from './digest-table.js';
import type { Step } from './import-row.js';
import { ImportStop, ImportStoppedError } from './import-stop.js';
import type { LedgerEntry } from './ledger.js';
import {
  type ImportSettings,
  importSettings,
  type RunImportOptions,
  type SyncSettings,
  syncSettings,
} from './options.js';
import { conversionFailure, type PreparedRow, prepareRow } from './prepare-row.js';
import { type ImportReport, type LinkedRow, Tally } from './report.js';
import { rowError } from './row-error.js';
import { RowRunner } from './row-runner.js';
import { RowSource } from './row-source.js';
import { isWrite, type SyncOperation, type SyncTask, toPlain } from './sync/operation.js';
import { SyncSession } from './sync/session.js';
import { hasNews, saveUnwritten, syncSteps, type UpdatableTarget } from './sync/sync-row.js';
import type { ImportTarget } from './target.js';

/**
 * Imports rows so that each row becomes exactly one record, even if responses are lost or the process is
 * killed. `importTickets` and `importDocuments` use this function. Call it directly to import other kinds of
 * records.
 *
 * @throws ImportStoppedError if the import can't continue
 * @throws LedgerError if the ledger belongs to another import
 * @throws ConfigurationError if an option is unknown or invalid
 */
export async function runImport<Row>(options: RunImportOptions<Row>): Promise<ImportReport<Row>> {
  const settings = importSettings(options);
  await options.ledger.bind(options.target.scope);
  const { onChange, ...run } = options;
  if (onChange !== 'update') return new ImportRun(run, settings).run();
  return new ImportRun(run, settings, syncSettings({ ...run, onMissing: 'keep' })).run();
}

/** Imports rows, plans a sync, or performs it. */
export class ImportRun<Row> {
  readonly #options: RunImportOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #syncSettings: SyncSettings | undefined;
  readonly #tally: Tally<Row>;
  readonly #source: RowSource<Row>;
  readonly #locks = new GroupLocks();
  readonly #stop: ImportStop;
  readonly #runner: RowRunner<Row>;
  readonly #session: SyncSession<Row> | undefined;
  /** The fingerprints of the rows this run has read, by key. */
  readonly #seen = new DigestTable();
  /** What a plan contains. Undefined if this run performs the operations. */
  #planned: SyncTask<Row>[] | undefined;
  /** Rows that the API rejected, perhaps because a board was full. */
  #postponed: { task: SyncTask<Row>; entry: LedgerEntry }[] = [];
  #isReviewed = false;
  #hasReportedListener = false;

  constructor(options: RunImportOptions<Row>, settings: ImportSettings, sync?: SyncSettings) {
    this.#options = options;
    this.#settings = settings;
    this.#syncSettings = sync;
    this.#tally = new Tally((row) => this.#notify('onUnresolved', () => options.onUnresolved?.(row)));
    this.#source = new RowSource(options.rows);
    this.#stop = new ImportStop(options.signal);
    const { target } = options;
    if (sync) this.#options = { ...options, target: { ...target, create: createWith(target) } };
    this.#runner = new RowRunner(this.#options, settings, this.#tally, this.#stop);
    this.#runner.onPause = () => this.#report();
    if (sync)
      this.#session = new SyncSession(target as UpdatableTarget<Row>, options.ledger, this.#runner, sync);
  }

  async run(): Promise<ImportReport<Row>> {
    return this.#complete(async () => {
      await this.#session?.load();
      await this.#work(this.#source, (row, index) => this.#take(row, index));
      if (!this.#stop.isStopped) await this.#removeMissing();
      await this.#finish();
      if (!this.#stop.isStopped) await this.#reportMissing();
    });
  }

  /** Decides what to do for each row without writing anything. */
  async plan(): Promise<{ tasks: SyncTask<Row>[]; report: ImportReport<Row> }> {
    const tasks: SyncTask<Row>[] = [];
    this.#planned = tasks;
    const report = await this.#complete(async () => {
      await this.#session?.load();
      await this.#work(this.#source, (row, index) => this.#take(row, index));
      if (!this.#stop.isStopped) await this.#removeMissing();
    });
    // A part of a plan would look like all of it.
    if (report.stopped) throw this.#stopped(this.#options.signal?.reason, report);
    return { tasks, report };
  }

  #stopped(cause: unknown, report: ImportReport<Row>): ImportStoppedError {
    return new ImportStoppedError(cause, report, this.#session ? 'sync' : 'import');
  }

  /** Performs the operations of a plan. */
  async apply(tasks: readonly SyncTask<Row>[], planned: ImportReport<Row>): Promise<ImportReport<Row>> {
    this.#isReviewed = true;
    for (const name of ['read', 'skipped', 'duplicates'] as const) this.#tally.add(name, planned[name]);
    this.#tally.blockedRemovals = planned.blockedRemovals;
    return this.#complete(async () => {
      await this.#session?.loadEntries();
      await this.#work(new RowSource(tasks), async (task) =>
        // Another run, or the same plan, may have been applied since.
        task.operation.type !== 'failed' && this.#session?.isOutdated(task)
          ? this.#tally.addLinked('stale', linkOf(task.operation))
          : this.#perform(task),
      );
      await this.#finish();
    });
  }

  async #complete(work: () => Promise<void>): Promise<ImportReport<Row>> {
    try {
      await work().catch((error) => this.#stop.fail(error));
      await this.#options.ledger.flush().catch((error) => this.#stop.fail(error));
    } finally {
      this.#source.close();
      this.#stop.close();
    }
    const report = this.#tally.report(this.#stop.isStopped);
    if (this.#stop.failure) throw this.#stopped(this.#stop.failure.cause, report);
    return report;
  }

  /** Processes items one by one until none are left or the import is stopped. */
  async #work<Item>(
    source: RowSource<Item>,
    take: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    let count = 0;
    const worker = async () => {
      try {
        while (!this.#stop.isStopped) {
          const next = await this.#stop.race(source.next());
          if (!next || this.#stop.isStopped) return;
          this.#tally.add('inFlight');
          await take(next.row, count++).finally(() => this.#tally.add('inFlight', -1));
          await this.#runner.limitRecreated();
          this.#report();
        }
      } catch (error) {
        this.#stop.fail(error);
      }
    };
    await Promise.all(Array.from({ length: this.#settings.concurrency }, worker));
  }

  async #take(row: Row, index: number): Promise<void> {
    this.#tally.add('read');
    const { key: keyOf, target, ledger } = this.#options;
    const key = keyOf(row, index);
    if (typeof key !== 'string' || key === '') {
      throw new TypeError(`the key of row ${index} must be a non-empty string`);
    }
    let prepared: PreparedRow<Row>;
    try {
      prepared = await prepareRow(target, key, row);
    } catch (error) {
      if (this.#seen.get(key) !== undefined) return this.#failDuplicate(row, key);
      this.#seen.set(key, 0);
      return this.#failConversion(row, key, error);
    }
    const fingerprint = Number.parseInt(prepared.fingerprint, 16);
    const seen = this.#seen.get(key);
    if (seen !== undefined) {
      return seen === fingerprint ? this.#tally.add('duplicates') : this.#failDuplicate(row, key);
    }
    this.#seen.set(key, fingerprint);
    if (this.#session) {
      let task: SyncTask<Row>;
      try {
        task = await this.#session.taskFor(prepared);
      } catch (error) {
        // Errors of the API affect other rows, too.
        if (error instanceof WorktrackError) throw error;
        return this.#failConversion(row, key, error);
      }
      return this.#planned ? this.#addToPlan(task) : this.#perform(task);
    }
    const entry = await ledger.get(key);
    if (entry?.state !== 'done') {
      await this.#create(prepared);
      return;
    }
    this.#tally.add('skipped');
    if (entry.fingerprint !== prepared.fingerprint) this.#tally.addChanged('changed', { key, fields: [] });
  }

  async #create(row: PreparedRow<Row>, onStep?: (step: Step) => boolean): Promise<Step | undefined> {
    const leave = row.group === undefined ? undefined : await this.#locks.enter(row.group);
    try {
      return await this.#runner.run(row, onStep && { onStep });
    } finally {
      leave?.();
    }
  }

  #addToPlan(task: SyncTask<Row>): void {
    const { operation } = task;
    const reviewed = this.#syncSettings?.reviewed;
    if (
      reviewed &&
      isWrite(operation) &&
      !isDeepStrictEqual(reviewed.get(operation.key), toPlain(operation))
    ) {
      const { key, title, recordId } = { recordId: undefined, ...operation };
      this.#planned?.push({ ...task, operation: { type: 'stale', key, title, recordId } });
    } else if (operation.type === 'unchanged' && !hasNews(task)) this.#tally.add('skipped');
    else this.#planned?.push(task);
  }

  async #perform(task: SyncTask<Row>): Promise<void> {
    const session = this.#session as SyncSession<Row>;
    const { operation, row } = task;
    const { key } = operation;
    const onStep = (step: Step) => this.#conclude(task, step);
    switch (operation.type) {
      case 'create':
      case 'recreate': {
        const step = await this.#create(row, onStep);
        if (step?.is !== 'created' && step?.is !== 'recovered') return;
        const rest = session.taskAfter(task, step.record, step.fields);
        if (isWrite(rest.operation)) await this.#sync(rest, (last) => last.is === 'synced');
        return;
      }
      case 'update':
      case 'revive':
      case 'archive':
      case 'delete':
        await this.#sync(task, onStep);
        return;
      case 'failed':
        return this.#tally.addRow('failed', { key, state: 'failed', error: operation.error, row: row.row });
      default:
        await saveUnwritten(task, this.#options.ledger);
        this.#count(operation, task.values !== undefined);
    }
  }

  #sync(task: SyncTask<Row>, onStep: (step: Step) => boolean): Promise<Step | undefined> {
    const { policy, read } = this.#session as SyncSession<Row>;
    const target = this.#options.target as UpdatableTarget<Row>;
    const step = syncSteps(target, task, { policy, read, isReviewed: this.#isReviewed });
    return this.#runner.run(task.row, { step, onStep });
  }

  /** Counts the result of a row's final step. Returns false if the runner has to do it. */
  #conclude(task: SyncTask<Row>, step: Step): boolean {
    if (step.is === 'synced') this.#count(step.operation, task.values !== undefined);
    else if (step.is === 'stale') this.#tally.addLinked('stale', linkOf(task.operation));
    else if (step.is === 'failed' && step.entry.error?.status === 422)
      this.#postponed.push({ task, entry: step.entry });
    else return false;
    return true;
  }

  #count(operation: SyncOperation, isRow: boolean): void {
    const link = linkOf(operation);
    const { type } = operation;
    if ('conflicts' in operation && operation.conflicts?.length)
      this.#tally.addConflict({ ...link, conflicts: operation.conflicts });
    if (type === 'update' || type === 'revive')
      this.#tally.addChanged('updated', { ...link, fields: Object.keys(operation.changes) });
    else if (type === 'archive') this.#tally.add('archived');
    else if (type === 'delete') this.#tally.add('deleted');
    else if (type === 'stale') this.#tally.addLinked('stale', link);
    else if (type === 'gone' || type === 'recreate') this.#tally.addLinked('gone', link);
    else if (isRow) this.#tally.add('skipped');
  }

  /** Archives or deletes the records of missing rows. Called only after the source was read to its end. */
  async #removeMissing(): Promise<void> {
    const session = this.#session;
    const { onMissing = 'keep', maxRemovals } = this.#syncSettings ?? {};
    if (!session || onMissing === 'keep') return;
    const missing = session.missing((key) => this.#seen.get(key) !== undefined);
    const limit = maxRemovals ?? Math.max(10, Math.floor(session.size / 10));
    if (this.#tally.counts.read === 0 || missing.length > limit) {
      this.#tally.blockedRemovals = missing.length;
      return;
    }
    await this.#work(new RowSource(missing), async (entry) => {
      const task = await session.removalOf(entry, onMissing);
      if (!this.#planned) await this.#perform(task);
      else if (task.operation.type !== 'unchanged' || hasNews(task)) this.#addToPlan(task);
    });
  }

  /** Retries the rows that the API rejected as long as others succeed, and completes what was left open. */
  async #finish(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#postponed.length < before; ) {
      const rows = this.#postponed.splice(0);
      before = rows.length;
      await this.#work(new RowSource(rows), ({ task }) => this.#perform(task));
    }
    for (const { task, entry } of this.#postponed)
      this.#tally.addRow('failed', { ...entry, row: task.row.row });
    await this.#runner.finish();
  }

  async #failConversion(row: Row, key: string, cause: unknown): Promise<void> {
    const { ledger } = this.#options;
    const before = await ledger.get(key);
    const isLinked = before?.state === 'done';
    if (this.#planned) {
      const operation = { type: 'failed', key, error: rowError(cause) } as const;
      const prepared = { key, row, payload: undefined, fingerprint: '', group: undefined };
      this.#planned.push({
        row: prepared,
        operation,
        entry: undefined,
        values: undefined,
        synced: undefined,
      });
      return;
    }
    if (isLinked && !this.#session) {
      this.#tally.add('skipped');
      return this.#tally.addChanged('changed', { key, fields: [] });
    }
    const entry = conversionFailure(key, before, cause);
    // The entry of a row that has a record stays as it is.
    if (!isLinked) await ledger.put(entry);
    this.#tally.addRow(entry.state, { ...entry, row });
  }

  /** Reports a row that can't have a ledger entry because another row has the same key. */
  #failDuplicate(row: Row, key: string): void {
    this.#tally.addRow('failed', {
      key,
      state: 'failed',
      error: { message: keyTaken, code: 'duplicate_key' },
      row,
    });
  }

  /** Reports in-doubt rows that are missing from the input, because nothing else would report them. */
  async #reportMissing(): Promise<void> {
    for (const state of ['started', 'unknown'] as const) {
      for await (const entry of this.#options.ledger.entries(state)) {
        if (this.#seen.get(entry.key) !== undefined) continue;
        this.#tally.addRow('unknown', {
          ...entry,
          error: { message: 'its record may exist, but the row is no longer in the input' },
        });
      }
    }
  }

  #report(): void {
    const { onProgress } = this.#options;
    if (onProgress) this.#notify('onProgress', () => onProgress(this.#tally.progress()));
  }

  /** Calls a listener. If it fails, the import continues. Only the first error is printed. */
  #notify(name: string, listener: () => void): void {
    const run = async () => listener();
    run().catch((cause) => {
      if (!this.#hasReportedListener)
        console.error(`worktrack: import: ${name} failed: ${describeThrown(cause)}`);
      this.#hasReportedListener = true;
    });
  }
}

/** Creates records without the fields that can only be set afterward. */
const createWith =
  <Row>(target: ImportTarget<Row>): ImportTarget<Row>['create'] =>
  (payload, context) =>
    target.create(target.updates?.forCreate(payload) ?? payload, context);

const linkOf = (operation: SyncOperation): LinkedRow => ({
  key: operation.key,
  ...('recordId' in operation && { recordId: operation.recordId }),
});

const keyTaken = 'an earlier row has the same key but different content';

/** One lock per group. Rows acquire a lock in the order they requested it. */
class GroupLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** @returns a function that releases the lock */
  async enter(group: string): Promise<() => void> {
    const before = this.#tails.get(group);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#tails.set(group, left);
    await before;
    return () => {
      if (this.#tails.get(group) === left) this.#tails.delete(group);
      leave();
    };
  }
}
