import { reservations } from '../shared/reservations.js';
import { SeenRows } from './digest-table.js';
import { ImportStoppedError } from './import-stop.js';
import { failRow, type Ledger, LedgerError } from './ledger.js';
import { type LedgerEntry, type RowError, rowError } from './ledger-entry.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import type { ImportReport } from './report.js';
import { checkKey, type PreparedRow, prepareRow } from './row.js';
import { RowRunner } from './row-runner.js';

/** Imports rows, skipping those that are done. */
export async function importRows<Row>(
  options: RunImportOptions<Row>,
  settings: ImportSettings,
): Promise<ImportReport<Row>> {
  const { ledger } = options;
  const runner = new RowRunner(options, settings);
  const { tally } = runner;
  const skip = (key: string, hasChanged: boolean) => {
    tally.add('skipped');
    if (hasChanged) tally.addRow('changed', { key, fields: [] });
  };
  return complete('import', runner, async () => {
    const seen = await readRows(runner, {
      async process(row) {
        const entry = await ledger.get(row.key);
        if (entry?.state === 'done') return skip(row.key, entry.fingerprint !== row.fingerprint);
        const result = await runner.perform(row);
        if (result) runner.count(row, result);
      },
      async failConversion(row, key, cause) {
        if ((await ledger.get(key))?.state === 'done') skip(key, true);
        else await storeFailure(runner, row, key, cause);
      },
      fail: async (row, key, error) => tally.addRow('failed', { key, state: 'failed', error, row }),
    });
    if (!runner.stop.isStopped)
      for await (const entry of missingInDoubt(ledger, seen)) tally.addRow('unknown', entry);
    await runner.finish();
  });
}

/** The functions that handle the rows in the source. */
export interface RowHandlers<Row> {
  process(row: PreparedRow<Row>): Promise<void>;
  /** Called if a row can't be converted. */
  failConversion(row: Row, key: string, cause: unknown): Promise<void>;
  /** Called if a row can't be imported. Must not change the ledger. */
  fail(row: Row, key: string, error: RowError): Promise<void>;
}

/** @returns the keys of the rows that were read */
export async function readRows<Row>(runner: RowRunner<Row>, handlers: RowHandlers<Row>): Promise<SeenRows> {
  const { rows, key: keyOf, target } = runner.options;
  const seen = new SeenRows();
  await runner.forEach(rows, async (row, index) => {
    runner.tally.add('read');
    const key = keyOf(row, index);
    checkKey(key, index);
    let prepared: PreparedRow<Row> | undefined;
    let cause: unknown;
    try {
      prepared = await runner.stop.race(prepareRow(target, key, row));
    } catch (error) {
      cause = error;
    }
    if (runner.stop.isStopped) return;
    const seenAs = seen.add(key, prepared?.fingerprint);
    if (seenAs === 'duplicate') return runner.tally.add('duplicates');
    if (seenAs === 'conflict') return handlers.fail(row, key, reusedKey);
    return prepared ? handlers.process(prepared) : handlers.failConversion(row, key, cause);
  });
  return seen;
}

/** The error for a row whose key is already used by another row. Such a row can't have a ledger entry. */
const reusedKey = { message: 'an earlier row has the same key but different content', code: 'duplicate_key' };

/** Records in the ledger that a row can't be converted, and reports the row. */
export async function storeFailure<Row>(
  { options, tally }: RowRunner<Row>,
  row: Row,
  key: string,
  cause: unknown,
): Promise<void> {
  const entry = await failRow(options.ledger, { key }, rowError(cause));
  tally.addRow(entry.state === 'unknown' ? 'unknown' : 'failed', { ...entry, row });
}

/** Yields the in-doubt rows that aren't in the source. Call this after the entire source has been read. */
export async function* missingInDoubt(
  ledger: Ledger,
  seen: SeenRows,
): AsyncGenerator<LedgerEntry & { error: RowError }, void, undefined> {
  const error = { message: 'its record may exist, but the row is no longer in the input' };
  for (const state of ['started', 'unknown'] as const)
    for await (const entry of ledger.entries(state)) if (!seen.has(entry.key)) yield { ...entry, error };
}

/**
 * Does a run's work, and returns the report.
 *
 * @throws ImportStoppedError if the work fails
 */
export async function complete<Row>(
  name: 'import' | 'sync',
  { options, stop, tally }: RowRunner<Row>,
  work: () => Promise<void>,
): Promise<ImportReport<Row>> {
  let release = () => {};
  try {
    release = reserve(options.ledger, options.signal);
    await work().catch((error) => stop.fail(error));
    await options.ledger.flush().catch((error) => stop.fail(error));
  } finally {
    release();
    stop.close();
  }
  const report = tally.report(stop.isStopped);
  if (stop.failure) throw new ImportStoppedError(stop.failure.cause, report, name);
  return report;
}

/** Prevents two runs from using a ledger at the same time, because both would create records for the same rows. */
const reserve = reservations(
  () => new LedgerError('the ledger is in use by another import or sync; wait until it has finished'),
);
