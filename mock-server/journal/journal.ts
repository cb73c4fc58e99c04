import type { OperationId } from '../../src/contract/index.js';
import { requireOperation } from '../state/invalid-input-error.js';
import {
  byteLengthOf,
  credentialHeaders,
  hiddenValues,
  type JournalEntry,
  type RecordedRequest,
  ResponseBodies,
  readEntry,
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
  /** Returns all of the server's tokens. */
  tokens(): Iterable<string>;
}

/** An object that is notified when a request finishes or the journal is cleared. */
export interface JournalObserver {
  finished(entry: JournalEntry): void;
  cleared(): void;
}

/**
 * The requests that the server received, in order of arrival. The `journalLimit` and `journalBytes` options
 * limit how many of them are kept.
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
  #entries: JournalEntry[] = [];
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
    const start = Math.max(0, this.#entries.length - count);
    return this.#entries.slice(start).map((entry) => this.read(entry));
  }

  override for<Id extends OperationId>(operation: Id): RecordedRequest<Id>[] {
    requireOperation('requests', operation);
    const found = this.#entries.filter((entry) => entry.operation === operation);
    return found.map((entry) => this.read(entry) as unknown as RecordedRequest<Id>);
  }

  override toHar(): Har {
    return this.harOf(this.#entries);
  }

  /** Converts the given requests to an HTTP Archive. @internal */
  harOf(entries: readonly JournalEntry[]): Har {
    const read = entries.map((entry) => this.read(entry));
    const sentTokens = entries.flatMap(({ requestHeaders }) => hiddenValues(requestHeaders, this.#hidden));
    return createHar(read, new Set([...this.#tokens(), ...sentTokens]));
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
    const entry = this.#entries.findLast((other) => operation === undefined || other.operation === operation);
    return entry && this.read(entry);
  }

  /** Returns the request with the given `x-request-id`. */
  get(id: string): RecordedRequest | undefined {
    const entry = this.#entries.find((other) => other.id === id);
    return entry && this.read(entry);
  }

  /** The number of requests in the journal. */
  get length(): number {
    return this.#entries.length;
  }

  clear(): void {
    this.#drop(this.#entries.length);
    for (const observer of this.#observers) observer.cleared();
  }

  /** Returns a function that drops all requests received after this call. @internal */
  checkpoint(): () => void {
    const kept = new Set(this.#entries);
    return () => {
      const others = this.#entries.filter((entry) => !kept.has(entry));
      this.#entries = [...others, ...this.#entries.filter((entry) => kept.has(entry))];
      this.#drop(others.length);
    };
  }

  /** Adds a request that has just arrived. @internal */
  add(entry: JournalEntry): void {
    this.#entries.push(entry);
    // Remove old requests in batches, because shifting a long array takes longer than handling a request.
    if (this.#entries.length >= this.#limit * 2) this.#drop(this.#entries.length - this.#limit);
  }

  /** Completes the entry for a request that has finished. @internal */
  finish(entry: JournalEntry): void {
    if (entry.phase === 'dropped') return;
    entry.phase = 'finished';
    entry.size = sizeOf(entry);
    this.#bytes += entry.size;
    // Measuring the body takes time, so it's done only if there are observers, and before `retain`, which may
    // drop the body.
    if (this.#observers.size > 0) entry.responseSize = byteLengthOf(entry.responseText);
    this.#responses.retain(entry);
    if (this.#bytes > this.#byteLimit) this.trim(this.#byteLimit * 0.75);
    for (const observer of this.#observers) observer.finished(entry);
  }

  /** Adds a response body that was recorded while the client read it. @internal */
  addResponseBody(entry: JournalEntry, body: Uint8Array): void {
    entry.responseText = body;
    // If the request is still in flight, `finish` adds the body's size later.
    if (entry.phase === 'finished') this.#responses.retain(entry);
  }

  /** The journal's estimated memory use, in bytes. @internal */
  get bytes(): number {
    return this.#bytes;
  }

  /** Drops the oldest requests until the rest take up at most this many bytes. @internal */
  trim(bytes: number): void {
    let left = this.#bytes;
    let count = 0;
    for (const { size } of this.#entries) {
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
  read(entry: JournalEntry): RecordedRequest {
    return readEntry(entry, this.#hidden);
  }

  #drop(count: number): void {
    for (const entry of this.#entries.slice(0, count)) {
      this.#bytes -= entry.size;
      entry.phase = 'dropped';
      this.#responses.forget(entry);
    }
    this.#entries = this.#entries.slice(count);
  }
}
