import type { FieldErrors } from '../../../src/contract/index.js';
import { describeThrown } from '../../../src/shared/describe-thrown.js';
import { shorten } from '../../../src/shared/quote.js';

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

/** Whether the row's record may exist even though the ledger doesn't contain the record's ID. */
export const isInDoubt = (entry: LedgerEntry | undefined): entry is LedgerEntry =>
  entry?.state === 'started' || entry?.state === 'unknown';

/** Converts an error to plain data for the ledger, limited to a few kilobytes. */
export function rowError(error: unknown): RowError {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const { message, code, status, fieldErrors } = error as Error & RowError;
  const fields = Object.entries(fieldErrors ?? {})
    .slice(0, maxFields)
    .map(([name, messages]) => [
      shorten(name, 100),
      [messages]
        .flat()
        .slice(0, maxMessages)
        .map((text) => shorten(String(text), 200)),
    ]);
  return {
    message: shorten(message, 1000),
    ...(code !== undefined && { code: shorten(String(code), 100) }),
    ...(status && { status }),
    ...(fields.length > 0 && { fieldErrors: Object.fromEntries(fields) }),
  };
}

/** The maximum number of fields in an entry. A server can send any number. */
const maxFields = 20;
/** The maximum number of messages to store for each field. A server can send any number. */
const maxMessages = 5;

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
