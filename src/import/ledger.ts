import type { FieldErrors } from '../contract/index.js';

/**
 * A row's state. A row is `started` before its request is sent, and `done` once its record is known. If a
 * later run finds a row that is `started` or `unknown`, the row is in doubt: its record may exist.
 */
export type RowState = 'pending' | 'started' | 'done' | 'failed' | 'unknown';

/** A row's entry in the ledger. */
export interface LedgerEntry {
  /** The row's key, which is unique in the import. */
  key: string;
  state: RowState;
  /** A digest of the row's payload, for detecting changes since the last run. */
  fingerprint?: string | undefined;
  /**
   * The row's group. Rows in a group are created one at a time, because a search for one row can also find
   * the records of the others.
   */
  group?: string | undefined;
  /** When the entry was written, according to this machine's clock. For information only. */
  at?: string | undefined;
  /**
   * The latest `created_at` that the import had received when the row started. It comes from the server's
   * clock.
   */
  since?: string | undefined;
  /** The ID of the row's record. Set if the row is `done`. */
  recordId?: string | undefined;
  /** Why the row failed or is in doubt. */
  error?: RowError | undefined;
  /**
   * The records that may have been created from the row. Set if the import can't determine the right record.
   */
  candidates?: Candidate[] | undefined;
  /**
   * Set if the server reported success, but the record couldn't be identified. The import never sends the
   * row again.
   */
  performed?: boolean | undefined;
}

/** A row's error, as plain data. */
export interface RowError {
  message: string;
  /** The error's stable code, for example `unprocessable`. */
  code?: string | undefined;
  status?: number | undefined;
  /** The API's error messages, by field. */
  fieldErrors?: FieldErrors | undefined;
}

/** A record that may have been created from an in-doubt row. */
export interface Candidate {
  id: string;
  title?: string | undefined;
  created_at?: string | undefined;
}

/**
 * Stores the state of each row so that you can stop an import at any time and resume it later.
 *
 * Implement this interface to store the states elsewhere, for example in your own database. Only one import
 * can use a ledger at a time, unless its documentation says otherwise.
 */
export interface Ledger {
  /** The latest `created_at` in the ledger, if any. */
  readonly since?: string | undefined;
  /**
   * On first use, binds the ledger to an import, for example `tickets:prj_1`.
   *
   * @throws LedgerError if the ledger belongs to another import
   */
  bind(scope: string): Promise<void>;
  /**
   * Returns the row's entry, including at least `state` and `fingerprint`, or undefined if the row has none.
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

/** Whether the row's record may exist even though the ledger doesn't contain the record's ID. */
export const isInDoubt = (entry: LedgerEntry | undefined): entry is LedgerEntry =>
  entry?.state === 'started' || entry?.state === 'unknown';

/** Creates the error for a ledger that belongs to another import. */
export const otherScope = (what: string, scope: string, requestedScope: string): LedgerError =>
  new LedgerError(`${what} belongs to the import "${scope}", not to "${requestedScope}"; use another ledger`);
