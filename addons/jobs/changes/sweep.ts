import { unlessMissing } from '../../../src/errors/expected-errors.js';
import { ConfigurationError } from '../../../src/errors/index.js';
import { isObject } from '../../../src/shared/json.js';
import { batchesOf, by } from '../../shared/lists.js';
import type { Change } from './change.js';
import {
  type CompareOptions,
  compareRecord,
  type Delta,
  decode,
  encode,
  isEncoded,
  isFormer,
} from './compare.js';
import { kinds, type ReadChangesOptions } from './options.js';
import { changedFields, isComplete, type Kind, knownFields, type RecordOf } from './records.js';
import { SnapshotEntries, type SnapshotEntry } from './snapshot.js';
import { confirmDeleted, type Source, scopeOf, sourcesOf } from './sources.js';
import { compareTicketOrder } from './ticket-order.js';

/** Thrown if more records disappear in one sweep than `maxDeletions` allows. No changes were reported. */
export class TooManyDeletionsError extends Error {
  override readonly name = 'TooManyDeletionsError';
}

export interface SweepResult {
  /** The changes, in delivery order. */
  deltas: readonly Delta[];
  /** Entries to write before the changes are delivered: baselines and ignored changes. */
  quiet: readonly SnapshotEntry[];
  records: number;
  /**
   * Whether all watched projects are deleted and no documents are watched, so further sweeps would find
   * nothing.
   */
  isOver: boolean;
}

/**
 * Reads all sources once and compares them with the snapshot.
 *
 * A sweep can miss records that move while their pages are read. So a missing record counts as deleted only
 * if a request for it returns a 404. Any other error aborts the sweep.
 */
export async function sweep(options: ReadChangesOptions): Promise<SweepResult> {
  const { now = () => new Date() } = options;
  const ignore = (change: Change): boolean => {
    const isIgnored: unknown = options.ignore?.(change);
    if (isObject(isIgnored) && 'then' in isIgnored)
      throw new ConfigurationError('option "ignore" must return a boolean, not a promise');
    return Boolean(isIgnored);
  };
  const entries = await options.snapshot.read();
  const known = entries instanceof SnapshotEntries ? entries : new SnapshotEntries(entries);
  const context: SweepContext = { options, known, observedAt: now().toISOString(), ignore };
  const sources = sourcesOf(options);
  const gone = new Set(sources.map(({ projectId }) => projectId).filter((id) => isGone(known, id)));
  const findings: Findings[] = [];
  for (const source of sources) {
    const { projectId } = source;
    if (gone.has(projectId)) continue;
    try {
      findings.push(await readSource(context, source));
    } catch (error) {
      if (projectId === null || !isWatched(known, projectId)) throw error;
      await confirmDeleted(options, projectId, error);
      gone.add(projectId);
      findings.push(projectDeletion(context, projectId));
    }
  }
  // Don't report the deletion of each record in a deleted project, because the project's deletion implies it.
  const reported = findings.filter(({ source, isDeletion }) => isDeletion || !gone.has(source.projectId));
  return {
    deltas: reported.flatMap(({ deltas }) => deltas).sort(by(sortKeyOf)),
    quiet: reported.flatMap(({ quiet }) => quiet),
    records: findings.reduce((sum, { records }) => sum + records, 0),
    isOver: sources.every(({ projectId }) => gone.has(projectId)),
  };
}

interface SweepContext extends CompareOptions {
  options: ReadChangesOptions;
  known: SnapshotEntries;
}

/** The results of a sweep for one source. */
class Findings {
  readonly source: Pick<Source, 'kind' | 'projectId'>;
  readonly deltas: Delta[] = [];
  readonly quiet: SnapshotEntry[] = [];
  records = 0;
  /** Whether the source's project was deleted. */
  isDeletion = false;

  constructor(source: Pick<Source, 'kind' | 'projectId'>) {
    this.source = source;
  }

  add(deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (!delta.isIgnored) this.deltas.push(delta);
      else for (const entry of delta.entries) this.quiet.push(entry);
    }
  }
}

