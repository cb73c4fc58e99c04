import type { OperationId } from '../contract/index.js';
import { RequestAbortedError, RequestTimeoutError, type WorktrackError } from '../errors/index.js';
import type { CallOptions } from '../options.js';
import { delay, race } from '../shared/abort.js';
import { create, find, type RecordSearch, type StoredRecord } from './record-search.js';
import { now, TimeLimit } from './time-limit.js';

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
   * The key is stored in the new record as a paragraph such as `[worktrack-key:form-123]` in the description
   * or content. If someone removes the paragraph, later calls don't find the record.
   */
  key: string;
  match?: undefined;
  q?: undefined;
}

/** Options for a `findOrCreate` call that identifies the record by its fields. */
export interface FindByMatch<Item> extends FindCallOptions {
  /** Returns true for the record to find. Must also return true for a newly created record. */
  match: (item: Item) => boolean | PromiseLike<boolean>;
  /**
   * Narrows the search to records that contain this string, such as a title. Without it, all records
   * are read.
   */
  q?: string | undefined;
  key?: undefined;
}

interface FindOrCreateCall<Item> extends RecordSearch<Item>, Pick<FindCallOptions, 'onCreate'> {
  /** Identifies the calls that use the same key. */
  name: string;
  /** The names of earlier calls whose response was lost and whose searches then found no record. */
  lost: Set<string>;
}

/**
 * Creates a record unless it already exists. If the response is lost, searches for the record several times,
 * because the server may have created it. If the searches find nothing, the next call with the same name also
 * searches several times before it creates a record.
 */
export async function findOrCreate<Item extends StoredRecord>(call: FindOrCreateCall<Item>): Promise<Item> {
  const { key, name, lost, onCreate } = call;
  const existing = await (lost.has(name) ? findLater(call) : find(call));
  lost.delete(name);
  if (existing) return existing;
  let created: Item | undefined;
  try {
    created = await create(call);
  } catch (error) {
    const { outcome } = Object(error) as WorktrackError;
    if (outcome !== 'unknown' && outcome !== 'done') throw error;
    created = await findLater(call).catch(() => undefined);
    if (!created) {
      if (key) lost.add(name);
      for (const oldest of lost) if (lost.size > maxLost) lost.delete(oldest);
      throw error;
    }
  }
  await onCreate?.();
  return created;
}

/** The maximum number of lost calls to remember. */
const maxLost = 1000;

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
 * Makes at most one call per name at a time. Other calls with the same name wait for the result, and are made
 * only if the first one fails.
 */
export async function shareResult<Item extends StoredRecord>(
  running: Map<string, Promise<unknown>>,
  call: FindOrCreateCall<Item>,
): Promise<Item> {
  const { name, signal } = call;
  for (let other = running.get(name); other; other = running.get(name)) {
    try {
      return (await race(other, signal)) as Item;
    } catch {
      signal.throwIfAborted();
    }
  }
  const result = findOrCreate(call);
  running.set(name, result);
  try {
    return await result;
  } finally {
    running.delete(name);
  }
}

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
  const deadlineAt = now() + totalTimeout;
  // Pass the remaining time to each call so that it fails early if its next retry would exceed the limit.
  const limits = () => ({ totalTimeout: Math.max(1, deadlineAt - now()), signal: limit.signal });
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
