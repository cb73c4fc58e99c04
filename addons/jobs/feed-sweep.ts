import { WorktrackError } from '../../src/index.js';
import { brandAs } from '../../src/internal.js';
import { batchesOf, by } from '../shared/lists.js';
import { compareRecord, type Delta } from './compare-records.js';
import type { ReadChangesOptions } from './feed-options.js';
import { isInaccessible, organizationSources, projectSources, type Source } from './feed-sources.js';
import { type FeedEntry, FeedState, recordKey, type StoredRecord } from './feed-state.js';
import {
  changedFields,
  fingerprint,
  isComplete,
  type Kind,
  kinds,
  knownFields,
  type RecordOf,
} from './watched-fields.js';

/** Thrown if more records disappear in one sweep than `maxDeletions` allows. No changes were reported. */
export class TooManyDeletionsError extends WorktrackError {
  declare readonly name: 'TooManyDeletionsError';
  declare readonly code: 'too_many_deletions';

  static {
    brandAs(TooManyDeletionsError, 'TooManyDeletionsError', 'too_many_deletions');
  }
}

/** The results of a sweep. */
export interface SweepResult {
  /** The changes, in delivery order. */
  deltas: Delta[];
  /** The number of records read. */
  records: number;
}

/**
 * Reads all sources once and compares them with the book.
 *
 * A sweep can miss records that move while their pages are read. So a missing record counts as deleted only
 * if a request for it returns a 404. Any other error aborts the sweep.
 */
export async function sweep(options: ReadChangesOptions, observedAt: string): Promise<SweepResult> {
  const { project, include } = options;
  const state = await FeedState.of(options);
  const context: SweepContext = { options, state, observedAt };
  const findings: Findings[] = [];
  const isIncluded = ({ kind }: Source) => include?.includes(kind) ?? true;
  for (const id of new Set(project === undefined ? [] : [project].flat())) {
    findings.push(...(await readProject(context, id, projectSources(options, id).filter(isIncluded))));
  }
  for (const source of organizationSources(options)) {
    // Each selected project has its own source. Documents are watched only by request if projects are selected.
    if (
      project === undefined ? isIncluded(source) : source.kind === 'document' && include?.includes('document')
    )
      findings.push(await readSource(context, source));
  }
  options.signal?.throwIfAborted();
  await state.store(
    findings.flatMap(({ quiet }) => quiet),
    findings.flatMap(({ firstReadOf }) => firstReadOf ?? []),
  );
  return {
    deltas: findings.flatMap(({ deltas }) => deltas).sort(by(sortKeyOf)),
    records: findings.reduce((sum, { records }) => sum + records, 0),
  };
}

interface SweepContext {
  options: ReadChangesOptions;
  state: FeedState;
  observedAt: string;
}

/** What a sweep found in one source. */
interface Findings {
  deltas: Delta[];
  /** Entries to store without reporting a change: the first read, and fields that aren't compared. */
  quiet: FeedEntry[];
  records: number;
  /** The source, if it was read for the first time. */
  firstReadOf?: Source;
}

/**
 * Reads a project's sources. If the project is inaccessible, reports only that, and only once. The book keeps
 * the project's records, so if the project comes back, the feed reports what happened in the meantime.
 */
async function readProject(context: SweepContext, id: string, sources: Source[]): Promise<Findings[]> {
  const { options, state, observedAt } = context;
  const project = projectSources(options, id)[0] as Source;
  const wasInaccessible = state.recordsOf(project).get(id)?.isGone === true;
  const wasRead = wasInaccessible || sources.some(state.wasRead);
  try {
    const findings: Findings[] = [];
    if (wasInaccessible && !sources.some(({ kind }) => kind === 'project')) {
      findings.push(await readSource(context, project));
    }
    for (const source of sources) findings.push(await readSource(context, source));
    return findings;
  } catch (error) {
    if (!wasRead || !(await isInaccessible(options, id, error))) throw error;
    if (wasInaccessible) return [];
    const stored = (await state.load(project, [id])).get(id);
    const before = stored ?? { revision: 0, known: { id } };
    return [{ deltas: compareRecord(project, before, undefined, observedAt), quiet: [], records: 0 }];
  }
}

