import { isDeepStrictEqual } from 'node:util';
import type { Ledger } from '../ledger.js';
import type { PreparedRow } from '../prepare-row.js';
import type { RowRunner } from '../row-runner.js';
import type { ImportedRecord, RequestContext } from '../target.js';
import type { FieldValues } from './fields.js';
import {
  decide,
  decideRemoval,
  type LinkedEntry,
  type RemoveOperation,
  type SyncPolicy,
  type SyncTask,
} from './operation.js';
import { readRecord, type UpdatableTarget } from './sync-row.js';

/** How long a record that was read counts as current, in milliseconds. After that, it's read again before a write. */
const freshFor = 5000;

/** What a sync knows about the rows of earlier runs and their records. */
export class SyncSession<Row> {
  readonly policy: SyncPolicy;
  readonly #target: UpdatableTarget<Row>;
  readonly #ledger: Ledger;
  readonly #runner: RowRunner<Row>;
  readonly #entries = new Map<string, LinkedEntry>();
  readonly #records = new Map<string, { record: ImportedRecord; readAt: number }>();

  constructor(target: UpdatableTarget<Row>, ledger: Ledger, runner: RowRunner<Row>, policy: SyncPolicy) {
    this.#target = target;
    this.#ledger = ledger;
    this.#runner = runner;
    this.policy = policy;
  }

  /** Reads the ledger. */
  async loadEntries(): Promise<void> {
    for await (const entry of this.#ledger.entries('done')) {
      if (entry.recordId !== undefined) this.#entries.set(entry.key, entry as LinkedEntry);
    }
  }

  /** Reads the ledger, and the records in it, 200 per request. */
  async load(): Promise<void> {
    await this.loadEntries();
    if (this.#entries.size > 0) await this.#runner.read((context) => this.#list(context));
  }

  async #list(context: RequestContext): Promise<void> {
    const ids = new Set([...this.#entries.values()].map(({ recordId }) => recordId));
    for await (const { data, last_page } of this.#target.updates.list(context)) {
      const readAt = performance.now();
      for (const record of data) if (ids.has(record.id)) this.#records.set(record.id, { record, readAt });
      // Reading each record takes fewer requests than reading all pages.
      if (last_page > ids.size || this.#records.size === ids.size) return;
    }
  }

  /**
   * Returns a record's current content, or undefined if it doesn't exist. A list can miss records, so only a
   * request for the record itself shows that it doesn't exist.
   */
  readonly read = async (
    recordId: string,
    context: RequestContext,
    isFirst: boolean,
  ): Promise<ImportedRecord | undefined> => {
    const known = this.#records.get(recordId);
    if (known && isFirst && performance.now() - known.readAt < freshFor) return known.record;
    const record = await readRecord(this.#target, recordId, context);
    if (record) this.#records.set(recordId, { record, readAt: performance.now() });
    else this.#records.delete(recordId);
    return record;
  };

  /** Returns what to do for a row. */
  async taskFor(row: PreparedRow<Row>): Promise<SyncTask<Row>> {
    const values = await this.#runner.read(async (context) =>
      this.#target.updates.valuesOf(row.payload, context),
    );
    const entry = this.#entries.get(row.key);
    if (!entry) return createTask(row, values);
    const record = await this.#known(entry);
    return decide(this.#target.updates.fields, row, values, entry, record, this.policy);
  }

  /** Returns what remains to do for a row whose record was just created. */
  taskAfter(task: SyncTask<Row>, record: ImportedRecord, fields: LinkedEntry['fields']): SyncTask<Row> {
    const { key, fingerprint } = task.row;
    const entry: LinkedEntry = { key, state: 'done', recordId: record.id, fingerprint, fields };
    this.#records.set(record.id, { record, readAt: performance.now() });
    return decide(this.#target.updates.fields, task.row, task.values ?? {}, entry, record, this.policy);
  }

  /** Returns the ledger entries whose rows are missing, except those whose records were already removed. */
  missing(isSeen: (key: string) => boolean): LinkedEntry[] {
    // An entry with `pending` says that the removal was started.
    const isRemoved = ({ removed, pending }: LinkedEntry) => removed !== undefined && !pending;
    return [...this.#entries.values()].filter((entry) => !isSeen(entry.key) && !isRemoved(entry));
  }

  /** Whether the row's ledger entry has changed since a task was planned. */
  isOutdated({ row, entry }: SyncTask<Row>): boolean {
    return !isDeepStrictEqual(this.#entries.get(row.key), entry);
  }

  /** The number of rows that have a record. */
  get size(): number {
    return this.#entries.size;
  }

  async removalOf(entry: LinkedEntry, type: RemoveOperation['type']): Promise<SyncTask<Row>> {
    const record = await this.#known(entry);
    return decideRemoval(this.#target.updates.fields, entry, record, type, this.policy);
  }

  #known({ recordId }: LinkedEntry): Promise<ImportedRecord | undefined> | ImportedRecord {
    const known = this.#records.get(recordId);
    return known?.record ?? this.#runner.read((context) => this.read(recordId, context, true));
  }
}

const createTask = <Row>(row: PreparedRow<Row>, values: FieldValues): SyncTask<Row> => {
  const { title } = values;
  const name = typeof title === 'string' ? title : undefined;
  const operation = { type: 'create', key: row.key, title: name, after: values } as const;
  return { row, values, operation, entry: undefined, synced: undefined };
};
