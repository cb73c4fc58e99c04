import type { Worktrack } from '../client.js';
import { observeCalls } from '../http/operation-client.js';
import type { FinishedCall } from '../http/settings.js';
import type { Change } from './change.js';
import { changedFields, type Kind, type KnownFields, knownFields, type RecordOf } from './records.js';

/**
 * Returns a function for the `ignore` option that skips changes made with this client and clients derived
 * from it. Use it to keep a bot from reacting to its own changes.
 *
 * Call it before the first write. A change is skipped only if the client wrote all of the changed fields and
 * they still have the values that the client wrote. A change that includes an edit by someone else is
 * reported. Requests made with `client.raw` or by other programs aren't recognized. Neither are side effects
 * on other records, such as the tickets of a deleted board.
 *
 * @throws ConfigurationError if `client` isn't a client of this package
 *
 * @example
 * ```ts
 * const feed = watchChanges({ client, project, snapshot, ignore: changesBy(client) });
 * ```
 */
export function changesBy(client: Worktrack): (change: Change) => boolean {
  const writes = new Map<string, OwnWrites>();
  observeCalls(client, (call) => remember(writes, call));
  return (change) => isOwn(writes, change);
}

/** What a client wrote to a record. */
interface OwnWrites {
  /** The written fields, as returned by the server. */
  fields: Record<string, unknown>;
  updatedAt: string | undefined;
  isDeleted: boolean;
}

/** The maximum number of records whose writes are remembered. */
const maxRecords = 10_000;

function remember(writes: Map<string, OwnWrites>, { operation, input, data }: FinishedCall): void {
  const [namespace = '', action = '', nested] = operation.split('.');
  const kind = namespace.slice(0, -1) as Kind;
  if (nested !== undefined || !['create', 'update', 'move', 'delete'].includes(action)) return;
  const record = data as (RecordOf[Kind] & { updated_at?: string }) | undefined;
  const id = action === 'delete' ? (input.params as Record<string, unknown>)[kind] : record?.id;
  if (typeof id !== 'string') return;
  const key = `${kind} ${id}`;
  const own = writes.get(key) ?? { fields: {}, updatedAt: undefined, isDeleted: false };
  // Move the record to the end of the map. The loop below then deletes the oldest writes first.
  writes.delete(key);
  writes.set(key, own);
  for (const [oldest] of writes) {
    if (writes.size <= maxRecords) break;
    writes.delete(oldest);
  }
  if (action === 'delete') {
    own.isDeleted = true;
    return;
  }
  const now = knownFields(kind, record as RecordOf[Kind]);
  const names = action === 'create' ? Object.keys(now) : writtenFields(action, input.body);
  for (const name of names) own.fields[name] = now[name];
  own.updatedAt = record?.updated_at;
}

/** Returns the fields of a record that a request sets. */
function writtenFields(action: string, body: unknown): string[] {
  if (action === 'move') return ['board_id', 'started_at', 'completed_at'];
  return Object.keys(body ?? {}).flatMap((name) => setBy[name] ?? name);
}

/** The record fields that a request field sets, if their names differ. */
const setBy: Readonly<Record<string, readonly string[]>> = {
  archived: ['archived_at'],
  assignee_ids: ['assignees'],
  label_ids: ['labels'],
  editor_ids: ['editors'],
  tag_names: ['tags'],
  status: ['status', 'published_at'],
  name: ['name', 'slug'],
};

function isOwn(writes: ReadonlyMap<string, OwnWrites>, { type, recordId, after, fields }: Change): boolean {
  const [kind, action] = type.split('.') as [Kind, string];
  const own = writes.get(`${kind} ${recordId}`);
  if (!own || action === 'reordered') return false;
  if (!after) return own.isDeleted;
  const now = knownFields(kind, after as RecordOf[Kind]);
  const changed = action === 'created' ? now : pick(now, fields);
  const foreign = changedFields(kind, own.fields, changed);
  // Stop treating a field's value as the client's own once another user has changed the field, even if that
  // user later restores the value. This doesn't apply to a record that was read before the client's write.
  const { updated_at: readAt } = after as { updated_at?: string };
  const isOlder = readAt !== undefined && own.updatedAt !== undefined && readAt < own.updatedAt;
  if (!isOlder) for (const name of foreign) delete own.fields[name];
  return foreign.length === 0;
}

const pick = (known: KnownFields, names: readonly string[]): KnownFields =>
  Object.fromEntries(names.map((name) => [name, known[name]]));
