import { WorktrackError } from '../errors/index.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { DigestTable } from './digest-table.js';
import { forSync } from './import-row.js';
import { ImportStop, ImportStoppedError } from './import-stop.js';
import {
  type ImportSettings,
  importSettings,
  type RunImportOptions,
  type SyncSettings,
  syncSettings,
} from './options.js';
import { type ImportReport, Tally } from './report.js';
import { conversionFailure, type PreparedRow, prepareRow, RowSource, rowError } from './row.js';
import { RowRunner } from './row-runner.js';
import type { SyncTask } from './sync/operation.js';
import { SyncSession } from './sync/session.js';

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
  readonly #tally: Tally<Row>;
  readonly #source: RowSource<Row>;
  readonly #stop: ImportStop;
  readonly #runner: RowRunner<Row>;
  readonly #session: SyncSession<Row> | undefined;
  /** The fingerprints of the rows this run has read, by key. */
  readonly #seen = new DigestTable();
  #hasReportedListener = false;

  constructor(options: RunImportOptions<Row>, settings: ImportSettings, sync?: SyncSettings) {
    const { rows, signal, onUnresolved, onProgress, target } = options;
    this.#options = sync ? { ...options, target: forSync(target) } : options;
    this.#tally = new Tally((row) => this.#notify('onUnresolved', () => onUnresolved?.(row)));
    this.#source = new RowSource(rows);
    this.#stop = new ImportStop(signal);
    this.#runner = new RowRunner(this.#options, settings, this.#tally, this.#stop, () => {
      if (onProgress) this.#notify('onProgress', () => onProgress(this.#tally.progress()));
    });
    if (sync) this.#session = new SyncSession(options, sync, this.#runner, this.#tally);
  }

  run(): Promise<ImportReport<Row>> {
    return this.#complete(async () => {
      await this.#readRows();
      await this.#finish();
    });
  }

  /** Decides what to do for each row without writing anything. */
  async plan(): Promise<{ tasks: SyncTask<Row>[]; report: ImportReport<Row> }> {
    const tasks: SyncTask<Row>[] = [];
    if (this.#session) this.#session.planned = tasks;
    const report = await this.#complete(() => this.#readRows());
    // An incomplete plan would look like a complete one.
    if (report.stopped) throw this.#stopped(this.#options.signal?.reason, report);
    return { tasks, report };
  }

  /** Performs the operations in a plan. */
  apply(tasks: readonly SyncTask<Row>[], planned: ImportReport<Row>): Promise<ImportReport<Row>> {
    for (const name of ['read', 'skipped', 'duplicates'] as const) this.#tally.add(name, planned[name]);
    this.#tally.blockedRemovals = planned.blockedRemovals;
    return this.#complete(async () => {
      await this.#session?.apply(tasks);
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

  #stopped(cause: unknown, report: ImportReport<Row>): ImportStoppedError {
    return new ImportStoppedError(cause, report, this.#session ? 'sync' : 'import');
  }

  async #readRows(): Promise<void> {
    await this.#session?.load();
    await this.#runner.forEach(this.#source, (row, index) => this.#take(row, index));
    if (!this.#stop.isStopped) await this.#session?.removeMissing((key) => this.#isSeen(key));
    if (!this.#stop.isStopped) await this.#reportMissing();
    if (!this.#stop.isStopped) await this.#session?.reportObsolete((key) => this.#isSeen(key));
  }

  async #take(row: Row, index: number): Promise<void> {
    this.#tally.add('read');
    const key = this.#options.key(row, index);
    if (typeof key !== 'string' || key === '') {
      throw new TypeError(`the key of row ${index} must be a non-empty string`);
    }
    let prepared: PreparedRow<Row>;
    try {
      prepared = await prepareRow(this.#options.target, key, row);
    } catch (error) {
      if (this.#isSeen(key)) return this.#failDuplicate(row, key);
      this.#seen.set(key, 0);
      return this.#failConversion(row, key, error);
    }
    const fingerprint = Number.parseInt(prepared.fingerprint, 16);
    const seen = this.#seen.get(key);
    if (seen !== undefined) {
      return seen === fingerprint ? this.#tally.add('duplicates') : this.#failDuplicate(row, key);
    }
    this.#seen.set(key, fingerprint);
    return this.#session ? this.#sync(this.#session, prepared) : this.#import(prepared);
  }

  async #import(row: PreparedRow<Row>): Promise<void> {
    const { key, fingerprint } = row;
    const entry = await this.#options.ledger.get(key);
    if (entry?.state !== 'done') {
      await this.#runner.run(row);
      return;
    }
    this.#tally.add('skipped');
    if (entry.fingerprint !== fingerprint) this.#tally.addRow('changed', { key, fields: [] });
  }

  async #sync(session: SyncSession<Row>, row: PreparedRow<Row>): Promise<void> {
    let task: SyncTask<Row>;
    try {
      task = await session.taskFor(row);
    } catch (error) {
      // An API error also affects other rows, so it isn't reported as a failed conversion.
      if (error instanceof WorktrackError) throw error;
      return this.#failConversion(row.row, row.key, error);
    }
    return session.accept(task);
  }

  /** Finishes in-doubt and re-created rows. */
  async #finish(): Promise<void> {
    await this.#session?.retryPostponed();
    await this.#runner.finish();
  }

  async #failConversion(row: Row, key: string, cause: unknown): Promise<void> {
    if (this.#session?.planned) return this.#session.acceptFailed(row, key, rowError(cause));
    const { ledger } = this.#options;
    const before = await ledger.get(key);
    const isLinked = before?.state === 'done';
    if (isLinked && !this.#session) {
      this.#tally.add('skipped');
      return this.#tally.addRow('changed', { key, fields: [] });
    }
    const entry = conversionFailure(key, before, cause);
    // A row with a record keeps its ledger entry.
    if (!isLinked) await ledger.put(entry);
    this.#tally.addRow(entry.state, { ...entry, row });
  }

  /** Reports a row whose key is already used by another row. Such a row can't have a ledger entry. */
  async #failDuplicate(row: Row, key: string): Promise<void> {
    const error = { message: 'an earlier row has the same key but different content', code: 'duplicate_key' };
    if (this.#session?.planned) return this.#session.acceptFailed(row, key, error);
    this.#tally.addRow('failed', { key, state: 'failed', error, row });
  }

  /** Reports the in-doubt rows that are missing from the input, because no other code reports them. */
  async #reportMissing(): Promise<void> {
    const error = { message: 'its record may exist, but the row is no longer in the input' };
    for (const state of ['started', 'unknown'] as const) {
      for await (const entry of this.#options.ledger.entries(state)) {
        if (this.#isSeen(entry.key)) continue;
        if (this.#session?.planned) await this.#session.acceptUnknown(entry.key, error);
        else this.#tally.addRow('unknown', { ...entry, error });
      }
    }
  }

  #isSeen(key: string): boolean {
    return this.#seen.get(key) !== undefined;
  }

  /** Calls a listener. If the listener fails, the import continues, and only the first error is printed. */
  #notify(name: string, listener: () => void): void {
    const run = async () => listener();
    run().catch((cause) => {
      if (!this.#hasReportedListener)
        console.error(`worktrack: import: ${name} failed: ${describeThrown(cause)}`);
      this.#hasReportedListener = true;
    });
  }
}