async function readSource({ options, state, observedAt }: SweepContext, source: Source): Promise<Findings> {
  const known = state.recordsOf(source);
  const isFirst = !state.wasRead(source);
  const findings: Findings = { deltas: [], quiet: [], records: 0, ...(isFirst && { firstReadOf: source }) };
  const seen: string[] = [];
  const isCurrent = (record: RecordOf[Kind]) =>
    known.get(record.id)?.fingerprint === fingerprint(source.kind, record);
  const compare = (record: RecordOf[Kind], stored: StoredRecord | undefined) => {
    const isBaseline = isFirst && options.initial !== 'emit' && !stored?.isGone;
    const deltas = isBaseline ? [] : compareRecord(source, stored, record, observedAt);
    findings.deltas.push(...deltas);
    if (deltas.length > 0 || isCurrent(record)) return;
    // Store also the fields that aren't compared, so that the next sweep finds the same fingerprint. If a server
    // omits fields from its list, this also keeps the next sweep from getting the record again.
    const revision = stored?.revision ?? 0;
    findings.quiet.push({
      key: recordKey(source, record.id),
      from: revision,
      record: {
        revision,
        known: { ...stored?.known, ...knownFields(source.kind, record) },
        fingerprint: fingerprint(source.kind, record),
      },
    });
  };

  // The first sweep must read every record, because the next sweep would report a missed record as new.
  for await (const { data } of source.pages(isFirst)) {
    findings.records += data.length;
    const changed = data.filter((record) => {
      if (!isCurrent(record)) return true;
      seen.push(record.id);
      return false;
    });
    if (changed.length === 0) continue;
    const stored = await state.load(
      source,
      changed.map(({ id }) => id),
    );
    await eightAtATime(changed, async (listed) => {
      const before = stored.get(listed.id);
      const record = await completeRecord(source, listed, before);
      if (!record) return;
      seen.push(record.id);
      compare(record, before);
    });
  }

  const expected = [...known.values()].filter(({ isGone }) => !isGone).length;
  const limit = options.maxDeletions ?? Math.max(10, expected / 2);
  const lost = await state.load(source, missingFrom(known, seen));
  // Some servers don't list archived records, so every sweep misses them.
  const disappeared = [...lost.values()].filter((record) => !record.known?.archived_at).length;
  if (disappeared > limit) throw tooManyDeletions(source, disappeared, expected);
  const gone: StoredRecord[] = [];
  await eightAtATime([...lost], async ([id, stored]) => {
    const record = await source.get?.(id);
    if (record) compare(record, stored);
    else gone.push(stored);
  });
  if (gone.length > limit) throw tooManyDeletions(source, gone.length, expected);
  // If the whole project was deleted during the sweep, this request fails, so its records aren't reported as
  // deleted.
  if (gone.length > 0 && source.projectId !== null) await source.pages(false)[Symbol.asyncIterator]().next();
  for (const stored of gone) findings.deltas.push(...compareRecord(source, stored, undefined, observedAt));
  return findings;
}

/** Returns the IDs of the known records that weren't seen. */
function missingFrom(
  known: ReadonlyMap<string, { isGone?: boolean | undefined }>,
  seen: readonly string[],
): string[] {
  const missing = new Set(known.keys());
  for (const id of seen) missing.delete(id);
  return [...missing].filter((id) => !known.get(id)?.isGone);
}

/**
 * Requests a record if its list item is missing fields, unless the item shows that nothing changed.
 *
 * @returns undefined if the record no longer exists
 */
async function completeRecord(
  { kind, get }: Source,
  listed: RecordOf[Kind],
  stored: StoredRecord | undefined,
): Promise<RecordOf[Kind] | undefined> {
  if (!get || isComplete(kind, listed)) return listed;
  const now = knownFields(kind, listed);
  const isUnchanged =
    stored?.known &&
    now.updated_at !== undefined &&
    now.updated_at === stored.known.updated_at &&
    changedFields(kind, stored.known, now).length === 0;
  return isUnchanged ? listed : get(listed.id);
}

async function eightAtATime<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  for (const batch of batchesOf(items, 8)) await Promise.all(batch.map(run));
}

const tooManyDeletions = ({ kind, projectId }: Source, missing: number, total: number) =>
  new TooManyDeletionsError(
    `${missing} of ${total} known ${kind}s${projectId === null ? '' : ` in project ${projectId}`} are missing. If they were really deleted, set "maxDeletions" to ${missing} or more`,
    { outcome: 'not_sent' },
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
