import { isInDoubt, type LedgerEntry, type RowError, type RowState } from './ledger-entry.js';

/**
 * Stores the state of each row so that you can stop an import at any time and resume it later.
 *
 * Implement this interface to store the states elsewhere, such as in your own database. Only one import can
 * use a ledger at a time, unless its documentation says otherwise.
 */
export interface Ledger {
  /**
   * Returns the latest `created_at` in the `done` entries that any process wrote in the last minute.
   * Implement this method if several processes share the ledger. It's called until the process has created
   * its first record. Without this method, the process must search before it creates its first record.
   */
  serverTime?(): string | undefined | Promise<string | undefined>;
  /**
   * Called immediately before each request that writes a row's record, and repeatedly during the request. Lets
   * a process that was suspended detect that another process has taken over the ledger or the row.
   *
   * @throws LedgerError if this process no longer owns the row
   */
  confirmOwnership?(key: string): void | Promise<void>;
  /**
   * On first use, binds the ledger to an import's scope, for example `tickets:prj_1`.
   *
   * @throws LedgerError if the ledger belongs to another import
   */
  bind(scope: string): Promise<void>;
  /**
   * Returns the row's entry, with at least `state` and `fingerprint`, or undefined if the row has no entry.
   */
  get(key: string): LedgerEntry | undefined | Promise<LedgerEntry | undefined>;
  /**
   * Writes an entry whose state isn't `done`. Resolves when the entry is durable, meaning it would survive a
   * crash.
   */
  put(entry: LedgerEntry): Promise<void>;
  /**
   * Marks a row as `done`, unless its record belongs to another row. The promise can resolve before the entry
   * is durable. If the entry is lost, the next run looks for the record.
   *
   * @returns false, without writing anything, if the record belongs to another row
   */
  claim(entry: LedgerEntry & { recordId: string }): Promise<boolean>;
  /** Returns whether the record belongs to another row. */
  isClaimed(recordId: string, key: string): boolean | Promise<boolean>;
  /**
   * Returns the keys of a group's in-doubt rows: all `unknown` rows, plus `started` rows if rows in a group
   * can be processed concurrently.
   */
  inDoubt(group: string): string[] | Promise<string[]>;
  /**
   * Forgets a row that isn't in doubt. The next import or sync re-creates it. Its existing record is left
   * unchanged.
   *
   * @throws LedgerError if the row is in doubt
   */
  forget(key: string): Promise<void>;
  /** Iterates over the latest entry of each row, or of each row in the given state. */
  entries(state?: RowState): AsyncIterable<LedgerEntry>;
  /** Resolves when all written entries are durable. */
  flush(): Promise<void>;
  /** Flushes and closes the ledger. You can't use it afterward. */
  close(): Promise<void>;
}

/** Thrown if a ledger is locked or damaged, belongs to another import, or can't be written to. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/**
 * Stores that a row failed. An in-doubt row stays in doubt, because its record may exist. A row with a record
 * keeps its ledger entry.
 *
 * @returns the entry to report
 */
export async function failRow(
  ledger: Ledger,
  { key, fingerprint, group }: Pick<LedgerEntry, 'key' | 'fingerprint' | 'group'>,
  error: RowError,
): Promise<LedgerEntry> {
  const before = await ledger.get(key);
  if (before?.state === 'done') return { key, state: 'failed', error };
  const entry: LedgerEntry = isInDoubt(before)
    ? { ...before, state: 'unknown', error }
    : { key, state: 'failed', fingerprint, group, error };
  await ledger.put(entry);
  return entry;
}

/** @throws LedgerError if the entry can't be written with `put()` */
export function assertNotDone({ state }: LedgerEntry): void {
  if (state === 'done') throw new LedgerError('use claim() to mark a row as done');
}

/** @throws LedgerError if the row is in doubt */
export function assertForgettable(entry: LedgerEntry | undefined): void {
  if (!isInDoubt(entry)) return;
  const { key } = entry;
  throw new LedgerError(
    `row "${key}" is in doubt, so forgetting it may create its record twice; resolve it first`,
  );
}

/** Creates the error for a ledger that belongs to another import. */
export const otherScope = (what: string, scope: string, requestedScope: string): LedgerError =>
  new LedgerError(`${what} belongs to the import "${scope}", not to "${requestedScope}"; use another ledger`);

/** The keys of in-doubt rows by group. */
export class InDoubtRows {
  readonly #groups = new Map<string, Set<string>>();

  /** Updates the groups when a row's entry is replaced. */
  replace(before: LedgerEntry | undefined, entry: LedgerEntry): void {
    if (isInDoubt(before)) {
      const { group = '', key } = before;
      const keys = this.#groups.get(group);
      if (keys?.delete(key) && keys.size === 0) this.#groups.delete(group);
    }
    if (!isInDoubt(entry)) return;
    const { group = '', key } = entry;
    const keys = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, keys.add(key));
  }

  in(group: string): string[] {
    return [...(this.#groups.get(group) ?? [])];
  }
}
