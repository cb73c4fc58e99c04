import { type Candidate, isInDoubt, type Ledger, type LedgerEntry, type RowError } from './ledger.js';
import type { PreparedRow } from './prepare-row.js';
import { TooManyMatches } from './requests.js';
import { classifyError, pauseOf, rowError } from './row-error.js';
import type { ImportedRecord, ImportTarget, RequestContext } from './target.js';

/** The result of a row's import step. */
export type Step =
  | { is: 'created' | 'recovered'; recordId: string }
  /** This run won't process the row again. The entry contains the reason. */
  | { is: 'failed' | 'unknown'; entry: LedgerEntry }
  /** Retry the row later. If `inDoubt` is true, the record may exist, and the next step looks for it. */
  | { is: 'retry'; inDoubt: boolean; error: unknown }
  /** All rows have to wait. `delay` is the wait in milliseconds, if the API specified one. */
  | { is: 'paused'; delay: number | undefined; error: unknown }
  /** No row can be imported. */
  | { is: 'fatal'; error: unknown };

/** State shared by all steps of an import. */
export interface StepContext extends RequestContext {
  ledger: Ledger;
  /** The latest `created_at` received so far. Updated by each step. */
  clock: { since: string | undefined };
  /** How far a record's `created_at` may predate the row's start, in milliseconds. */
  tolerance: number;
}

/**
 * Performs a row's next step: a request that creates its record, or a search for the record if the row is in
 * doubt. The ledger is always written before the request is sent.
 */
export async function importRow<Row, Payload, Found extends ImportedRecord>(
  target: ImportTarget<Row, Payload, Found>,
  row: PreparedRow<Row, Payload>,
  context: StepContext,
): Promise<Step> {
  const entry = await context.ledger.get(row.key);
  return isInDoubt(entry) ? lookUp(target, row, entry, context) : create(target, row, context);
}

async function create<Row, Payload, Found extends ImportedRecord>(
  target: ImportTarget<Row, Payload, Found>,
  row: PreparedRow<Row, Payload>,
  context: StepContext,
): Promise<Step> {
  const { ledger, clock } = context;
  const started: LedgerEntry = {
    key: row.key,
    state: 'started',
    fingerprint: row.fingerprint,
    group: row.group,
    at: new Date().toISOString(),
    since: clock.since,
  };
  await ledger.put(started);
  let record: ImportedRecord;
  try {
    record = await target.create(row.payload, context);
    if (typeof record?.id !== 'string') throw new UnknownRecord();
  } catch (error) {
    const doubtful: LedgerEntry = { ...started, state: 'unknown', error: rowError(error) };
    const verdict = error instanceof UnknownRecord ? 'performed' : classifyError(error, target);
    switch (verdict) {
      case 'performed':
      case 'inDoubt':
        await ledger.put({ ...doubtful, ...(verdict === 'performed' && { performed: true }) });
        return { is: 'retry', inDoubt: true, error };
      case 'failed': {
        const entry: LedgerEntry = { ...started, state: 'failed', error: rowError(error) };
        await ledger.put(entry);
        return { is: 'failed', entry };
      }
      default:
        // Nothing was created, so later runs don't need to look for the record.
        await ledger.put({ ...started, state: 'pending' });
        if (verdict === 'paused') return { is: 'paused', delay: pauseOf(error), error };
        return verdict === 'fatal' ? { is: 'fatal', error } : { is: 'retry', inDoubt: false, error };
    }
  }
  if (record.created_at && record.created_at > (clock.since ?? '')) clock.since = record.created_at;
  if (await claim(row, record, context)) return { is: 'created', recordId: record.id };
  const message = `record ${record.id} is already assigned to another row; check "recognize"`;
  return saveAsUnknown(ledger, { ...started, performed: true }, { message }, [record]);
}

