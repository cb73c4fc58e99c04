import type { OperationId } from '../../src/contract/index.js';
import { requireOperation } from '../state/invalid-input-error.js';
import {
  byteLengthOf,
  credentialHeaders,
  hiddenValues,
  type JournalEntry,
  type RecordedRequest,
  ResponseBodies,
  readRecord,
  sizeOf,
} from './entry.js';
import { createHar, type Har } from './har.js';
import { RequestList } from './request-list.js';

export interface JournalOptions {
  /** The number of recent requests to keep. The journal can briefly contain up to twice as many. */
  limit: number;
  /** The journal's maximum memory use, in bytes. */
  byteLimit: number;
  /** The header that contains the credential. */
  credentialHeader: string;
  /** Returns all tokens of the server. */
  tokens(): Iterable<string>;
}

/** Notified when a request finishes and when the journal is cleared. */
export interface JournalObserver {
  finished(record: JournalEntry): void;
  cleared(): void;
}

/**
 * The requests that the server received, in order of arrival. The `journalLimit` and `journalBytes` options
 * limit how many recent requests it keeps.
 *
 * @example
 * expect(mock.requests.for('tickets.move')).toHaveLength(1);
 * mock.requests.expect('tickets.move', { body: { board_id: 'brd_done' }, status: 200 });
 */
export class Journal extends RequestList {
  readonly #limit: number;
  readonly #byteLimit: number;
  readonly #hidden: ReadonlySet<string>;
  readonly #tokens: () => Iterable<string>;
  readonly #observers = new Set<JournalObserver>();
  #records: JournalEntry[] = [];
  readonly #responses = new ResponseBodies();
  #bytes = 0;

  constructor({ limit, byteLimit, credentialHeader, tokens }: JournalOptions) {
    super();
    this.#limit = limit;
    this.#byteLimit = byteLimit;
    this.#tokens = tokens;
    this.#hidden = new Set([...credentialHeaders, credentialHeader.toLowerCase()]);
  }

  override all(count = Number.POSITIVE_INFINITY): RecordedRequest[] {
    const start = Math.max(0, this.#records.length - count);
    return this.#records.slice(start).map((record) => this.read(record));
  }

  override for<Id extends OperationId>(operation: Id): RecordedRequest<Id>[] {
    return this.#entriesFor(operation).map((record) => this.read(record) as unknown as RecordedRequest<Id>);
  }

  override toHar(): Har {
    return this.harOf(this.#records);
  }

  /** Converts some of the requests. @internal */
  harOf(records: readonly JournalEntry[]): Har {
    const read = records.map((record) => this.read(record));
    return createHar(read, this.#secrets(records));
  }

  /** Returns the server's tokens and all values that clients sent as tokens. */
  #secrets(records: readonly JournalEntry[]): Set<string> {
    const sent = records.flatMap(({ requestHeaders }) => hiddenValues(requestHeaders, this.#hidden));
    return new Set([...this.#tokens(), ...sent]);
  }

  /** Returns the latest request. */
  last(): RecordedRequest | undefined;
  /**
   * Returns the latest request for an operation.
   *
   * @throws TypeError if the operation is unknown
   */
  last<Id extends OperationId>(operation: Id): RecordedRequest<Id> | undefined;
  last(operation?: OperationId): RecordedRequest | undefined {
    if (operation !== undefined) requireOperation('requests', operation);
    const record = this.#records.findLast(
      (other) => operation === undefined || other.operation === operation,
    );
    return record && this.read(record);
  }

  /** Returns the request with the given `x-request-id`. */
  get(id: string): RecordedRequest | undefined {
    const record = this.#records.find((other) => other.id === id);
    return record && this.read(record);
  }

  /** The number of requests in the journal. */
  get length(): number {
    return this.#records.length;
  }

  clear(): void {
    this.#drop(this.#records.length);
    for (const observer of this.#observers) observer.cleared();
  }

  /** Returns a function that drops all requests received after this call. @internal */
  capture(): () => void {
    const kept = new Set(this.#records);
    return () => {
      const others = this.#records.filter((record) => !kept.has(record));
      this.#records = [...others, ...this.#records.filter((record) => kept.has(record))];
      this.#drop(others.length);
    };
  }

  /** Adds a request that has just arrived. @internal */
  add(record: JournalEntry): void {
    this.#records.push(record);
    // Remove old requests in batches, because shifting a long array takes longer than handling a request.
    if (this.#records.length >= this.#limit * 2) this.#drop(this.#records.length - this.#limit);
  }

  /** Completes the entry of a request that has finished. @internal */
  finish(record: JournalEntry): void {
    // The journal dropped this request while it was in flight.
    if (record.size === undefined) return;
    record.size = sizeOf(record);
    this.#bytes += record.size;
    // Measure the body only if someone is watching, because that takes time. Do it before `retain`, which may
    // drop the body.
    if (this.#observers.size > 0) record.responseSize = byteLengthOf(record.responseText);
    this.#responses.retain(record);
    if (this.#bytes > this.#byteLimit) this.trim(this.#byteLimit * 0.75);
    for (const observer of this.#observers) observer.finished(record);
  }

  /** Adds a response body that was recorded while the client read it. @internal */
  addResponseBody(record: JournalEntry, body: Uint8Array): void {
    if (record.size === undefined) return;
    record.responseText = body;
    // If the request is still in flight, `finish` counts its body.
    if (record.size > 0) this.#responses.retain(record);
  }

  /** The journal's estimated memory use, in bytes. @internal */
  get bytes(): number {
    return this.#bytes;
  }

  /** Drops the oldest requests until the rest take up at most this many bytes. @internal */
  trim(bytes: number): void {
    let left = this.#bytes;
    let count = 0;
    for (const { size = 0 } of this.#records) {
      if (left <= bytes) break;
      left -= size;
      count += 1;
    }
    this.#drop(count);
  }

  /** Notifies an observer of changes. Returns a function that removes the observer. @internal */
  observe(observer: JournalObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** @internal */
  read(record: JournalEntry): RecordedRequest {
    return readRecord(record, this.#hidden);
  }

  #entriesFor(operation: OperationId): JournalEntry[] {
    requireOperation('requests', operation);
    return this.#records.filter((record) => record.operation === operation);
  }

  #drop(count: number): void {
    for (const record of this.#records.slice(0, count)) {
      this.#bytes -= record.size ?? 0;
      record.size = undefined;
      this.#responses.forget(record);
    }
    this.#records = this.#records.slice(count);
  }
}
