import type { FieldErrors } from '../contract/index.js';

/**
 * Where a row stands. `started` is written before its request is sent, `done` after its record is known.
 * A row that a later run finds `started` or `unknown` is in doubt: its record may exist.
 */
export type RowState = 'pending' | 'started' | 'done' | 'failed' | 'unknown';

/** What a ledger keeps about a row. */
export interface LedgerEntry {
  /** The row's key, unique in the import. */
  key: string;
  state: RowState;
  /** Digest of what the row was turned into; differs when the row has changed between two runs. */
  fingerprint?: string | undefined;
  /** Rows of one group are created one at a time, because one search finds the records of all of them. */
  group?: string | undefined;
  /** When this was written, by the clock of this machine. For people only; nothing is decided by it. */
  at?: string | undefined;
  /** The newest `created_at` the import had received when the row was started, by the server's clock. */
  since?: string | undefined;
  /** The record that the row has become; set when `done`. */
  recordId?: string | undefined;
  /** Why the row failed, or why it is in doubt. */
  error?: RowError | undefined;
  /** Records that the row may have become; set when they can't be told apart. */
  candidates?: Candidate[] | undefined;
  /** Set if the server reported success, but the response couldn't be read: never create the row again. */
  performed?: boolean | undefined;
}

/** An error of a row as plain data. */
export interface RowError {
  message: string;
  /** The error's stable code, for example `unprocessable`. */
  code?: string | undefined;
  status?: number | undefined;
  /** What the API rejected, by field. */
  fieldErrors?: FieldErrors | undefined;
}

/** A record that a row in doubt may have become. */
export interface Candidate {
  id: string;
  title?: string | undefined;
  created_at?: string | undefined;
}

/**
 * Remembers what has become of each row, so that an import can be stopped at any moment and run again.
 *
 * Implement it to keep that elsewhere, for example in your own database. One import at a time may use a
 * ledger, unless the ledger's own documentation says otherwise.
 */
export interface Ledger {
  /** The newest `created_at` received so far, if the ledger remembers one. */
  readonly since?: string | undefined;
  /**
   * Ties the ledger to what it is used for, for example `tickets:prj_1`, the first time.
   *
   * @throws LedgerError if the ledger belongs to something else
   */
  bind(scope: string): Promise<void>;
  /** The row's entry; at least `state` and `fingerprint`. Undefined if the row was never started. */
  get(key: string): LedgerEntry | undefined | Promise<LedgerEntry | undefined>;
  /** Writes an entry that isn't `done`. Resolves when the entry would survive a crash. */
  put(entry: LedgerEntry): Promise<void>;
  /**
   * Marks a row as `done`, unless another row already has its record. May resolve before that is safe
   * from a crash: the next run looks for the record then.
   *
   * @returns false if another row has the record; nothing is written then
   */
  claim(entry: LedgerEntry & { recordId: string }): Promise<boolean>;
  /** Whether another row than this one has the record. */
  isTaken(recordId: string, key: string): boolean | Promise<boolean>;
  /**
   * The keys of the rows of a group that are in doubt: those that are `unknown`, and those that are
   * `started` if another row of the group could be in work at the same time.
   */
  inDoubt(group: string): string[] | Promise<string[]>;
  /** The latest entry of each row in this state, or of every row. */
  entries(state?: RowState): AsyncIterable<LedgerEntry>;
  /** Resolves when everything would survive a crash. */
  flush(): Promise<void>;
  /** Flushes, and lets go of the ledger; it can't be used afterwards. */
  close(): Promise<void>;
}

/** The ledger can't be used: it is locked, damaged, belongs to another import, or can't be written. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/** Whether the row's record may exist although the ledger doesn't know it. */
export const isInDoubt = (entry: LedgerEntry | undefined): entry is LedgerEntry =>
  entry?.state === 'started' || entry?.state === 'unknown';

/** The error for a ledger that was used for something else. */
export const otherScope = (what: string, scope: string, wanted: string): LedgerError =>
  new LedgerError(`${what} belongs to the import "${scope}", not to "${wanted}"; use another ledger`);
