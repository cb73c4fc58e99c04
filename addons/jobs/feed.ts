import { ApiError, ConnectionError, RequestTimeoutError, ServerError } from '../../src/index.js';
import { delay, settled } from '../../src/internal.js';
import { type Book, BookError } from './book.js';
import type { Change } from './change.js';
import {
  checkReadOptions,
  checkWatchOptions,
  type ReadChangesOptions,
  type WatchChangesOptions,
} from './feed-options.js';
import { FeedState } from './feed-state.js';
import { sweep } from './feed-sweep.js';
import { sweepControlOf } from './sweep-control.js';

/** The changes found by one sweep. */
export interface ChangeBatch {
  /**
   * The changes, oldest first. Changes to records without a timestamp, such as labels, come first. Deletions come
   * last, because their time is unknown.
   */
  changes: readonly Change[];
  /** The number of records read. */
  records: number;
  /**
   * Marks changes as delivered, so that they aren't reported again.
   *
   * @param change the last delivered change. If omitted, all changes count as delivered.
   * @throws BookError if the book can't be written, or if a later batch's changes to the same records were
   * already committed
   */
  commit(change?: Change): Promise<void>;
}

/**
 * Reads the watched records once and returns what changed since the last committed batch. Changes that aren't
 * committed are returned again by the next call. They have the same IDs, unless their records have changed
 * again.
 *
 * @throws TooManyDeletionsError if more records disappeared than `maxDeletions` allows
 * @throws BookError if the book can't be read or written, or belongs to another job
 * @throws ConfigurationError if an option is unknown or invalid
 * @throws WorktrackError if a request fails; nothing was reported
 *
 * @example
 * ```ts
 * const { changes, commit } = await readChanges({ client, project, book: sqliteBook('changes.db') });
 * for (const change of changes) console.log(change.type, change.recordId);
 * await commit();
 * ```
 */
export async function readChanges(options: ReadChangesOptions): Promise<ChangeBatch> {
  checkReadOptions(options);
  return readBatch(options, new Date());
}

/**
 * Watches records and yields each change. A change counts as delivered when you request the next change. If
 * the process crashes while handling a change, the change is delivered again.
 *
 * Waits and tries again while the API is unavailable or rate-limited. Finishes when the signal aborts.
 *
 * @throws TooManyDeletionsError if more records disappeared than `maxDeletions` allows
 * @throws BookError if the book is in use, can't be read or written, or belongs to another job
 * @throws ConfigurationError if an option is unknown or invalid
 * @throws WorktrackError if a request fails in another way, such as with a 401
 *
 * @example
 * ```ts
 * for await (const change of watchChanges({ client, project, book: sqliteBook('changes.db') })) {
 *   if (change.type === 'ticket.moved') console.log(`${change.after.title} is on another board`);
 * }
 * ```
 */
export function watchChanges(options: WatchChangesOptions): AsyncGenerator<Change, void, undefined> {
  checkWatchOptions(options);
  return watch(options);
}

async function readBatch(options: ReadChangesOptions, now: Date): Promise<ChangeBatch> {
  const { deltas, records } = await sweep(options, now.toISOString());
  const changes = deltas.map(({ change }) => change);
  let delivered = 0;
  return {
    changes,
    records,
    async commit(change) {
      const end = change ? changes.indexOf(change) + 1 : changes.length;
      if (change && end === 0) throw new TypeError('commit: pass a change from the same batch');
      if (end <= delivered) return;
      const state = await FeedState.of(options);
      await state.commit(deltas.slice(delivered, end).map(({ entry }) => entry));
      delivered = end;
    },
  };
}

async function* watch(options: WatchChangesOptions): AsyncGenerator<Change, void, undefined> {
  const { every, onSweep, onError, ...readOptions } = options;
  const { client, book, signal } = readOptions;
  const [min, max] = every === undefined ? [15_000, 240_000] : [every, every];
  const release = reserve(book, signal);
  const control = sweepControlOf(client);
  let nextInMs = 0;
  try {
    for (;;) {
      if (control) await control.nextSweep(nextInMs, signal);
      else if (nextInMs > 0) await settled(delay(nextInMs, signal), signal);
      if (signal?.aborted) return;
      const startedAt = performance.now();
      const now = control?.now() ?? new Date();
      const batch = await readBatch(readOptions, now).catch(async (error) => {
        if (signal?.aborted) return;
        if (!isTemporary(error)) throw error;
        await settled(onError?.(error), signal);
      });
      const durationMs = Math.round(performance.now() - startedAt);
      nextInMs = batch?.changes.length ? min : Math.min(max, Math.max(min, nextInMs * 2));
      if (!batch) continue;
      const { changes, records } = batch;
      await settled(onSweep?.({ records, changes: changes.length, durationMs, nextInMs }), signal);
      for (const change of changes) {
        if (signal?.aborted) return;
        yield change;
        await batch.commit(change);
      }
    }
  } finally {
    release();
    control?.end();
  }
}

/** The feed that uses each book. */
const feeds = new WeakMap<Book, { signal: AbortSignal | undefined }>();

/**
 * Prevents two feeds from using a book at the same time, because each of them would miss the changes that
 * are delivered to the other one. An aborted feed doesn't count, because its consumer may never end it.
 */
function reserve(book: Book, signal: AbortSignal | undefined): () => void {
  const user = feeds.get(book);
  if (user && !user.signal?.aborted) {
    throw new BookError('watchChanges: the book is in use by another feed; use a book for each feed');
  }
  const feed = { signal };
  feeds.set(book, feed);
  return () => {
    if (feeds.get(book) === feed) feeds.delete(book);
  };
}

/** Whether the cause is temporary: the API is unavailable, overloaded, or rate-limited. */
const isTemporary = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof RequestTimeoutError ||
  (error instanceof ApiError && [408, 429].includes(error.status)) ||
  error instanceof ServerError;
