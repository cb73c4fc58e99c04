import { WorktrackError } from '../../../src/errors/index.js';
import { listenerCaller } from '../../../src/shared/call-listener.js';
import { readOneByOne } from '../../../src/shared/read-one-by-one.js';
import { type Attempt, type AttemptContext, type Fatal, failureOf, type RowResult } from './attempt.js';
import { importRow, searchAgain } from './import-row.js';
import { ImportStop } from './import-stop.js';
import { failRow } from './ledger.js';
import { isInDoubt, type LedgerEntry, rowError } from './ledger-entry.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import { ServerClock } from './record-age.js';
import { type ImportStatus, Tally } from './report.js';
import { isGatewayStatus } from './requests.js';
import type { PreparedRow } from './row.js';

/**
 * The maximum number of in-doubt rows to keep in memory. The same limit applies separately to re-created
 * rows.
 */
const maxKept = 1000;

/** Tries to import or sync each row until it has a result, waits between attempts, and counts the results. */
export class RowRunner<Row> {
  readonly options: RunImportOptions<Row>;
  readonly tally: Tally<Row>;
  readonly stop: ImportStop;
  readonly #settings: ImportSettings;
  readonly #context: AttemptContext;
  readonly #locks = new GroupLocks();
  readonly #startedAt = performance.now();
  #lastSuccess = Number.NEGATIVE_INFINITY;
  /** The re-created rows, and when they were re-created, as returned by `performance.now()`. */
  readonly #recreated: { row: PreparedRow<Row>; entry: LedgerEntry; at: number }[] = [];
  readonly #unresolved: { row: PreparedRow<Row>; result: RowResult }[] = [];
  readonly #notify = listenerCaller('import');

  constructor(options: RunImportOptions<Row>, settings: ImportSettings) {
    const { ledger, signal, onUnresolved } = options;
    this.options = options;
    this.#settings = settings;
    this.tally = new Tally((row) => this.#notify('onUnresolved', () => onUnresolved?.(row)));
    this.stop = new ImportStop(signal);
    this.#context = {
      ledger,
      signal: this.stop.requests,
      clock: new ServerClock(),
      tolerance: settings.maxClockSkew,
      countRequests: (count) => this.tally.add('requests', count),
    };
  }

