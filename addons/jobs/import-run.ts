import type { Document, Ticket } from '../../src/contract/index.js';
import type { WorktrackError } from '../../src/index.js';
import { isNonEmptyString, isObject, listenerCaller, readMark } from '../../src/internal.js';
import { type BookChange, type BookEntry, bindBook } from './book.js';
import type { ImportSettings } from './import-options.js';
import {
  type ImportReport,
  ImportStoppedError,
  ImportTally,
  type RowResult,
  rowError,
} from './import-report.js';
import { readMarks } from './reader.js';
import { digestOfJson, type RecordKind, type RowValue, withMark, writtenFields } from './records.js';
import { affectsAllRecords, Interrupted, RunControl } from './run-control.js';

/** A row, ready to be imported. */
interface PreparedRow<Row, Payload> {
  key: string;
  row: Row | undefined;
  /** Undefined if the row can't be created again, because it's invalid or no longer in the source. */
  payload: Payload | undefined;
  /** The digest of the payload. */
  sourceDigest?: string | undefined;
  /** Why the row is in doubt. */
  error?: unknown;
  /** Whether the API reported that it created the record. */
  isCreated?: boolean;
}

/** How often rows that are still in doubt are created again. */
const maxRounds = 5;

/** The maximum number of results that aren't in the book yet. */
const maxUnstored = 100;

/** The number of rows in doubt after which the import reads the marks before it continues. */
const maxInDoubt = 1000;

/** Imports rows, one kind of record at a time. */
export class ImportRun<Row, Payload extends object, Found extends Ticket | Document> {
  readonly #kind: RecordKind<Payload, Found>;
  readonly #toPayload: (row: Row) => Payload | Promise<Payload>;
  readonly #options: ImportSettings<Row>;
  readonly #tally = new ImportTally<Row>();
  readonly #control: RunControl;
  readonly #notify = listenerCaller('import');
  readonly #seen = new Set<string>();
  readonly #inDoubt = new Map<string, PreparedRow<Row, Payload>>();
  /** Results that aren't in the book yet. */
  readonly #unstored: BookChange[] = [];
  #marks: Promise<Map<string, string[]>> | undefined;
  #settling: Promise<void> | undefined;
  #settleAt = maxInDoubt;
  /** Whether requests may have created records that the last read of the marks didn't find. */
  #needsRead = false;

  constructor(
    kind: RecordKind<Payload, Found>,
    toPayload: (row: Row) => Payload | Promise<Payload>,
    options: ImportSettings<Row>,
  ) {
    this.#kind = kind;
    this.#toPayload = toPayload;
    this.#options = options;
    this.#control = new RunControl({ ...options, onWait: () => this.#reportProgress() });
  }

