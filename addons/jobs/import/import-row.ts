import { race } from '../../../src/shared/abort.js';
import {
  type AttemptContext,
  type AttemptResult,
  failureOf,
  type RowWithRecord,
  retryOrStop,
  UnknownRecord,
} from './attempt.js';
import type { Ledger } from './ledger.js';
import { isInDoubt, type LedgerEntry, type RowError, rowError, toCandidates } from './ledger-entry.js';
import { whileOwned } from './requests.js';
import type { PreparedRow } from './row.js';
import { allMatches, findsEarlierRecord, type Matches, readEvidence, search, titleOf } from './search.js';
import { syncedFields } from './sync/fields.js';
import type { ImportedRecord, ImportTarget } from './target.js';

/**
 * Attempts to import a row: creates its record, or searches for the record if the row is in doubt. The ledger
 * is always written before the request is sent.
 */
export async function importRow<Row>(
  target: ImportTarget<Row>,
  row: PreparedRow<Row>,
  context: AttemptContext,
): Promise<AttemptResult> {
  const entry = await context.ledger.get(row.key);
  return isInDoubt(entry) ? lookUp(target, row, entry, context) : create(target, row, context);
}

/** Returns a target that creates records without the fields that can only be set afterward. */
export const forSync = <Row>(target: ImportTarget<Row>): ImportTarget<Row> => ({
  ...target,
  create: (payload, context) => target.create(target.updates?.forCreate(payload) ?? payload, context),
});

/**
 * Creates a row's record.
 *
 * @param doubt the row's entry if the row is re-created, because a search didn't find its first record
 */
async function create<Row>(
  target: ImportTarget<Row>,
  row: PreparedRow<Row>,
  context: AttemptContext,
  doubt?: LedgerEntry,
): Promise<AttemptResult> {
  const { ledger, clock } = context;
  let evidence: Pick<LedgerEntry, 'since' | 'baseline' | 'recreated'>;
  try {
    evidence = doubt
      ? { since: doubt.since, baseline: doubt.baseline, recreated: true }
      : await readEvidence(target, row, context);
  } catch (error) {
    return retryOrStop(error, target);
  }
  const { key, fingerprint, group, payload } = row;
  const at = new Date().toISOString();
  const title = titleOf(payload);
  const started: LedgerEntry = { key, state: 'started', fingerprint, group, title, at, ...evidence };
  // Wait before the row is marked as started, because an interrupted wait must not leave the row in doubt.
  await context.beforeRequest?.();
  await ledger.put(started);
  const next = { ...context, beforeRequest: undefined };
  let record: ImportedRecord;
  try {
    record = await whileOwned(ledger, key, next, (request) => target.create(payload, request));
    if (typeof record?.id !== 'string' || record.id.length > maxIdLength) throw new UnknownRecord();
  } catch (error) {
    return afterFailedRequest(error, started, target, ledger);
  }
  const since = serverTimeOf(record);
  if (since !== undefined) clock.set(since);
  const created = await claim(target, row, started, record, ledger, since);
  if (created) return { is: 'created', ...created };
  const message = `record ${record.id} is already assigned to another row; check "isMatch"`;
  return saveAsUnknown(ledger, { ...started, performed: true }, { message }, [record]);
}

/** Updates the ledger to reflect what a failed request means for its row. */
async function afterFailedRequest(
  error: unknown,
  started: LedgerEntry,
  target: Pick<ImportTarget<never>, 'isFatal'>,
  ledger: Ledger,
): Promise<AttemptResult> {
  const failure = failureOf(error, target);
  const { recreated } = started;
  const unknown: LedgerEntry = { ...started, state: 'unknown', error: rowError(error) };
  if (failure.is === 'failed') {
    const entry: LedgerEntry = { ...unknown, state: 'failed' };
    await ledger.put(entry);
    return { is: 'failed', entry };
  }
  if (failure.is === 'retry' && failure.inDoubt) {
    await ledger.put({ ...unknown, ...(failure.performed && { performed: true }) });
    return failure;
  }
  // This attempt didn't create anything. If a record exists, an earlier attempt created it.
  await ledger.put(recreated ? unknown : { ...started, state: 'pending' });
  return failure.is === 'retry' ? { ...failure, inDoubt: recreated === true } : failure;
}

