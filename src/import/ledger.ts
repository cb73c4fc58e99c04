import type { FieldErrors } from '../contract/index.js';
import { shorten } from '../shared/quote.js';

/**
 * A row's state. A row is `started` before its request is sent, and `done` once its record is known. If a
 * later run finds a row that is `started` or `unknown`, the row is in doubt: its record may or may not exist.
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
  /**
   * The title in the row's payload. It's used to find the record if the row is edited while it's in doubt.
   */
  title?: string | undefined;
  /** When the entry was written, according to this machine's clock. For information only. */
  at?: string | undefined;
  /**
   * The time on the server when the row started, as estimated from the latest `created_at` that the import had
   * received. In a `done` entry, the time when the row's record was created.
   */
  since?: string | undefined;
  /**
   * The IDs of the matching records that existed before the row started. Set if the server's time was still
   * unknown.
   */
  baseline?: string[] | undefined;
  /** The ID of the row's record. Set if the row is `done`. */
  recordId?: string | undefined;
  /**
   * For each field, the digests of its last synced values in the row and in the record, separated by a colon.
   * The first digest is empty if the row doesn't set the field. If both digests are equal, only one is
   * stored.
   */
  fields?: Record<string, string> | undefined;
  /**
   * The digests of the values that a sync is writing, by field. They're removed after the write. If the write
   * is interrupted, the next sync uses them to recognize the values.
   */
  pending?: Record<string, string> | undefined;
  /**
   * What the last sync did with the record after finding that the row was missing from the source. `kept`
   * means that the record had changed or was already archived.
   */
  removed?: 'archived' | 'deleted' | 'kept' | undefined;
  /**
   * Set if the row was re-created because a search didn't find its first record. If the first record existed
   * but wasn't searchable yet, the row has two records.
   */
  recreated?: boolean | undefined;
  /** Why the row failed or is in doubt. */
  error?: RowError | undefined;
  /**
   * The records that may have been created from the row. Set if the import can't determine the right record.
   */
  candidates?: Candidate[] | undefined;
  /**
   * Set if the server reported success but the record couldn't be identified. The import never sends the row
   * again.
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
   * Called immediately before the request that creates a row's record. Lets a process that was suspended
   * detect that another process has taken over the ledger or the row.
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

/** Whether the row's record may exist even though the ledger doesn't contain the record's ID. */
export const isInDoubt = (entry: LedgerEntry | undefined): entry is LedgerEntry =>
  entry?.state === 'started' || entry?.state === 'unknown';

/** @throws LedgerError if the row is in doubt */
export function assertForgettable(entry: LedgerEntry | undefined): void {
  if (!isInDoubt(entry)) return;
  const { key } = entry;
  throw new LedgerError(
    `row "${key}" is in doubt, so forgetting it may create its record twice; resolve it first`,
  );
}

/**
 * Checks an entry read from a file or a database.
 *
 * @returns undefined if the value isn't an entry
 */
export function parseEntry(value: unknown): LedgerEntry | undefined {
  const entry = Object(value) as Record<keyof LedgerEntry, unknown>;
  const isEntry =
    typeof entry.key === 'string' &&
    states.includes(entry.state) &&
    texts.every((name) => entry[name] === undefined || typeof entry[name] === 'string') &&
    (entry.baseline === undefined || Array.isArray(entry.baseline)) &&
    objects.every((name) => entry[name] === undefined || isStringRecord(entry[name])) &&
    (entry.error === undefined || typeof Object(entry.error).message === 'string');
  return isEntry ? (value as LedgerEntry) : undefined;
}

const states: readonly unknown[] = ['pending', 'started', 'done', 'failed', 'unknown'] satisfies RowState[];
const objects = ['fields', 'pending'] as const;
const isStringRecord = (value: unknown) =>
  Object.values(Object(value)).every((text) => typeof text === 'string');
const texts = ['fingerprint', 'group', 'title', 'at', 'since', 'recordId'] as const;

/** Converts records to candidates. Titles are shortened, because a server can return titles of any length. */
export const toCandidates = (records: readonly Candidate[]): Candidate[] =>
  records.slice(0, maxCandidates).map(({ id, title, created_at }) => ({
    id,
    title: typeof title === 'string' ? shorten(title, 200) : undefined,
    created_at: typeof created_at === 'string' ? shorten(created_at, 40) : undefined,
  }));

const maxCandidates = 20;

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
