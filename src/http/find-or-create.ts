import type { OperationId } from '../contract/index.js';
import { RequestAbortedError, RequestTimeoutError, type WorktrackError } from '../errors/index.js';
import { addMark, type Mark } from '../mark.js';
import type { CallOptions } from '../options.js';
import { delay, race, TimeLimit } from '../shared/abort.js';
import type { KeyedCalls } from './keyed-calls.js';
import {
  type FindQuery,
  findFirst,
  findMarked,
  type Match,
  type RecordStore,
  type StoredRecord,
} from './record-search.js';

/**
 * Options for `findOrCreate`: how to identify the record, and the call options. `totalTimeout` applies to the
 * entire call.
 */
export type FindOptions<Item> = FindByKey | FindByMatch<Item>;

interface FindCallOptions extends CallOptions {
  /**
   * Called if this call creates the record, so that you can tell a new record from an existing one. After a
   * lost response, it's also called if another client created the record at the same time. The call waits for
   * the returned promise. If the promise rejects, so does the call.
   */
  onCreate?: (() => unknown) | undefined;
}

/** Options for a `findOrCreate` call that identifies the record by a key. */
export interface FindByKey extends FindCallOptions {
  /**
   * A string that identifies the record, for example the ID of a form submission (1 to 200 characters).
   *
   * The new record stores the key in its last paragraph, such as `Created with key: form-123 [h5w0c2me]`. If
   * someone removes or changes the paragraph, later calls don't find the record.
   */
  key: string;
  match?: undefined;
  q?: undefined;
}

/** Options for a `findOrCreate` call that identifies the record by its fields. */
export interface FindByMatch<Item> extends FindCallOptions {
  /** Returns true for the record to find. Must also return true for a newly created record. */
  match: Match<Item>;
  /**
   * Narrows the search to records that contain this string, such as a title. Without it, all records
   * are read.
   */
  q?: string | undefined;
  key?: undefined;
}

/** Options for `findByKey`: where the key comes from, and the call options. */
export interface FindByKeyOptions extends CallOptions {
  /**
   * The source of an imported or synced record, such as `Jira`. Without it, the method finds the record that
   * `findOrCreate` created with the key.
   */
  source?: string | undefined;
}

/** How to find and create the records of a resource. */
export interface CreatingStore<Item> extends RecordStore<Item> {
  /** The new record's HTML, without the mark. */
  readonly html: string | null | undefined;
  /** Returns the filter for the records to pass to `match`, or undefined if no record can match. */
  filter(): Promise<FindQuery | undefined>;
  create(html: string | null | undefined): PromiseLike<Item>;
}

interface FindOrCreateCall<Item> {
  /** The mark to find, or undefined to use `match`. */
  mark: Mark | undefined;
  match?: Match<Item> | undefined;
  q?: string | undefined;
  onCreate?: (() => unknown) | undefined;
  store: CreatingStore<Item>;
  /** Aborts when `totalTimeout` expires. */
  signal: AbortSignal;
  /** Identifies the calls that use the same key. */
  name: string;
  calls: KeyedCalls;
}

/**
 * Creates a record unless it already exists. If the response is lost, searches for the record several times,
 * because the server may have created it. If the searches find nothing, the next call with the same name also
 * searches several times before it creates a record.
 */
export async function findOrCreate<Item extends StoredRecord>(call: FindOrCreateCall<Item>): Promise<Item> {
  const { mark, name, calls, store, onCreate } = call;
  const existing = await (calls.isLost(name) ? findLater(call) : find(call));
  calls.setLost(name, false);
  if (existing) return existing;
  let created: Item | undefined;
  try {
    created = await store.create(mark ? withMark(store.html, mark) : store.html);
  } catch (error) {
    const { outcome } = Object(error) as WorktrackError;
    if (outcome !== 'unknown' && outcome !== 'done') throw error;
    created = await findLater(call).catch(() => undefined);
    if (!created) {
      if (mark) calls.setLost(name, true);
      throw error;
    }
  }
  await onCreate?.();
  return created;
}

/** Adds a mark. Returns a value that isn't HTML unchanged, so that the create operation rejects it. */
const withMark = (html: string | null | undefined, mark: Mark) =>
  typeof (html ?? '') === 'string' ? addMark(html, mark) : html;

async function find<Item extends StoredRecord>(call: FindOrCreateCall<Item>): Promise<Item | undefined> {
  const { mark, match, q, store, signal } = call;
  if (mark) return findMarked(store, mark);
  const filter = await store.filter();
  if (!filter || !match) return undefined;
  return findFirst(store.list({ ...filter, q }), (item) => race(Promise.resolve(match(item)), signal));
}

async function findLater<Item extends StoredRecord>(call: FindOrCreateCall<Item>): Promise<Item | undefined> {
  for (const milliseconds of waitsAfterLostResponse) {
    await delay(milliseconds, call.signal);
    const item = await find(call);
    if (item) return item;
  }
  return undefined;
}

/**
 * The delay before each search after a lost response, in milliseconds. New records may not appear in lists
 * immediately.
 */
const waitsAfterLostResponse = [0, 1000, 3000];

/**
 * Limits the total time that a `findOrCreate` call's requests can take.
 *
 * @param method the name of the client's method, for error messages
 */
export async function withTotalTimeout<Result>(
  operation: OperationId,
  method: string,
  { totalTimeout, signal }: { totalTimeout: number; signal?: AbortSignal | undefined },
  run: (limits: () => CallOptions, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new TimeLimit(totalTimeout, signal);
  const deadlineAt = performance.now() + totalTimeout;
  // Pass the remaining time to each call so that it fails early if its next retry would exceed the limit.
  const limits = () => ({ totalTimeout: Math.max(1, deadlineAt - performance.now()), signal: limit.signal });
  try {
    return await run(limits, limit.signal);
  } catch (error) {
    const isTimeout = error instanceof RequestTimeoutError && error.limit === 'totalTimeout';
    const isAbort =
      !isTimeout && limit.aborted && (error instanceof RequestAbortedError || error === limit.reason);
    if (!isTimeout && !isAbort) throw error;
    const { operation: interrupted, attempts, outcome } = error as Partial<WorktrackError>;
    const context = {
      operation,
      attempts,
      // If the search was interrupted, nothing was created.
      outcome: (interrupted === operation && outcome) || 'not_sent',
      cause: signal?.aborted ? signal.reason : error,
    } as const;
    if (signal?.aborted) throw new RequestAbortedError(`${method}: aborted by the caller's signal`, context);
    throw new RequestTimeoutError(`${method}: no result within ${totalTimeout} ms (option "totalTimeout")`, {
      ...context,
      limit: 'totalTimeout',
      milliseconds: totalTimeout,
    });
  } finally {
    limit.close();
  }
}
