import type { FieldErrors } from '../contract/index.js';

/**
 * The state of a row. `started` is written before its request is sent, and `done` after its record is known.
 * If a later run finds a row `started` or `unknown`, the row is in doubt: its record may exist.
 */
export type RowState = 'pending' | 'started' | 'done' | 'failed' | 'unknown';

/** A ledger's entry for a row. */
export interface LedgerEntry {
  /** The row's key, unique in the import. */
  key: string;
  state: RowState;
  /** A digest of the row's payload. It differs if the row has changed between two runs. */
  fingerprint?: string | undefined;
  /**
   * The row's group. Rows of one group are created one at a time, because one search finds the records of all
   * of them.
   */
  group?: string | undefined;
  /** When the entry was written, according to this machine's clock. For information only. */
  at?: string | undefined;
  /**
   * The latest `created_at` that the import had received when the row was started, according to the server's
   * clock.
   */
  since?: string | undefined;
  /** The ID of the record that the row has become. Set if the row is `done`. */
  recordId?: string | undefined;
  /** Why the row failed, or why it is in doubt. */
  error?: RowError | undefined;
  /** The records that the row may have become. Set if the import can't decide between them. */
  candidates?: Candidate[] | undefined;
  /**
   * Set if the server reported success, but the response couldn't be read. Such a row is never created again.
   */
  performed?: boolean | undefined;
}

/** An error of a row as plain data. */
export interface RowError {
  message: string;
  /** The error's stable code, for example `unprocessable`. */
  code?: string | undefined;
  status?: number | undefined;
  /** The API's error messages, by field. */
  fieldErrors?: FieldErrors | undefined;
}

/** A record that a row in doubt may have become. */
export interface Candidate {
  id: string;
  title?: string | undefined;
  created_at?: string | undefined;
}

/**
 * Stores the state of each row, so that an import can be stopped at any time and run again.
 *
 * Implement it to store the states elsewhere, for example in your own database. Only one import at a time may
 * use a ledger, unless the ledger's documentation allows more.
 */
export interface Ledger {
  /** The latest `created_at` received so far, if the ledger has stored one. */
  readonly since?: string | undefined;
  /**
   * Binds the ledger to an import, for example `tickets:prj_1`, on first use.
   *
   * @throws LedgerError if the ledger belongs to another import
   */
  bind(scope: string): Promise<void>;
  /**
   * Returns the row's entry, with at least `state` and `fingerprint`. Undefined if the row was never started.
   */
  get(key: string): LedgerEntry | undefined | Promise<LedgerEntry | undefined>;
  /** Writes an entry that isn't `done`. Resolves when the entry is safe from a crash. */
  put(entry: LedgerEntry): Promise<void>;
  /**
   * Marks a row as `done`, unless another row already has its record. May resolve before the entry is safe
   * from a crash. In that case, the next run looks for the record.
   *
   * @returns false if another row has the record; in that case, nothing is written
   */
  claim(entry: LedgerEntry & { recordId: string }): Promise<boolean>;
  /** Whether another row has the record. */
  isTaken(recordId: string, key: string): boolean | Promise<boolean>;
  /**
   * Lists the keys of a group's rows that are in doubt: those that are `unknown`, and those that are
   * `started` if two rows of a group can be in progress at the same time.
   */
  inDoubt(group: string): string[] | Promise<string[]>;
  /** Iterates over the latest entries of the rows in this state, or of all rows. */
  entries(state?: RowState): AsyncIterable<LedgerEntry>;
  /** Resolves when everything that was written is safe from a crash. */
  flush(): Promise<void>;
  /** Flushes and closes the ledger. It can't be used afterwards. */
  close(): Promise<void>;
}

/**
 * Thrown if the ledger can't be used: it is locked or damaged, belongs to another import, or can't be
 * written.
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/** Whether the row's record may exist although the ledger has no ID for it. */
export const isInDoubt = (entry: LedgerEntry | undefined): entry is LedgerEntry =>
  entry?.state === 'started' || entry?.state === 'unknown';

/** Creates the error for a ledger that belongs to another import. */
export const otherScope = (what: string, scope: string, wanted: string): LedgerError =>
  new LedgerError(`${what} belongs to the import "${scope}", not to "${wanted}"; use another ledger`);
