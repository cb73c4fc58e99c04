import type { LedgerEntry } from './ledger-entry.js';
import type { ImportedRecord, ImportLookup } from './target.js';

/**
 * Determines whether a record existed before the row's import started (`old`) or not (`new`). Returns
 * `unclear` if the record seems older but the clock on the server or on this machine could be wrong.
 */
export function recordAge(
  { isIdentity }: Pick<ImportLookup<never, never, never>, 'isIdentity'>,
  { since, at = '', baseline }: LedgerEntry,
  { clock, tolerance }: { clock: ServerClock; tolerance: number },
): (record: ImportedRecord) => 'old' | 'new' | 'unclear' {
  if (baseline) {
    const ids = new Set(baseline);
    return ({ id }) => (ids.has(id) ? 'old' : 'new');
  }
  if (since === undefined) return () => (isIdentity ? 'new' : 'unclear');
  // The server's clock may have been set back since the import of this row started.
  const startedAt = Math.min(Date.parse(since), Date.parse(clock.now() ?? since)) - tolerance;
  const oldBefore = Math.min(startedAt, Date.parse(at)) - maxDeviation;
  return ({ created_at }) => {
    const createdAt = Date.parse(created_at ?? '');
    if (createdAt >= startedAt) return 'new';
    return createdAt < oldBefore && !isIdentity ? 'old' : 'unclear';
  };
}

/**
 * The largest clock error to expect, in milliseconds. It's less than a day, so that a daily import ignores
 * yesterday's records.
 */
const maxDeviation = 20 * 3_600_000;

/** Estimates the time on the API's server. The import needs it to tell new records from older ones. */
export class ServerClock {
  /** When the API last responded to a search, according to this process's monotonic clock. */
  reachedAt = Number.NEGATIVE_INFINITY;
  #latest: { createdAt: string; setAt: number } | undefined;

  /** @param createdAt the `created_at` of a record that was just created */
  set(createdAt: string): void {
    this.#latest = { createdAt, setAt: performance.now() };
  }

  /**
   * Estimates the server's time: the `created_at` of the last record, plus the whole seconds since then.
   *
   * The result can be too early, because this machine's clock stops while the machine is suspended. It must
   * never be too late, because the import wouldn't recognize a record that seems too old. So it allows for a
   * clock that is slightly faster than the server's.
   *
   * @returns undefined if the time is unknown
   */
  now(): string | undefined {
    if (!this.#latest) return undefined;
    const { createdAt, setAt } = this.#latest;
    const seconds = Math.floor(((performance.now() - setAt) / 1000) * slowest);
    const time = Date.parse(createdAt) + seconds * 1000;
    return seconds > 0 && !Number.isNaN(time) ? new Date(time).toISOString() : createdAt;
  }
}

/** The minimum speed of the server's clock, relative to this machine's clock. */
const slowest = 0.999;