  async run(): Promise<ImportReport<Row>> {
    const { book, source, rows } = this.#options;
    const control = this.#control;
    await bindBook(book, `${this.#kind.name}:${source}`);
    let isRead = false;
    try {
      await control.forEach(rows, (row, index) => this.#importRow(row, index));
      isRead = !control.isStopped;
      if (isRead) await this.#addMissingRows();
      await this.#settle();
    } catch (error) {
      control.fail(error);
    } finally {
      control.close();
      await this.#flush().catch((error) => control.fail(error));
    }
    for (const { key, row, error } of this.#inDoubt.values())
      this.#report({ key, row, state: 'unknown' }, error ?? startedEarlier);
    const report = this.#tally.report(!isRead || control.isStopped);
    if (control.failure) throw new ImportStoppedError(report, control.failure);
    return report;
  }

  async #importRow(row: Row, index: number): Promise<void> {
    this.#tally.read++;
    const key: unknown = this.#options.key(row, index);
    if (!isNonEmptyString(key)) throw new TypeError(`the key of row ${index} must be a non-empty string`);
    if (this.#seen.has(key)) return this.#report({ key, row, state: 'failed' }, repeatedKey);
    this.#seen.add(key);
    const entry = await this.#entryOf(key);
    if (entry?.state === 'done') return this.#skip(key, row, entry);
    const { payload, sourceDigest, error } = await this.#convert(row);
    const prepared = { key, row, payload, sourceDigest, error };
    const [id] = (await this.#readMarksOnce()).get(key) ?? [];
    if (id !== undefined) {
      this.#needsRead = true;
      await this.#finish(prepared, 'recovered', { id });
    } else if (entry?.state === 'started') this.#addInDoubt(prepared);
    else if (payload) await this.#create(prepared, payload);
    else await this.#failRow(prepared, error);
    if (this.#inDoubt.size >= this.#settleAt) await this.#settle();
  }

  async #skip(key: string, row: Row, { value }: BookEntry): Promise<void> {
    const { id, sourceDigest } = value as RowValue;
    const converted = await this.#convert(row);
    if (converted.sourceDigest !== sourceDigest || !converted.payload) this.#tally.addChanged(key);
    this.#report({ key, row, state: 'skipped', id });
  }

  async #convert(row: Row): Promise<{ payload?: Payload; sourceDigest?: string; error?: unknown }> {
    try {
      const payload = await this.#control.unlessStopped(this.#toPayload(row));
      if (isObject(payload)) return { payload, sourceDigest: digestOfJson(payload) };
      throw new TypeError(`the row must be converted to an object (got ${String(payload)})`);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      return { error };
    }
  }

  /**
   * Creates a row's record. The book says that the row was started before the request is sent.
   *
   * @returns the record, or undefined if the API didn't return it
   */
  async #create(row: PreparedRow<Row, Payload>, payload: Payload): Promise<Found | undefined> {
    const { source, mark } = this.#options;
    const key = rowKey(row.key);
    let record: Found;
    try {
      const body = mark ? withMark(this.#kind, payload, { source, key: row.key }) : payload;
      await this.#flush({ key, state: 'started' });
      record = await this.#control.request((options) => this.#kind.create(body, options));
      if (!isNonEmptyString(record?.id)) throw new UnknownIdError();
    } catch (error) {
      const { outcome } = Object(error) as Partial<WorktrackError>;
      // Without a mark, nothing can find the record's ID.
      if (outcome === 'done' && !mark) await this.#finish(row, 'created', {});
      else if (outcome === 'unknown' || outcome === 'done')
        this.#addInDoubt({ ...row, error, isCreated: outcome === 'done' });
      else if (!affectsAllRecords(error)) await this.#failRow(row, error);
      else throw await this.#notSent(row, error);
      return undefined;
    }
    const fields = writtenFields(this.#kind, this.#kind.valuesSent(payload, record), record);
    await this.#finish(row, 'created', { id: record.id, fields });
    return record;
  }

  /** Removes a row from the book whose request wasn't sent. Returns the error. */
  async #notSent({ key }: PreparedRow<Row, Payload>, error: unknown): Promise<unknown> {
    // If the row was in doubt, an earlier request may still create the record.
    if (!this.#inDoubt.has(key)) await this.#store({ key: rowKey(key), state: 'removed' });
    return error;
  }

  async #finish(row: PreparedRow<Row, Payload>, state: 'created' | 'recovered', value: RowValue) {
    const done: RowValue = { ...value, sourceDigest: row.sourceDigest };
    await this.#store({ key: rowKey(row.key), state: 'done', value: done });
    this.#inDoubt.delete(row.key);
    this.#report({ key: row.key, row: row.row, state, id: value.id });
  }

  async #failRow({ key, row }: PreparedRow<Row, Payload>, cause: unknown): Promise<void> {
    const value: RowValue = { error: rowError(cause).message };
    await this.#store({ key: rowKey(key), state: 'failed', value });
    this.#inDoubt.delete(key);
    this.#report({ key, row, state: 'failed' }, cause);
  }

  /** Stores a row's result together with the next row that is started, because each put takes a while. */
  async #store(change: BookChange): Promise<void> {
    this.#unstored.push(change);
    if (this.#unstored.length >= maxUnstored) await this.#flush();
  }

  /** Stores all results, so that a crash can't leave these rows in doubt. */
  async #flush(...more: BookChange[]): Promise<void> {
    const changes = [...this.#unstored.splice(0), ...more];
    if (changes.length > 0) await this.#options.book.put(changes);
  }

  #addInDoubt(row: PreparedRow<Row, Payload>): void {
    this.#needsRead = true;
    this.#inDoubt.set(row.key, row);
  }

  /** Adds the rows that an earlier run started and that are no longer in the source. */
  async #addMissingRows(): Promise<void> {
    for await (const entry of this.#options.book.entries()) {
      const key = entry.key.slice(rowKey('').length);
      if (entry.state === 'started' && entry.key === rowKey(key) && !this.#seen.has(key))
        this.#addInDoubt({ key, row: undefined, payload: undefined, error: noLongerInSource });
    }
  }

