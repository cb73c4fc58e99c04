import { onAbort } from '../shared/abort.js';
import { SeenRows } from './digest-table.js';
import { type Ledger, type LedgerEntry, LedgerError, type RowError } from './ledger.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import type { ImportReport, Tally } from './report.js';
import { checkKey, failRow, type PreparedRow, prepareRow, rowError } from './row.js';
import { RowRunner } from './row-runner.js';
import { ImportStoppedError } from './run-control.js';

/** Imports rows. `SyncRun` extends this class to sync them. */
export class ImportRun<Row> {
  protected readonly name: 'import' | 'sync' = 'import';
  protected readonly options: RunImportOptions<Row>;
  protected readonly ledger: Ledger;
  protected readonly runner: RowRunner<Row>;
  protected readonly tally: Tally<Row>;
  readonly #seen = new SeenRows();

  constructor(options: RunImportOptions<Row>, settings: ImportSettings) {
    this.options = options;
    this.ledger = options.ledger;
    this.runner = new RowRunner(options, settings);
    this.tally = this.runner.tally;
  }

  run(): Promise<ImportReport<Row>> {
    return this.complete(async () => {
      await this.readRows();
      await this.finish();
    });
  }

  protected async complete(work: () => Promise<void>): Promise<ImportReport<Row>> {
    const { stop, tally } = this.runner;
    try {
      await exclusively(this.options, async () => {
        await work().catch((error) => stop.fail(error));
        await this.ledger.flush().catch((error) => stop.fail(error));
      });
    } finally {
      stop.close();
    }
    const report = tally.report(stop.isStopped);
    if (stop.failure) throw new ImportStoppedError(stop.failure.cause, report, this.name);
    return report;
  }

  protected async readRows(): Promise<void> {
    await this.runner.forEach(this.options.rows, (row, index) => this.#take(row, index));
    if (!this.runner.stop.isStopped) await this.finishReading();
  }

  async #take(row: Row, index: number): Promise<void> {
    this.tally.add('read');
    const key = this.options.key(row, index);
    checkKey(key, index);
    let prepared: PreparedRow<Row> | undefined;
    let cause: unknown;
    try {
      prepared = await this.runner.stop.race(prepareRow(this.options.target, key, row));
    } catch (error) {
      cause = error;
    }
    if (this.runner.stop.isStopped) return;
    const seen = this.#seen.add(key, prepared?.fingerprint);
    if (seen === 'duplicate') return this.tally.add('duplicates');
    if (seen === 'conflict') return this.reportFailed(row, key, reusedKey);
    return prepared ? this.process(prepared) : this.failConversion(row, key, cause);
  }

  protected async process(row: PreparedRow<Row>): Promise<void> {
    const entry = await this.ledger.get(row.key);
    if (entry?.state === 'done') return this.#skip(row.key, entry.fingerprint !== row.fingerprint);
    const step = await this.runner.perform(row);
    if (step) this.runner.count(row, step);
  }

  #skip(key: string, hasChanged: boolean): void {
    this.tally.add('skipped');
    if (hasChanged) this.tally.addRow('changed', { key, fields: [] });
  }

  protected async failConversion(row: Row, key: string, cause: unknown): Promise<void> {
    if ((await this.ledger.get(key))?.state === 'done') return this.#skip(key, true);
    await this.storeFailure(row, key, cause);
  }

  protected async storeFailure(row: Row, key: string, cause: unknown): Promise<void> {
    const entry = await failRow(this.ledger, { key }, rowError(cause));
    this.tally.addRow(entry.state === 'unknown' ? 'unknown' : 'failed', { ...entry, row });
  }

  /** Reports a failed row without changing the ledger. */
  protected async reportFailed(row: Row, key: string, error: RowError): Promise<void> {
    this.tally.addRow('failed', { key, state: 'failed', error, row });
  }

  /** Reports an in-doubt row that is missing from the input. */
  protected async reportUnknown(entry: LedgerEntry, error: RowError): Promise<void> {
    this.tally.addRow('unknown', { ...entry, error });
  }

  /** Called after the entire source has been read. No other code reports the in-doubt rows it doesn't contain. */
  protected async finishReading(): Promise<void> {
    for (const state of ['started', 'unknown'] as const) {
      for await (const entry of this.ledger.entries(state))
        if (!this.isSeen(entry.key)) await this.reportUnknown(entry, notInInput);
    }
  }

  /** Finishes in-doubt and re-created rows. */
  protected finish(): Promise<void> {
    return this.runner.finish();
  }

  protected isSeen(key: string): boolean {
    return this.#seen.has(key);
  }
}

/** The error for a row whose key is already used by another row. Such a row can't have a ledger entry. */
const reusedKey = { message: 'an earlier row has the same key but different content', code: 'duplicate_key' };
const notInInput = { message: 'its record may exist, but the row is no longer in the input' };

/** The run that uses each ledger. */
const users = new WeakMap<Ledger, object>();

/**
 * Prevents two runs from using a ledger at the same time, because both would create the same rows' records. A
 * stopped run doesn't prevent others from starting, because it could wait forever for a response.
 */
async function exclusively(
  { ledger, signal }: Pick<RunImportOptions<never>, 'ledger' | 'signal'>,
  work: () => Promise<void>,
): Promise<void> {
  if (users.has(ledger))
    throw new LedgerError('the ledger is in use by another import or sync; wait until it has finished');
  const user = {};
  const release = () => {
    if (users.get(ledger) === user) users.delete(ledger);
  };
  users.set(ledger, user);
  const removeListener = signal && onAbort(signal, release);
  try {
    await work();
  } finally {
    removeListener?.();
    release();
  }
}
