import { describeThrown } from '../shared/describe-thrown.js';
import { DigestTable } from './digest-table.js';
import { ImportStop, ImportStoppedError } from './import-stop.js';
import { type ImportSettings, importSettings, type RunImportOptions } from './options.js';
import { conversionFailure, type PreparedRow, prepareRow } from './prepare-row.js';
import { type ImportReport, Tally } from './report.js';
import { RowRunner } from './row-runner.js';
import { RowSource } from './row-source.js';

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
  return new ImportRun(options, settings).run();
}

class ImportRun<Row> {
  readonly #options: RunImportOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #tally: Tally<Row>;
  readonly #source: RowSource<Row>;
  readonly #locks = new GroupLocks();
  readonly #stop: ImportStop;
  readonly #runner: RowRunner<Row>;
  /** The fingerprints of the rows this run has read, by key. */
  readonly #seen = new DigestTable();
  #hasReportedListener = false;

  constructor(options: RunImportOptions<Row>, settings: ImportSettings) {
    this.#options = options;
    this.#settings = settings;
    this.#tally = new Tally((row) => this.#notify('onUnresolved', () => options.onUnresolved?.(row)));
    this.#source = new RowSource(options.rows);
    this.#stop = new ImportStop(options.signal);
    this.#runner = new RowRunner(options, settings, this.#tally, this.#stop);
    this.#runner.onPause = () => this.#report();
  }

  async run(): Promise<ImportReport<Row>> {
    const { ledger } = this.#options;
    try {
      await Promise.all(Array.from({ length: this.#settings.concurrency }, () => this.#work()));
      await this.#runner.finish().catch((error) => this.#stop.fail(error));
      if (!this.#stop.isStopped) await this.#reportMissing();
      await ledger.flush().catch((error) => this.#stop.fail(error));
    } finally {
      this.#source.close();
      this.#stop.close();
    }
    const report = this.#tally.report(this.#stop.isStopped);
    if (this.#stop.failure) throw new ImportStoppedError(this.#stop.failure.cause, report);
    return report;
  }

  /** Processes rows one by one until none are left or the import is stopped. */
  async #work(): Promise<void> {
    try {
      while (!this.#stop.isStopped) {
        const next = await this.#stop.race(this.#source.next());
        if (!next || this.#stop.isStopped) return;
        const index = this.#tally.counts.read;
        this.#tally.add('read');
        this.#tally.add('inFlight');
        await this.#take(next.row, index).finally(() => this.#tally.add('inFlight', -1));
        await this.#runner.limitRecreated();
        this.#report();
      }
    } catch (error) {
      this.#stop.fail(error);
    }
  }

  async #take(row: Row, index: number): Promise<void> {
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
      const before = await ledger.get(key);
      if (before?.state === 'done') {
        this.#tally.add('skipped');
        return this.#tally.add('changed');
      }
      const entry = conversionFailure(key, before, error);
      await ledger.put(entry);
      return this.#tally.addRow(entry.state, { ...entry, row });
    }
    const fingerprint = Number.parseInt(prepared.fingerprint, 16);
    const seen = this.#seen.get(key);
    if (seen !== undefined) {
      return seen === fingerprint ? this.#tally.add('duplicates') : this.#failDuplicate(row, key);
    }
    this.#seen.set(key, fingerprint);
    const entry = await ledger.get(key);
    if (entry?.state === 'done') {
      this.#tally.add('skipped');
      if (entry.fingerprint !== prepared.fingerprint) this.#tally.add('changed');
      return;
    }
    const leave = prepared.group === undefined ? undefined : await this.#locks.enter(prepared.group);
    try {
      await this.#runner.run(prepared);
    } finally {
      leave?.();
    }
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
