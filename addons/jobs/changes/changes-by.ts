import type { Worktrack } from '../../../src/client.js';
import { observeCalls } from '../../../src/http/operation-client.js';
import type { FinishedCall } from '../../../src/http/settings.js';
import { now } from '../../../src/http/time-limit.js';
import type { Change } from './change.js';
import { changedFields, type Kind, type KnownFields, knownFields, type RecordOf } from './records.js';

/**
 * Returns a function for the `ignore` option that skips changes made with this client and clients derived
 * from it. Use it to keep a bot from reacting to its own changes.
 *
 * Call it before the first write. A change is skipped only if the client wrote all of the changed fields and
 * they still have the values that the client wrote. A change that includes an edit by someone else is
 * reported. Use the same client for the feed. Otherwise, the function can't detect that someone replaced the
 * client's value between two sweeps. The function doesn't recognize requests made with `client.raw` or by
 * other programs. It also doesn't recognize a new order of tickets, or side effects on other records, such as
 * the tickets of a deleted board.
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
  observeCalls(client, (call) => {
    forgetOverwritten(writes, call);
    remember(writes, call);
  });
  return (change) => isOwn(writes, change);
}

/** What a client wrote to a record. */
interface OwnWrites {
  /** The written fields, as returned by the server. */
  fields: Record<string, unknown>;
  updatedAt: string | undefined;
  isDeleted: boolean;
  /**
   * When the last write finished, according to the system clock. `finishedAt` is the same time, as returned
   * by `now`.
   */
  writtenAt: string;
  finishedAt: number;
}

/** The maximum number of records whose writes are remembered. */
const maxRecords = 10_000;

/**
 * Stops treating a field's value as the client's own once a response contains a different value, even if
 * another user later sets the same value again. A request that was sent before the client's write finished
 * may return the earlier value, so its response is skipped.
 */
function forgetOverwritten(
  writes: ReadonlyMap<string, OwnWrites>,
  { operation, data, startedAt }: FinishedCall,
): void {
  const { kind, nested } = partsOf(operation);
  if (nested !== undefined) return;
  const { data: items = data } = (data ?? {}) as { data?: unknown };
  for (const record of [items].flat() as (WrittenRecord | undefined)[]) {
    const own = writes.get(`${kind} ${record?.id}`);
    if (!own || !record || startedAt < own.finishedAt || isOlder(record, own)) continue;
    for (const name of changedFields(kind, own.fields, knownFields(kind, record))) delete own.fields[name];
  }
}

/** A record that clients can write. Some servers omit `updated_at`. */
type WrittenRecord = RecordOf[Kind] & { updated_at?: string };

const isOlder = ({ updated_at }: { updated_at?: string }, own: OwnWrites): boolean =>
  updated_at !== undefined && own.updatedAt !== undefined && updated_at < own.updatedAt;

function partsOf(operation: string) {
  const [namespace = '', action = '', nested] = operation.split('.');
  return { kind: namespace.slice(0, -1) as Kind, action, nested };
}

function remember(writes: Map<string, OwnWrites>, { operation, input, data }: FinishedCall): void {
  const { kind, action, nested } = partsOf(operation);
  if (nested !== undefined || !['create', 'update', 'move', 'delete'].includes(action)) return;
  const record = data as WrittenRecord | undefined;
  const id = action === 'delete' ? (input.params as Record<string, unknown>)[kind] : record?.id;
  if (typeof id !== 'string') return;
  const key = `${kind} ${id}`;
  const own: OwnWrites = {
    ...(writes.get(key) ?? { fields: {}, updatedAt: undefined, isDeleted: false }),
    writtenAt: new Date().toISOString(),
    finishedAt: now(),
  };
  // Move the record to the end of the map, because the loop below deletes the writes at its start.
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
  const known = knownFields(kind, record as RecordOf[Kind]);
  const names = action === 'create' ? Object.keys(known) : writtenFields(action, input.body);
  for (const name of names) own.fields[name] = known[name];
  own.updatedAt = record?.updated_at;
}

/** Returns the names of the record fields that a request changes. */
function writtenFields(action: string, body: unknown): string[] {
  if (action === 'move') return ['board_id', 'started_at', 'completed_at'];
  return Object.keys(body ?? {}).flatMap((name) => setBy[name] ?? name);
}

/** Maps each request field to the record fields that it sets, if their names differ. */
const setBy: Readonly<Record<string, readonly string[]>> = {
  archived: ['archived_at'],
  assignee_ids: ['assignees'],
  label_ids: ['labels'],
  editor_ids: ['editors'],
  tag_names: ['tags'],
  status: ['status', 'published_at'],
  name: ['name', 'slug'],
};

function isOwn(
  writes: ReadonlyMap<string, OwnWrites>,
  { type, recordId, observedAt, after, fields }: Change,
): boolean {
  const [kind, action] = type.split('.') as [Kind, string];
  const own = writes.get(`${kind} ${recordId}`);
  if (!own || action === 'reordered') return false;
  if (!after) return own.isDeleted;
  const known = knownFields(kind, after as RecordOf[Kind]);
  const changed = action === 'created' ? known : pick(known, fields);
  const foreign = changedFields(kind, own.fields, changed);
  // The feed may use another client, whose responses don't reach `forgetOverwritten`.
  const isLater = observedAt >= own.writtenAt && !isOlder(after as WrittenRecord, own);
  if (isLater) for (const name of foreign) delete own.fields[name];
  return foreign.length === 0;
}

const pick = (known: KnownFields, names: readonly string[]): KnownFields =>
  Object.fromEntries(names.map((name) => [name, known[name]]));
