import { unlessMissing } from '../../errors/expected-errors.js';
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

/** The ledger's rows and their records. */
export class LinkedRecords<Row> {
  /** The rows that have a record, by key. */
  readonly entries = new Map<string, LinkedEntry>();
  readonly #records = new Map<string, { record: ImportedRecord; age: () => number }>();
  readonly #target: UpdatableTarget<Row>;
  readonly #ledger: Ledger;
  readonly #runner: RowRunner<Row>;

  constructor(target: UpdatableTarget<Row>, ledger: Ledger, runner: RowRunner<Row>) {
    this.#target = target;
    this.#ledger = ledger;
    this.#runner = runner;
  }

  /** Reads the ledger. */
  async loadEntries(): Promise<void> {
    for await (const entry of this.#ledger.entries('done')) {
      if (entry.recordId !== undefined) this.entries.set(entry.key, entry as LinkedEntry);
    }
  }

  /** Reads the ledger and the records linked to its rows, 200 records per request. */
  async load(): Promise<void> {
    await this.loadEntries();
    if (this.entries.size > 0) await this.#runner.read((context) => this.#list(context));
  }

  async #list(context: RequestContext): Promise<void> {
    const ids = new Set([...this.entries.values()].map(({ recordId }) => recordId));
    let age = stopwatch();
    for await (const { data, last_page } of this.#target.updates.list(context)) {
      for (const record of data) if (ids.has(record.id)) this.#records.set(record.id, { record, age });
      age = stopwatch();
      // If the list has more pages than there are records to read, stop listing, because reading the records
      // one by one takes fewer requests.
      if (last_page > ids.size || this.#records.size === ids.size) return;
    }
  }

  /** Adds a record that was just created. */
  add(record: ImportedRecord): void {
    this.#records.set(record.id, { record, age: stopwatch() });
  }

  /**
   * Chooses an operation for a row's record. Some servers omit fields from lists. If such a list item shows
   * that there is nothing to do, the record itself isn't read.
   */
  async decide(row: SyncRow<Row> & { entry: LinkedEntry }, policy: SyncPolicy): Promise<SyncTask<Row>> {
    const { fields } = this.#target.updates;
    const listed = this.#records.get(row.entry.recordId)?.record;
    if (listed && !this.#isComplete(listed)) {
      const task = decide(fields, row, listed, policy);
      if (task.operation.type === 'unchanged' && !hasNews(task)) return task;
    }
    return decide(fields, row, await this.get(row.entry), policy);
  }

  /** Returns a record with all of its fields, as of the last read, or undefined if it doesn't exist. */
  get({ recordId }: LinkedEntry): Promise<ImportedRecord | undefined> | ImportedRecord {
    const known = this.#records.get(recordId)?.record;
    if (known && this.#isComplete(known)) return known;
    return this.#runner.read((context) => this.read(recordId, context, false));
  }

  /**
   * Returns a record's current content, or undefined if it doesn't exist. A list can miss records, so only a
   * request for the record itself shows that it doesn't exist.
   *
   * @param isFirst whether nothing has been written to the record yet
   */
  readonly read = async (
    recordId: string,
    context: RequestContext,
    isFirst: boolean,
  ): Promise<ImportedRecord | undefined> => {
    const known = this.#records.get(recordId);
    if (known && isFirst && known.age() < freshFor) return known.record;
    const age = stopwatch();
    const record = await unlessMissing(this.#target.updates.get(recordId, context));
    if (record) this.#records.set(recordId, { record, age });
    else this.#records.delete(recordId);
    return record;
  };

  #isComplete(record: ImportedRecord): boolean {
    return hasAllFields(this.#target.updates.fields, record);
  }
}
