import { setImmediate } from 'node:timers/promises';
import { unlessMissing } from '../../../src/errors/expected-errors.js';
import { type AttemptContext, failureOf } from './attempt.js';
import type { LedgerEntry } from './ledger-entry.js';
import { recordAge } from './record-age.js';
import { IncompleteSearch } from './requests.js';
import type { PreparedRow } from './row.js';
import { hasAllFields } from './sync/fields.js';
import type { ImportedRecord, ImportLookup, ImportTarget, LookupContext, MatchResult } from './target.js';

/** The records that may have been created from a row and don't belong to other rows, by `MatchResult`. */
export interface Matches {
  exact: ImportedRecord[];
  yes: ImportedRecord[];
  maybe: ImportedRecord[];
  /** Set if some records couldn't be searched. */
  incomplete?: IncompleteSearch | undefined;
}

export const allMatches = ({ exact, yes, maybe }: Matches): ImportedRecord[] => [...exact, ...yes, ...maybe];

/** A target whose records can be found. */
interface SearchTarget<Row> extends Pick<ImportTarget<Row>, 'updates'> {
  lookup: ImportLookup<Row, unknown, ImportedRecord>;
}

/**
 * Finds the records that may have been created from an in-doubt row. If the row was edited, includes records
 * with its earlier title.
 */
export async function search<Row>(
  target: SearchTarget<Row>,
  row: PreparedRow<Row>,
  entry: LedgerEntry,
  context: AttemptContext,
): Promise<Matches> {
  const { lookup } = target;
  const matches: Matches = { exact: [], yes: [], maybe: [] };
  const ageOf = recordAge(lookup, entry, context);
  const earlier = earlierPayload(row, entry);
  const isFound = () => matches.exact.length === 1;
  const searchContext = { ...context, isFound };
  let lastPause = performance.now();
  for (const payload of earlier ? [row.payload, earlier] : [row.payload]) {
    const seen = new Set(allMatches(matches).map(({ id }) => id));
    const matchOf = async (record: ImportedRecord): Promise<MatchResult> => {
      const match = await lookup.match(payload, record, row.original);
      const age = ageOf(record);
      if (match === 'no' || age === 'old' || (await context.ledger.isClaimed(record.id, row.key)))
        return 'no';
      return age === 'unclear' || payload !== row.payload ? 'maybe' : match;
    };
    try {
      for await (const record of findComplete(target, { ...row, payload }, searchContext)) {
        // Let timers and other code run if a long search has blocked them.
        if (performance.now() - lastPause >= 50) {
          await setImmediate();
          lastPause = performance.now();
        }
        context.signal.throwIfAborted();
        if (seen.has(record.id)) continue;
        seen.add(record.id);
        const match = await matchOf(record);
        if (match !== 'no') matches[match].push(record);
      }
    } catch (error) {
      if (!(error instanceof IncompleteSearch)) throw error;
      matches.incomplete = error;
    }
  }
  context.clock.reachedAt = performance.now();
  return matches;
}

/**
 * Yields the search results. Some servers omit fields from lists, so that a record can't be identified. Such a
 * record is requested individually, unless it certainly isn't the row's record.
 */
async function* findComplete<Row>(
  { lookup, updates }: SearchTarget<Row>,
  { key, payload, original }: PreparedRow<Row>,
  context: AttemptContext & LookupContext,
): AsyncGenerator<ImportedRecord, void, undefined> {
  for await (const listed of lookup.find(payload, context)) {
    if (!updates || hasAllFields(updates.fields, listed)) yield listed;
    else if (lookup.isIdentity || (await lookup.match(payload, listed, original)) !== 'no') {
      if (await context.ledger.isClaimed(listed.id, key)) continue;
      const record = await unlessMissing(updates.get(listed.id, context));
      if (record) yield record;
    }
  }
}

/** Returns the payload with the title that the row had when it was sent. */
function earlierPayload({ payload, fingerprint }: PreparedRow<unknown>, entry: LedgerEntry) {
  const { title } = entry;
  if (entry.fingerprint === fingerprint || title === undefined || title === titleOf(payload))
    return undefined;
  return { ...(payload as object), title };
}

/** Returns a payload's title for its ledger entry, truncated to the longest title that the API accepts. */
export function titleOf(payload: unknown): string | undefined {
  const { title } = Object(payload) as { title?: unknown };
  return typeof title === 'string' ? title.slice(0, 500) : undefined;
}

/** Whether a search for the edited row also finds a record created before the edit. */
export const findsEarlierRecord = (row: PreparedRow<unknown>, entry: LedgerEntry): boolean =>
  entry.title !== undefined || entry.group === row.group;

/**
 * Returns the data that is needed to tell a row's record from older ones. This is the server's time or, if
 * that time isn't known yet, the existing records that match.
 */
export async function readEvidence<Row>(
  target: Pick<ImportTarget<Row>, 'lookup' | 'isFatal'>,
  { payload, original }: PreparedRow<Row>,
  context: AttemptContext,
): Promise<Pick<LedgerEntry, 'since' | 'baseline'>> {
  const { lookup } = target;
  const { clock, ledger } = context;
  const since = clock.now() ?? (await ledger.serverTime?.());
  if (since !== undefined || !lookup || lookup.isIdentity) return { since };
  const baseline: string[] = [];
  try {
    for await (const record of lookup.find(payload, { ...context, isFound: () => false })) {
      if ((await lookup.match(payload, record, original)) !== 'no') baseline.push(record.id);
      // The baseline must stay small, because it's stored in the ledger.
      if (baseline.length > maxBaseline) return {};
    }
  } catch (error) {
    const isForbidden = (error as { status?: number }).status === 403;
    if (!isForbidden && ['rate_limited', 'fatal'].includes(failureOf(error, target).is)) throw error;
    // Create the record without a baseline. If the row is then in doubt, the user has to resolve it.
    return {};
  }
  clock.reachedAt = performance.now();
  return { baseline };
}

const maxBaseline = 1000;