  /** Processes items concurrently until none are left or the import is stopped. */
  async forEach<Item>(
    items: Iterable<Item> | AsyncIterable<Item>,
    process: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    const source = readOneByOne(items);
    let count = 0;
    const worker = async () => {
      try {
        while (!this.stop.isStopped) {
          const next = await this.stop.race(source.next());
          if (!next?.value || this.stop.isStopped) return;
          this.tally.add('inFlight');
          await process(next.value.item, count++).finally(() => this.tally.add('inFlight', -1));
          // Limit how many rows are in memory.
          while (this.#recreated.length > maxKept) await this.#searchOldestRecreated();
          this.#reportProgress();
        }
      } catch (error) {
        this.stop.fail(error);
      }
    };
    await Promise.all(Array.from({ length: this.#settings.concurrency }, worker));
    source.close();
  }

  /**
   * Retries the attempt until there is a result. By default, an attempt creates the row's record. The records
   * in a group are created one at a time.
   *
   * @returns undefined if the import is stopped first
   */
  async perform(row: PreparedRow<Row>, attempt?: Attempt): Promise<RowResult | undefined> {
    const leave = attempt || row.group === undefined ? undefined : await this.#locks.enter(row.group);
    const create: Attempt = (context) => importRow(this.options.target, row, context);
    try {
      const result = await this.#attempt(row, attempt ?? create);
      if (result?.is === 'fatal') {
        this.stop.fail(result.error);
        return undefined;
      }
      if (result && result.is !== 'failed' && result.is !== 'unknown') this.#lastSuccess = performance.now();
      return result;
    } finally {
      leave?.();
    }
  }

  async #attempt(row: PreparedRow<Row>, attempt: Attempt): Promise<RowResult | Fatal | undefined> {
    const { retry, lookupDelay } = this.#settings;
    const firstStartedAt = performance.now();
    let inDoubt = isInDoubt(await this.options.ledger.get(row.key));
    // The server may still be handling a request that an earlier run sent.
    let doubtSince = this.#startedAt;
    let attempts = 0;
    for (let tries = 0; ; ) {
      if (inDoubt) await this.#waitUntil(doubtSince + lookupDelay);
      if (this.stop.isStopped) return undefined;
      const startedAt = performance.now();
      const result = await attempt(this.#context);
      if (result.is !== 'retry' && result.is !== 'rate_limited') return result;
      const delay = this.#backoff(tries) * (0.5 + Math.random() / 2);
      if (result.is === 'rate_limited') {
        await this.#pause('rate_limited', result.delay ?? delay);
        continue;
      }
      inDoubt = result.inDoubt;
      doubtSince = performance.now();
      const isOutage = await this.#isOutage(result.error, startedAt, attempts >= retry.limit);
      attempts = isOutage ? 0 : attempts + 1;
      tries++;
      if (attempts > retry.limit) return this.#giveUp(row, result.error, firstStartedAt);
      await this.#pause(isOutage ? 'unavailable' : 'running', delay);
    }
  }

  /**
   * Whether an attempt failed because of an outage: the API was available earlier in this run, but it didn't
   * respond to any row during the attempt. If it responds, for example to a search, the row itself may have
   * caused the failure.
   */
  async #isOutage(error: unknown, startedAt: number, isLastAttempt: boolean): Promise<boolean> {
    const { reachedAt } = this.#context.clock;
    const wasAvailable = this.#lastSuccess > Number.NEGATIVE_INFINITY;
    if (!wasAvailable || this.#lastSuccess >= startedAt || reachedAt >= startedAt) return false;
    const { status } = Object(error) as { status?: number };
    if (!isGatewayStatus(status)) return status === undefined;
    // The gateway status may have come from the API itself, so the attempt counts. Before the row fails,
    // another request checks whether the API is available.
    const { target } = this.options;
    return isLastAttempt && (await target.isAvailable?.(this.#context)) === false;
  }

  /**
   * Handles a row that has no attempts left. If no other row has succeeded since the row's first attempt, the
   * API probably can't create records, so the import stops.
   */
  async #giveUp(row: PreparedRow<Row>, error: unknown, firstStartedAt: number): Promise<RowResult | Fatal> {
    if (this.#lastSuccess < firstStartedAt) return { is: 'fatal', error };
    const entry = await failRow(this.options.ledger, row, rowError(error));
    return entry.state === 'unknown' ? { is: 'unknown', entry, mayResolve: false } : { is: 'failed', entry };
  }

  /** Makes a read call. Waits and tries again while the API is rate-limited or unavailable. */
  async read<Result>(call: (context: AttemptContext) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(this.#context);
      } catch (error) {
        const isOver = attempt >= this.#settings.retry.limit || this.stop.isStopped;
        if (isOver || !(error instanceof WorktrackError)) throw error;
        const failure = failureOf(error, {});
        if (failure.is === 'failed' || failure.is === 'fatal') throw error;
        const delay = this.#backoff(attempt);
        if (failure.is === 'retry') await this.#pause('running', delay);
        else await this.#pause('rate_limited', failure.delay || delay);
      }
    }
  }

  /**
   * Counts a row that was imported, failed, or is in doubt. Ignores the other results: if a row is `synced` or
   * `stale` here, it was already counted when its record was created. `searched` never gets here.
   */
  count(row: PreparedRow<Row>, result: RowResult, isLast = false): void {
    if (result.is === 'unknown' && result.mayResolve && !isLast && this.#unresolved.length < maxKept) {
      this.#unresolved.push({ row, result });
    } else if (result.is === 'failed' || result.is === 'unknown') {
      this.tally.addRow(result.is, { ...result.entry, row: row.original });
    } else if (result.is === 'created' || result.is === 'recovered') {
      this.tally.add(result.is);
      if (!result.recreated) return;
      this.tally.add('recreated');
      this.#recreated.push({ row, entry: result.recreated, at: performance.now() });
    }
  }

  /**
   * Looks up in-doubt rows again if the results of later rows may have resolved the doubt. Also searches for
   * the first records of re-created rows.
   */
  async finish(): Promise<void> {
    for (const { row, result } of this.#unresolved.splice(0)) {
      const last = this.stop.isStopped ? result : await this.perform(row);
      if (last) this.count(row, last, true);
    }
    while (this.#recreated.length > 0) await this.#searchOldestRecreated();
  }

  /** Searches once more for a record that wasn't searchable when the row was re-created. */
  async #searchOldestRecreated(): Promise<void> {
    const oldest = this.#recreated.shift();
    if (!oldest) return;
    const { row, entry, at } = oldest;
    const { key, recordId = '' } = entry;
    await this.#waitUntil(at + this.#settings.lastSearchDelay);
    const result = this.stop.isStopped
      ? undefined
      : await searchAgain(this.options.target, row, entry, this.#context).catch(() => undefined);
    // The row is also reported if the search fails, because it may have two records.
    const candidates = result?.is === 'searched' ? result.candidates : [];
    if (result?.is !== 'searched' || candidates.length > 0)
      this.tally.addSuspected({ key, recordId, candidates });
  }

  #backoff(tries: number): number {
    const { delay, maxDelay } = this.#settings.retry;
    return Math.min(maxDelay, delay * 2 ** Math.min(tries, 30));
  }

  async #pause(status: ImportStatus, milliseconds: number): Promise<void> {
    const resume = this.tally.wait(status);
    this.#reportProgress();
    await this.stop.wait(milliseconds);
    resume();
  }

  async #waitUntil(time: number): Promise<void> {
    const rest = time - performance.now();
    if (rest > 0) await this.stop.wait(rest);
  }

  #reportProgress(): void {
    const { onProgress } = this.options;
    if (onProgress) this.#notify('onProgress', () => onProgress(this.tally.progress()));
  }
}

/** Locks groups. Rows get a group's lock in the order they requested it. */
class GroupLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** @returns a function that releases the lock */
  async enter(group: string): Promise<() => void> {
    const before = this.#tails.get(group);
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#tails.set(group, left);
    await before;
    return () => {
      if (this.#tails.get(group) === left) this.#tails.delete(group);
      leave();
    };
  }
}
