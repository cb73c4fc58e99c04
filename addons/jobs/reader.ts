import type { Document, Ticket } from '../../src/contract/index.js';
import type { PageList, Worktrack } from '../../src/index.js';
import { type Mark, readMark, unlessMissing } from '../../src/internal.js';
import type { RecordScope } from './records.js';

/** Options for reading a scope's records. */
export interface ReadOptions {
  /** Aborts the read. */
  signal?: AbortSignal | undefined;
}

/** The records that have a mark of one source. */
export interface FoundMarks {
  /** The IDs of the records that have the mark of a key. Contains several IDs, oldest record first, for duplicates. */
  byKey: Map<string, string[]>;
}

/**
 * Reads all records in a scope, including archived ones. Yields every record that exists throughout the read, even if
 * the list changes. Records that are created or deleted during the read may or may not be included, so ask for a
 * missing record by its ID before you conclude that it doesn't exist.
 *
 * @throws IncompleteListError if the list can't be read completely
 */
export async function* readRecords(
  client: Worktrack,
  scope: RecordScope,
  { signal }: ReadOptions = {},
): AsyncGenerator<Ticket | Document, void, undefined> {
  for await (const { data } of listRecords(client, scope, signal).pages({ complete: true })) yield* data;
}

/**
 * Reads all records in a scope once, and returns the records that have a mark of the given source. If the server
 * leaves the HTML out of lists, also reads each record by its ID, eight at a time.
 *
 * @param options `source`: the source of the marks. Undefined for the marks of `findOrCreate`.
 * @throws IncompleteListError if the list can't be read completely
 */
export async function readMarks(
  client: Worktrack,
  scope: RecordScope,
  { source, signal }: ReadOptions & Pick<Mark, 'source'>,
): Promise<FoundMarks> {
  const marked: { id: string; key: string; createdAt: number }[] = [];
  const add = (record: Ticket | Document): void => {
    const mark = readMark(htmlOf(record, scope), scope.kind);
    if (!mark || mark.source !== source) return;
    marked.push({ id: record.id, key: mark.key, createdAt: Date.parse(record.created_at) });
  };
  const withoutHtml: string[] = [];
  for await (const record of readRecords(client, scope, { signal })) {
    if (htmlOf(record, scope) === undefined) withoutHtml.push(record.id);
    else add(record);
  }
  const ids = each(withoutHtml);
  const readSome = async () => {
    for (const id of ids) {
      const record = await getOrUndefined(client, scope.kind, id, { signal });
      if (record) add(record);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, readSome));
  const byKey = new Map<string, string[]>();
  for (const { key, id } of marked.sort((one, other) => one.createdAt - other.createdAt)) {
    const found = byKey.get(key);
    if (found) found.push(id);
    else byKey.set(key, [id]);
  }
  return { byKey };
}

/** Gets a record. Resolves to undefined if it doesn't exist. */
export const getOrUndefined = (
  client: Worktrack,
  kind: RecordScope['kind'],
  id: string,
  { signal }: ReadOptions = {},
): Promise<Ticket | Document | undefined> =>
  unlessMissing<Ticket | Document>(
    kind === 'ticket' ? client.tickets.get(id, { signal }) : client.documents.get(id, { signal }),
  );

/** The maximum number of records to read by their IDs at the same time. */
const concurrency = 8;

/**
 * Iterates over items. Several loops can share the iteration. If one of them fails, the others end after their
 * current item.
 */
function* each<Item>(items: readonly Item[]): Generator<Item, void, undefined> {
  yield* items;
}

function listRecords(
  client: Worktrack,
  scope: RecordScope,
  signal?: AbortSignal,
): PageList<Ticket | Document> {
  if (scope.kind === 'ticket') return client.tickets.list(scope.project, { per_page: 200 }, { signal });
  const { organization, project } = scope;
  const inProject = project === undefined ? {} : { project_id: project };
  return client.documents.list({ per_page: 200, ...inProject }, { organization, signal });
}

/** Returns a record's HTML, which is null if it's empty and undefined if the server left it out. */
const htmlOf = (record: Ticket | Document, { kind }: RecordScope): string | null | undefined =>
  kind === 'ticket' ? (record as Ticket).description_html : (record as Document).content_html;
