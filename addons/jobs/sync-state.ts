import type { Document, Ticket } from '../../src/contract/index.js';
import { type Mark, readMark, unlessMissing } from '../../src/internal.js';
import type { Book } from './book.js';
import { readRecords } from './reader.js';
import type { RecordKind, RowValue, WrittenField } from './records.js';
import type { RunControl } from './run-control.js';
import type { Digests } from './sync-decide.js';
import type { SyncSettings } from './sync-options.js';

export type AnyRecord = Ticket | Document;
export type SyncKind = RecordKind<object, AnyRecord>;

/** What a book contains about a row that has a record. */
export interface SyncValue extends RowValue {
  id: string;
  /** The digests of values whose write was started and may not have finished. */
  pending?: Digests | undefined;
  /** Set if this job archived or deleted the record because the row was missing. */
  removed?: 'archived' | 'deleted' | undefined;
}

/** What a sync remembers about a record: digests of its fields instead of their values. */
export interface RecordState {
  id: string;
  isArchived: boolean;
  /** Contains only the fields that the server included. */
  digests: Digests;
  /** Whether a job created the record, and nobody has changed it since. */
  isUntouched: boolean;
}

/** What a sync knows before it reads the source. */
export interface KnownRecords {
  /** The rows that have a record, by key. */
  values: Map<string, SyncValue>;
  /** The keys of the rows that an earlier run started, and whose records weren't found. */
  inDoubt: Set<string>;
  /** The records in the scope, by ID. Records without a mark of the source may be missing. */
  states: Map<string, RecordState>;
  /** The keys whose marks several records have, with the IDs of these records, oldest first. */
  duplicates: Map<string, string[]>;
}

type ReadSettings = Pick<SyncSettings<never>, 'client' | 'source' | 'book'>;

/** Reads the book and the records, and connects rows with records by their marks. */
export async function readKnownRecords(
  kind: SyncKind,
  settings: ReadSettings,
  control: RunControl,
): Promise<KnownRecords> {
  const { values, inDoubt } = await readBook(settings.book);
  const ids = new Set([...values.values()].map(({ id }) => id));
  const { states, marked, withoutHtml } = await control.request(
    ({ signal }) => readStates(kind, settings, ids, signal),
    true,
  );
  // Some servers leave the HTML out of lists.
  await control.forEach(withoutHtml, async (id) => {
    const record = await getRecord(kind, id, control);
    const mark = record && markOf(kind, record, settings.source);
    if (mark) marked.push({ key: mark.key, record: stateOf(kind, record), createdAt: record.created_at });
  });
  marked.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  const keysInBook = new Map([...values].map(([key, { id }]) => [id, key]));
  const duplicates = new Map<string, string[]>();
  for (const { key, record } of marked) {
    states.set(record.id, record);
    // A person copied another row's mark into this row's record.
    if ((keysInBook.get(record.id) ?? key) !== key) continue;
    duplicates.set(key, [...(duplicates.get(key) ?? []), record.id]);
    const known = values.get(key);
    const exists =
      known && (states.has(known.id) || (await getRecord(kind, known.id, control)) !== undefined);
    // If the book's record no longer exists, another run may have created it again.
    if (!exists) values.set(key, { id: record.id });
    inDoubt.delete(key);
  }
  for (const [key, { length }] of duplicates) if (length < 2) duplicates.delete(key);
  return { values, inDoubt, states, duplicates };
}

/** Returns the keys in a book that are a row's key. */
const rowPrefix = 'row:';

export const rowKey = (key: string): string => `${rowPrefix}${key}`;

async function readBook(book: Book): Promise<Pick<KnownRecords, 'values' | 'inDoubt'>> {
  const values = new Map<string, SyncValue>();
  const inDoubt = new Set<string>();
  for await (const { key, state, value } of book.entries()) {
    if (!key.startsWith(rowPrefix)) continue;
    const { id } = Object(value) as Partial<SyncValue>;
    const row = key.slice(rowPrefix.length);
    if (id !== undefined) values.set(row, value as SyncValue);
    else if (state === 'started') inDoubt.add(row);
  }
  return { values, inDoubt };
}

/** @param known the IDs of the records in the book, whose marks aren't needed */
async function readStates(
  kind: SyncKind,
  { client, source }: ReadSettings,
  known: ReadonlySet<string>,
  signal: AbortSignal,
) {
  const states = new Map<string, RecordState>();
  const marked: { key: string; record: RecordState; createdAt: string }[] = [];
  const withoutHtml: string[] = [];
  for await (const record of readRecords(client, kind.scope, { signal })) {
    const { id, created_at: createdAt } = record;
    const mark = markOf(kind, record, source);
    if (mark || known.has(id)) states.set(id, stateOf(kind, record));
    if (mark) marked.push({ key: mark.key, record: stateOf(kind, record), createdAt });
    else if (!known.has(id) && htmlOf(kind, record) === undefined) withoutHtml.push(id);
  }
  return { states, marked, withoutHtml };
}

function markOf(kind: SyncKind, record: AnyRecord, source: string): Mark | undefined {
  const mark = readMark(htmlOf(kind, record), kind.scope.kind);
  return mark?.source === source ? mark : undefined;
}

const htmlOf = ({ htmlField }: SyncKind, record: AnyRecord) =>
  (record as unknown as Record<string, string | null | undefined>)[htmlField];

/** Gets a record. Resolves to undefined if it doesn't exist. */
export async function getRecord(
  kind: SyncKind,
  id: string,
  control: RunControl,
): Promise<AnyRecord | undefined> {
  return control.request((options) => unlessMissing(kind.get(id, options)), true);
}

export function stateOf(kind: SyncKind, record: AnyRecord): RecordState {
  const digests: Record<string, string> = {};
  for (const [name, field] of kind.fields)
    if (field.isIn(record)) digests[name] = field.digest(field.read(record));
  return {
    id: record.id,
    isArchived: Boolean(record.archived_at),
    digests,
    isUntouched:
      record.updated_at !== undefined && record.updated_at === record.created_at && !isByPerson(record),
  };
}

/** Whether a person created the record, for example by copying another one together with its mark. */
const isByPerson = (record: AnyRecord): boolean =>
  ('author' in record ? record.author : (record as Ticket).creator)?.type === 'user';

/**
 * Returns what is known about a record. If the response to a create or the whole book was lost, the book doesn't
 * contain what the server stored. If nobody has changed the record since, that's what the record contains.
 */
export function knownFields(value: SyncValue, { digests, isUntouched }: RecordState): SyncValue {
  if (value.fields || !isUntouched) return value;
  const stored = Object.entries(digests).map(([name, digest]): [string, WrittenField] => [
    name,
    { sent: '', stored: digest },
  ]);
  return { ...value, fields: Object.fromEntries(stored) };
}