async function lookUp<Row, Payload, Found extends ImportedRecord>(
  target: ImportTarget<Row, Payload, Found>,
  row: PreparedRow<Row, Payload>,
  entry: LedgerEntry,
  context: StepContext,
): Promise<Step> {
  const { ledger } = context;
  if (!target.lookup) return saveAsUnknown(ledger, entry, { message: notSearchable });
  let found: Awaited<ReturnType<typeof search<Row, Payload, Found>>>;
  try {
    found = await search(target.lookup, row, entry, context);
  } catch (error) {
    if (error instanceof TooManyMatches) return saveAsUnknown(ledger, entry, rowError(error));
    const verdict = classifyError(error, target);
    if (verdict === 'paused') return { is: 'paused', delay: pauseOf(error), error };
    // Without the read scope, this row can't be resolved, but others can still be created.
    const isForbidden = (error as { status?: number }).status === 403;
    if (isForbidden)
      return saveAsUnknown(ledger, entry, {
        ...rowError(error),
        message: `lookup: ${rowError(error).message}`,
      });
    return verdict === 'fatal' ? { is: 'fatal', error } : { is: 'retry', inDoubt: true, error };
  }
  const { exact, possible } = found;
  const candidates = [...exact, ...possible];
  if (entry.fingerprint !== row.fingerprint)
    return saveAsUnknown(ledger, entry, { message: rowChanged }, candidates);
  if (candidates.length === 0) {
    if (entry.performed) return saveAsUnknown(ledger, entry, { message: notFound });
    return create(target, row, context);
  }
  const [record] = exact;
  const others = (await ledger.inDoubt(entry.group ?? '')).filter((key) => key !== row.key);
  if (!record || exact.length > 1 || others.length > 0) {
    return saveAsUnknown(ledger, entry, { message: ambiguous }, candidates);
  }
  const isOwn = await claim(row, record, context);
  return isOwn
    ? { is: 'recovered', recordId: record.id }
    : { is: 'retry', inDoubt: true, error: entry.error };
}

/** Finds records that may have been created from the row and don't belong to other rows. */
async function search<Row, Payload, Found extends ImportedRecord>(
  lookup: NonNullable<ImportTarget<Row, Payload, Found>['lookup']>,
  { key, payload, row }: PreparedRow<Row, Payload>,
  { since }: LedgerEntry,
  context: StepContext,
) {
  const earliest = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since) - context.tolerance;
  const exact: Found[] = [];
  const possible: Found[] = [];
  for await (const record of lookup.find(payload, context)) {
    if (record.created_at && Date.parse(record.created_at) < earliest) continue;
    const match = await lookup.match(payload, record, row);
    if (match === 'no' || (await context.ledger.isClaimed(record.id, key))) continue;
    (match === 'yes' ? exact : possible).push(record);
  }
  return { exact, possible };
}

async function claim(
  { key, fingerprint }: PreparedRow<unknown>,
  { id, created_at }: ImportedRecord,
  { ledger }: StepContext,
): Promise<boolean> {
  return ledger.claim({ key, state: 'done', recordId: id, fingerprint, since: created_at });
}

async function saveAsUnknown(
  ledger: Ledger,
  entry: LedgerEntry,
  error: RowError,
  records: readonly ImportedRecord[] = [],
): Promise<Step> {
  const candidates: Candidate[] = records
    .slice(0, maxCandidates)
    .map(({ id, title, created_at }) => ({ id, title, created_at }));
  const saved: LedgerEntry = { ...entry, state: 'unknown', error, candidates };
  await ledger.put(saved);
  return { is: 'unknown', entry: saved };
}

const maxCandidates = 20;
const notSearchable = 'its record may exist, but the target has no lookup to find it';
const notFound = "the API reported success, but the record can't be found";
const ambiguous = 'several records match, or none matches the payload exactly';
const rowChanged = 'its record may exist, but the row has changed';

/** Thrown if the API reports success without a record ID. */
class UnknownRecord extends Error {
  constructor() {
    super('the API reported success without a record ID');
  }
}
