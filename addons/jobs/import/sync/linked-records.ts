import { unlessMissing } from '../../../../src/errors/expected-errors.js';
import { stopwatch } from '../../shared/stopwatch.js';
import type { Ledger } from '../ledger.js';
import type { RowRunner } from '../row-runner.js';
import type { ImportedRecord, RequestContext } from '../target.js';
import { hasAllFields } from './fields.js';
import type { UpdatableTarget } from './sync-row.js';
import { decide, hasNews, type LinkedEntry, type SyncPolicy, type SyncRow, type SyncTask } from './task.js';

/**
 * How long a record counts as current after it's read, in milliseconds. After that time, it's read again
 * before it's written.
 */
const freshFor = 5000;

export type LinkedRecords<Row> = ReturnType<typeof linkedRecords<Row>>;

/** Reads the records of the ledger's rows, and remembers them. */
export function linkedRecords<Row>(
  { updates }: UpdatableTarget<Row>,
  ledger: Ledger,
  runner: RowRunner<Row>,
) {
  /** The rows that have a record, by key. */
  const entries = new Map<string, LinkedEntry>();
  const records = new Map<string, { record: ImportedRecord; age: () => number }>();

  async function loadEntries(): Promise<void> {
    for await (const entry of ledger.entries('done'))
      if (entry.recordId !== undefined) entries.set(entry.key, entry as LinkedEntry);
  }

  /** Reads the ledger and the records linked to its rows, 200 records per request. */
  async function load(): Promise<void> {
    await loadEntries();
    if (entries.size > 0) await runner.read(list);
  }

  async function list(context: RequestContext): Promise<void> {
    const ids = new Set([...entries.values()].map(({ recordId }) => recordId));
    let age = stopwatch();
    for await (const { data, last_page } of updates.list(context)) {
      for (const record of data) if (ids.has(record.id)) records.set(record.id, { record, age });
      age = stopwatch();
      // If the list has more pages than there are records to read, stop listing, because reading the records
      // one by one takes fewer requests.
      if (last_page > ids.size || records.size === ids.size) return;
    }
  }

  /** Adds a record that was just created. */
  const add = (record: ImportedRecord) => records.set(record.id, { record, age: stopwatch() });

  const isComplete = (record: ImportedRecord | undefined) =>
    record !== undefined && hasAllFields(updates.fields, record);

  /**
   * Chooses an operation for a row's record. Some servers omit fields from lists. If such a list item shows
   * that there is nothing to do, the record itself isn't read.
   */
  async function decideLinked(
    row: SyncRow<Row> & { entry: LinkedEntry },
    policy: SyncPolicy,
  ): Promise<SyncTask<Row>> {
    const listed = records.get(row.entry.recordId)?.record;
    if (listed && !isComplete(listed)) {
      const task = decide(updates.fields, row, listed, policy);
      if (task.operation.type === 'unchanged' && !hasNews(task)) return task;
    }
    return decide(updates.fields, row, await get(row.entry), policy);
  }

  /** Returns a record with all of its fields, as of the last read, or undefined if it doesn't exist. */
  async function get({ recordId }: LinkedEntry): Promise<ImportedRecord | undefined> {
    const known = records.get(recordId)?.record;
    return isComplete(known) ? known : runner.read((context) => read(recordId, context, false));
  }

  /**
   * Returns a record's current content, or undefined if it doesn't exist. A list can miss records, so only a
   * request for the record itself shows that it doesn't exist.
   *
   * @param isFirst whether nothing has been written to the record yet
   */
  async function read(recordId: string, context: RequestContext, isFirst: boolean) {
    const known = records.get(recordId);
    if (known && isFirst && known.age() < freshFor) return known.record;
    const age = stopwatch();
    const record = await unlessMissing(updates.get(recordId, context));
    if (record) records.set(recordId, { record, age });
    else records.delete(recordId);
    return record;
  }

  return { entries, loadEntries, load, add, decide: decideLinked, get, read };
}