  /**
   * Finds out which rows in doubt have a record, and creates the others. The last read comes after the last
   * record that was created, so it finds all duplicates.
   */
  #settle(): Promise<void> {
    const settle = async () => {
      for (let round = 1; this.#needsRead && round <= maxRounds + 1 && !this.#control.isStopped; round++) {
        await this.#control.wait(this.#options.settleDelay);
        if (!this.#control.isStopped) await this.#settleOnce(round > maxRounds);
      }
      this.#settleAt = this.#inDoubt.size + maxInDoubt;
      this.#settling = undefined;
    };
    this.#settling ??= settle();
    return this.#settling;
  }

  async #settleOnce(isLast: boolean): Promise<void> {
    this.#needsRead = false;
    const rows = [...this.#inDoubt.values()];
    const marks = await this.#readMarks();
    await this.#control.forEach(rows, async (row) => {
      const [id] = marks.get(row.key) ?? [];
      if (id !== undefined) await this.#finish(row, 'recovered', { id });
      else if (row.payload && !row.isCreated && !isLast) await this.#createAgain(row, row.payload);
    });
  }

  async #createAgain(row: PreparedRow<Row, Payload>, payload: Payload): Promise<void> {
    const record = await this.#create(row, payload);
    if (this.#options.mark) this.#needsRead = true;
    // The row may have an earlier record, which has no mark either.
    if (!this.#inDoubt.has(row.key) && !this.#isMarked(record))
      this.#tally.addDuplicate({ key: row.key, keep: await this.#idOf(row.key), extra: [] });
  }

  /** Whether the server has kept a record's mark, as far as its response says. */
  #isMarked(record: Found | undefined): boolean {
    const { htmlField, scope } = this.#kind;
    const html = (record as Partial<Record<string, string | null>> | undefined)?.[htmlField];
    return this.#options.mark && (html === undefined || readMark(html, scope.kind) !== undefined);
  }

  #readMarksOnce(): Promise<Map<string, string[]>> {
    this.#marks ??= this.#readMarks();
    return this.#marks;
  }

  /** Reads which records have the mark of which key, and reports the keys with several records. */
  async #readMarks(): Promise<Map<string, string[]>> {
    const { client, source, mark } = this.#options;
    if (!mark) return new Map();
    const { byKey } = await this.#control.request(
      ({ signal }) => readMarks(client, this.#kind.scope, { source, signal }),
      true,
    );
    const keysById = await this.#keysById();
    for (const [key, found] of byKey) {
      // A person may have copied the mark into another row's record.
      const ids = found.filter((id) => (keysById.get(id) ?? key) === key);
      byKey.set(key, ids);
      if (ids.length < 2) continue;
      const known = await this.#idOf(key);
      const keep = known !== undefined && ids.includes(known) ? known : `${ids[0]}`;
      this.#tally.addDuplicate({ key, keep, extra: ids.filter((id) => id !== keep) });
    }
    return byKey;
  }

  /** Returns the keys of the rows whose records are in the book, by the records' IDs. */
  async #keysById(): Promise<Map<string, string>> {
    await this.#flush();
    const keys = new Map<string, string>();
    for await (const { key, value } of this.#options.book.entries()) {
      const { id } = Object(value) as RowValue;
      if (id !== undefined && key.startsWith(rowKey(''))) keys.set(id, key.slice(rowKey('').length));
    }
    return keys;
  }

  async #entryOf(key: string): Promise<BookEntry | undefined> {
    return (await this.#options.book.get([rowKey(key)])).get(rowKey(key));
  }

  async #idOf(key: string): Promise<string | undefined> {
    await this.#flush();
    const entry = await this.#entryOf(key);
    return (entry?.value as RowValue | undefined)?.id;
  }

  #report(result: Omit<RowResult<Row>, 'error'>, cause?: unknown): void {
    const all: RowResult<Row> = { ...result, ...(cause !== undefined && { error: rowError(cause) }) };
    this.#tally.add(all);
    const { onRow } = this.#options;
    if (onRow) this.#notify('onRow', () => onRow(all));
    this.#reportProgress();
  }

  #reportProgress(): void {
    const { onProgress } = this.#options;
    if (onProgress) this.#notify('onProgress', () => onProgress(this.#tally.progress(this.#control.status)));
  }
}

const rowKey = (key: string) => `row:${key}`;

/** Thrown if the API created a record without returning its ID. */
class UnknownIdError extends Error {
  readonly outcome = 'done';

  constructor() {
    super('the API created a record without returning its ID');
  }
}

const repeatedKey = Object.assign(new Error('an earlier row has the same key'), { code: 'duplicate_key' });
const startedEarlier = new Error('its record may exist, because an earlier run was interrupted');
const noLongerInSource = new Error('its record may exist, but the row is no longer in the source');
