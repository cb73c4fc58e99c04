import * as z from 'zod/mini';
import { isNonEmptyString, positiveDuration, requiredOption } from '../../src/internal.js';
import { type Book, type BookEntry, BookError, escapeKey, type StoredEntry, storedChanges } from './book.js';

export interface LeaseOptions {
  /** The book's name. Each job needs its own. */
  name: string;
  /**
   * How long the book stays locked after its process was killed or suspended, in milliseconds. While the book
   * is open, its process renews the lease.
   * @defaultValue 30_000
   */
  leaseTime?: number | undefined;
}

/** The schemas for {@link LeaseOptions}. */
const leaseFields = {
  name: requiredOption('a non-empty string', isNonEmptyString),
  leaseTime: positiveDuration(),
};

/** The rows that a put changes, keyed by escaped key. An undefined row is deleted. */
export type BookRows = Map<string, StoredEntry | undefined>;

/** How a database stores a book and its lease. */
export interface LeasedStore {
  /**
   * Takes the lease, and invalidates the previous token.
   *
   * @returns a new token, or undefined if another process holds the lease
   */
  take(milliseconds: number): Promise<string | undefined>;
  /** Renews the lease if the token is still valid. */
  renew(token: string, milliseconds: number): Promise<unknown>;
  release(token: string): Promise<unknown>;
  /** Changes rows in the transaction that checks the token. Returns false if it's no longer valid. */
  put(token: string, rows: BookRows): Promise<boolean>;
  get(keys: readonly string[]): Promise<BookEntry[]>;
  entries(): AsyncIterable<BookEntry>;
}

/**
 * Creates a book that many processes can open, but only one at a time can use. The first call takes the lease.
 * If a process is suspended so long that another one takes the lease, its next put fails, because the token of
 * its lease is no longer valid.
 */
export function leasedBook({ name, leaseTime = 30_000 }: LeaseOptions, store: LeasedStore): Book {
  const title = `the book ${JSON.stringify(name)}`;
  const inFlight = new Set<Promise<unknown>>();
  let lease: Promise<string> | undefined;
  let renewal: ReturnType<typeof setInterval> | undefined;
  let isOpen = true;

  async function take(): Promise<string> {
    const token = await store.take(leaseTime);
    if (token === undefined) {
      throw new BookError(
        `${title} is in use by another process; if that process was killed, try again in ${leaseTime} ms`,
      );
    }
    // A failed renewal is ignored, because each put checks the token.
    const renew = () => void store.renew(token, leaseTime).catch(() => {});
    renewal = setInterval(renew, leaseTime / 3);
    (renewal as { unref?(): void }).unref?.();
    return token;
  }

  /** Runs an action with the lease's token. Converts the database's errors. */
  async function use<T>(action: (token: string) => Promise<T>): Promise<T> {
    if (!isOpen) throw new BookError(`${title} is closed`);
    lease ??= take();
    const used = lease.then(action).catch((cause: Error) => {
      throw cause instanceof BookError
        ? cause
        : new BookError(`${title} failed: ${cause.message}`, { cause });
    });
    inFlight.add(used);
    // If the lease couldn't be taken, the next call tries again.
    lease.catch(() => {
      lease = undefined;
    });
    return used.finally(() => inFlight.delete(used));
  }

  return {
    get: (keys) =>
      use(async () => {
        const entries = keys.length > 0 ? await store.get(keys.map(escapeKey)) : [];
        return new Map(entries.map((entry) => [entry.key, entry]));
      }),
    async put(changes) {
      const rows: BookRows = new Map(
        storedChanges(changes).map(({ key, stored }) => [escapeKey(key), stored]),
      );
      await use(async (token) => {
        if (rows.size === 0 || (await store.put(token, rows))) return;
        throw new BookError(
          `${title} was taken over by another process while this one didn't renew its lease`,
        );
      });
    },
    async *entries() {
      await use(async () => {});
      yield* store.entries();
    },
    async close() {
      isOpen = false;
      await Promise.allSettled(inFlight);
      clearInterval(renewal);
      const token = await lease?.catch(() => undefined);
      lease = undefined;
      // If this fails, the lease expires.
      if (token !== undefined) await store.release(token).catch(() => {});
    },
  };
}

/** Extends {@link leaseFields} to the schema of a book's options. */
export const leasedOptions = <Fields extends Record<string, z.core.$ZodType>>(fields: Fields) =>
  z.strictObject({ ...leaseFields, ...fields });