async function readSource(context: SweepContext, source: Source): Promise<Findings> {
  const { options, known } = context;
  const scope = scopeOf(source);
  const stored = known.of(scope);
  const isBaselined = stored.has('');
  const findings = new Findings(source);
  const missing = new Set([...stored].flatMap(([id, value]) => (id === '' || isFormer(value) ? [] : [id])));
  const expected = missing.size;
  const limit = options.maxDeletions ?? Math.max(10, expected / 2);

  const compare = async (listed: RecordOf[Kind]): Promise<void> => {
    const value = stored.get(listed.id);
    if (value !== undefined && isEncoded(value, knownFields(source.kind, listed))) {
      missing.delete(listed.id);
      return;
    }
    const before = value === undefined ? undefined : decode(value);
    const record = await completeRecord(source, listed, before?.known ?? undefined);
    if (!record) return;
    missing.delete(record.id);
    const deltas =
      isBaselined || options.initial === 'emit' ? compareRecord(source, before, record, context) : [];
    findings.add(deltas);
    // Store the baseline's records. Also store list items that had to be fetched individually so that
    // the next sweep doesn't fetch them again.
    if (!before ? !deltas.length : record !== listed && !deltas.length) {
      const now = { known: knownFields(source.kind, record), revision: before?.revision ?? 0 };
      findings.quiet.push({ scope, id: record.id, value: encode(now) });
    }
  };

  const all: RecordOf[Kind][] = [];
  // The first sweep must read every record, because the next sweep would report a missed record as new.
  for await (const { data } of source.pages(!isBaselined)) {
    findings.records += data.length;
    for (const record of data) {
      await compare(record);
      if (options.ticketOrder) all.push(record);
    }
  }
  if (missing.size > limit) {
    // Some servers don't list archived records, so every sweep misses them.
    const isArchived = (id: string) => Boolean(decode(stored.get(id) as string).known?.archived_at);
    const disappeared = [...missing].filter((id) => !isArchived(id)).length;
    if (disappeared > limit) throw tooManyDeletions(scope, disappeared, expected);
  }
  const deleted = await verifyMissing(source, [...missing], compare);
  if (deleted.length > limit) throw tooManyDeletions(scope, deleted.length, expected);
  // If the whole project was deleted during the sweep, this request fails, so the tickets aren't reported one
  // by one.
  if (deleted.length && source.projectId !== null) await source.pages(false)[Symbol.asyncIterator]().next();
  for (const id of deleted) {
    findings.add(compareRecord(source, decode(stored.get(id) as string), undefined, context));
  }
  if (options.ticketOrder && source.kind === 'ticket') {
    const order = compareTicketOrder(source.projectId as string, all as RecordOf['ticket'][], context);
    findings.add(order.deltas);
    findings.quiet.push(...order.quiet);
  }
  if (!isBaselined) findings.quiet.push({ scope, id: '', value: '' });
  return findings;
}

/**
 * Checks which missing records were deleted and returns their IDs. Compares the other missing records with
 * the snapshot.
 */
async function verifyMissing(
  { get }: Source,
  missing: readonly string[],
  compare: (record: RecordOf[Kind]) => Promise<void>,
): Promise<string[]> {
  if (!get) return [...missing];
  const deleted: string[] = [];
  const verify = async (id: string) => {
    const record = await unlessMissing(get(id));
    if (record) await compare(record);
    else deleted.push(id);
  };
  for (const batch of batchesOf(missing, concurrency)) await Promise.all(batch.map(verify));
  return deleted;
}

const concurrency = 8;

/**
 * Requests a record if its list item is missing fields, unless the item shows that nothing changed.
 *
 * @returns undefined if the record no longer exists
 */
async function completeRecord(
  { kind, get }: Source,
  listed: RecordOf[Kind],
  known: Readonly<Record<string, unknown>> | undefined,
): Promise<RecordOf[Kind] | undefined> {
  if (!get || isComplete(kind, listed)) return listed;
  const now = knownFields(kind, listed);
  const isUnchanged =
    known &&
    now.updated_at !== undefined &&
    now.updated_at === known.updated_at &&
    !changedFields(kind, known, now).length;
  return isUnchanged ? listed : unlessMissing(get(listed.id));
}

/** Reports the deletion of a project and removes its records from the snapshot. */
function projectDeletion({ known, observedAt, ignore }: SweepContext, projectId: string): Findings {
  const source = { kind: 'project', projectId } as const;
  const stored = known.of(scopeOf(source)).get(projectId);
  const before = stored ? decode(stored) : { known: { id: projectId }, revision: 0 };
  const findings = new Findings(source);
  findings.isDeletion = true;
  const [delta] = compareRecord(source, before, undefined, { observedAt, ignore });
  const forgotten = known.scopes
    .filter((scope) => scope.endsWith(`:${projectId}`))
    .flatMap((scope) => [...known.of(scope).keys()].map((id) => ({ scope, id, value: undefined })));
  const entries = [...forgotten, { scope: goneScope(projectId), id: '', value: '' }];
  if (delta) findings.add([{ ...delta, entries }]);
  return findings;
}

const goneScope = (projectId: string) => `gone:${projectId}`;

const isGone = (known: SnapshotEntries, projectId: string | null) =>
  projectId !== null && known.of(goneScope(projectId)).size > 0;

const isWatched = (known: SnapshotEntries, projectId: string) =>
  known.scopes.some((scope) => scope.endsWith(`:${projectId}`));

const tooManyDeletions = (scope: string, missing: number, total: number) =>
  new TooManyDeletionsError(
    `${missing} of ${total} known records in "${scope}" are missing. If they were really deleted, set "maxDeletions" to ${missing} or more`,
  );

/**
 * Returns the key for sorting changes by time. Labels and members come first, because they have no timestamps.
 * Deletions come last, because their time is unknown.
 */
function sortKeyOf({ change: { after, type, recordId } }: Delta): string {
  const time = after === null ? '~' : ((after as { updated_at?: string }).updated_at ?? '');
  const kind = type.slice(0, type.indexOf('.')) as Kind;
  return `${time} ${kinds.indexOf(kind)} ${recordId}`;
}