/** Marks a row as done. @returns undefined if the record belongs to another row */
async function claim(
  { updates }: Pick<ImportTarget<never>, 'updates'>,
  { key, payload, fingerprint }: PreparedRow<unknown>,
  entry: LedgerEntry,
  record: ImportedRecord,
  ledger: Ledger,
  since?: string,
): Promise<Omit<RowWithRecord, 'is'> | undefined> {
  const { recreated, baseline } = entry;
  const { id: recordId } = record;
  const fields = updates && syncedFields(updates.fields, updates.valuesSent(payload, record), record);
  const done = { key, state: 'done', recordId, fingerprint, since, fields } as const;
  if (!(await ledger.claim({ ...done, ...(recreated && { recreated, baseline }) }))) return undefined;
  return { record, fields, ...(recreated && { recreated: { ...entry, recordId } }) };
}

/** Returns a record's `created_at`, or undefined if it's unusable. */
function serverTimeOf({ created_at }: ImportedRecord): string | undefined {
  return created_at && created_at.length <= 40 && !Number.isNaN(Date.parse(created_at))
    ? created_at
    : undefined;
}

async function lookUp<Row>(
  target: ImportTarget<Row>,
  row: PreparedRow<Row>,
  entry: LedgerEntry,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { ledger } = context;
  const { lookup, updates } = target;
  if (!lookup) return saveAsUnknown(ledger, entry, { message: notSearchable });
  let matches: Matches;
  try {
    matches = await race(search({ lookup, updates }, row, entry, context), context.signal);
  } catch (error) {
    // If the credential can't read records, this row stays unresolved, but other rows can still be imported.
    const isForbidden = (error as { status?: number }).status === 403;
    if (!isForbidden) return retryOrStop(error, target, true);
    const reason = rowError(error);
    return saveAsUnknown(ledger, entry, { ...reason, message: `lookup: ${reason.message}` });
  }
  const candidates = allMatches(matches);
  const [record, ...more] = matches.exact.length > 0 ? matches.exact : matches.yes;
  if (record && more.length === 0 && !(matches.incomplete && matches.exact.length === 0)) {
    if (await mayBelongToOther(row, entry, matches.exact.length === 1, ledger)) {
      return saveAsUnknown(ledger, entry, { message: ambiguous }, candidates, true);
    }
    const recovered = await claim(target, row, entry, record, ledger);
    return recovered ? { is: 'recovered', ...recovered } : { is: 'retry', inDoubt: true, error: entry.error };
  }
  if (matches.incomplete) return saveAsUnknown(ledger, entry, rowError(matches.incomplete), candidates);
  const isEdited = entry.fingerprint !== row.fingerprint;
  if (isEdited && (candidates.length > 0 || !findsEarlierRecord(row, entry)))
    return saveAsUnknown(ledger, entry, { message: rowChanged }, candidates);
  if (candidates.length > 0) return saveAsUnknown(ledger, entry, { message: ambiguous }, candidates, true);
  if (entry.performed) return saveAsUnknown(ledger, entry, { message: notFound });
  return create(target, row, context, entry);
}

/**
 * Whether the matching record may belong to another in-doubt row in the group. A record that is identical to
 * this row can only belong to another row if that row has the same content.
 */
async function mayBelongToOther(
  { key, fingerprint }: PreparedRow<unknown>,
  { group }: LedgerEntry,
  isExact: boolean,
  ledger: Ledger,
): Promise<boolean> {
  for (const other of await ledger.inDoubt(group ?? '')) {
    if (other === key) continue;
    if (!isExact) return true;
    const entry = await ledger.get(other);
    if (isInDoubt(entry) && (entry.fingerprint ?? fingerprint) === fingerprint) return true;
  }
  return false;
}

/** Searches again for the first record of a re-created row, in case the record wasn't searchable earlier. */
export async function searchAgain<Row>(
  target: ImportTarget<Row>,
  row: PreparedRow<Row>,
  entry: LedgerEntry,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { lookup, updates } = target;
  if (!lookup) return { is: 'searched', candidates: [] };
  try {
    const found = await race(search({ lookup, updates }, row, entry, context), context.signal);
    const matches = allMatches(found);
    return { is: 'searched', candidates: toCandidates(matches.filter(({ id }) => id !== entry.recordId)) };
  } catch (error) {
    return retryOrStop(error, target);
  }
}

async function saveAsUnknown(
  ledger: Ledger,
  entry: LedgerEntry,
  error: RowError,
  records: readonly ImportedRecord[] = [],
  mayResolve = false,
): Promise<AttemptResult> {
  const saved: LedgerEntry = { ...entry, state: 'unknown', error, candidates: toCandidates(records) };
  await ledger.put(saved);
  return { is: 'unknown', entry: saved, mayResolve };
}

const maxIdLength = 1000;
const notSearchable = 'its record may exist, but the target has no lookup to find it';
const notFound = "the API reported success, but the record can't be found";
const ambiguous = 'several records match, or none matches the payload exactly';
const rowChanged = 'its record may exist, but the row has changed';
