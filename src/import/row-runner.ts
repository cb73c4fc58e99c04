import { WorktrackError } from '../errors/index.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { importRow, searchAgain } from './import-row.js';
import { isInDoubt, type LedgerEntry } from './ledger.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import { type ImportStatus, Tally } from './report.js';
import { isGatewayStatus } from './requests.js';
import {
  classifyError,
  type FatalStep,
  type FinalStep,
  failRow,
  type PreparedRow,
  retryStep,
  rowError,
  ServerClock,
  type Step,
  type StepContext,
} from './row.js';
import { GroupLocks, ImportStop, RowSource } from './run-control.js';

/**
 * The maximum number of in-doubt rows to keep in memory. The same limit applies separately to re-created
 * rows.
 */
const maxKept = 1000;

/** Performs each row's steps, waits between them, and counts the results. */
export class RowRunner<Row> {
  readonly tally: Tally<Row>;
  readonly stop: ImportStop;
  readonly #options: RunImportOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #context: StepContext;
  readonly #locks = new GroupLocks();
  readonly #startedAt = performance.now();
  #lastSuccess = Number.NEGATIVE_INFINITY;
  /** The re-created rows, and when they were re-created, as returned by `performance.now()`. */
  readonly #recreated: { row: PreparedRow<Row>; entry: LedgerEntry; at: number }[] = [];
  readonly #unresolved: { row: PreparedRow<Row>; step: Extract<Step, { is: 'unknown' }> }[] = [];
  #hasReportedListener = false;

  constructor(options: RunImportOptions<Row>, settings: ImportSettings) {
    const { ledger, signal, onUnresolved } = options;
    this.#options = options;
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
    const source = new RowSource(items);
    let count = 0;
    const worker = async () => {
      try {
        while (!this.stop.isStopped) {
          const next = await this.stop.race(source.next());
          if (!next || this.stop.isStopped) return;
          this.tally.add('inFlight');
          await process(next.row, count++).finally(() => this.tally.add('inFlight', -1));
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
   * Looks up in-doubt rows again if the results of later rows may have resolved the doubt. Also searches for
   * the first records of re-created rows.
   */
  async finish(): Promise<void> {
    for (const { row, step } of this.#unresolved.splice(0)) {
      const last = this.stop.isStopped ? step : await this.perform(row);
      if (last) this.count(row, last, true);
    }
    while (this.#recreated.length > 0) await this.#searchOldestRecreated();
  }

  /**
   * Performs a row's steps. By default, they create the row's record. The records in a group are created one
   * at a time.
   *
   * @returns undefined if the import is stopped first
   */
  async perform(
    row: PreparedRow<Row>,
    step?: (context: StepContext) => Promise<Step>,
  ): Promise<FinalStep | undefined> {
    const leave = step || row.group === undefined ? undefined : await this.#locks.enter(row.group);
    const create = (context: StepContext) => importRow(this.#options.target, row, context);
    try {
      const last = await this.#performSteps(row, step ?? create);
      if (last?.is === 'fatal') {
        this.stop.fail(last.error);
        return undefined;
      }
      if (last && last.is !== 'failed' && last.is !== 'unknown') this.#lastSuccess = performance.now();
      return last;
    } finally {
      leave?.();
    }
  }

  async #performSteps(
    row: PreparedRow<Row>,
    perform: (context: StepContext) => Promise<Step>,
  ): Promise<FinalStep | FatalStep | undefined> {
    const { retry, lookupDelay } = this.#settings;
    const started = performance.now();
    let inDoubt = isInDoubt(await this.#options.ledger.get(row.key));
    // The server may still be handling a request that an earlier run sent.
    let doubtSince = this.#startedAt;
    let attempts = 0;
    for (let tries = 0; ; ) {
      if (inDoubt) await this.#waitUntil(doubtSince + lookupDelay);
      if (this.stop.isStopped) return undefined;
      const stepStarted = performance.now();
      const step = await perform(this.#context);
      if (step.is !== 'retry' && step.is !== 'paused') return step;
      const delay = this.#backoff(tries) * (0.5 + Math.random() / 2);
      if (step.is === 'paused') {
        await this.#pause('rate_limited', step.delay ?? delay);
        continue;
      }
      inDoubt = step.inDoubt;
      doubtSince = performance.now();
      const isOutage = await this.#isOutage(step.error, stepStarted, attempts >= retry.limit);
      attempts = isOutage ? 0 : attempts + 1;
      tries++;
      if (attempts > retry.limit) return this.#giveUp(row, step.error, started);
      await this.#pause(isOutage ? 'unavailable' : 'running', delay);
    }
  }

  /** Counts a row that was imported, failed, or is in doubt. */
  count(row: PreparedRow<Row>, step: FinalStep, isLast = false): void {
    if (step.is === 'unknown' && step.mayResolve && !isLast && this.#unresolved.length < maxKept) {
      this.#unresolved.push({ row, step });
    } else if (step.is === 'failed' || step.is === 'unknown') {
      this.tally.addRow(step.is, { ...step.entry, row: row.original });
    } else if (step.is === 'created' || step.is === 'recovered') {
      this.tally.add(step.is);
      if (!step.recreated) return;
      this.tally.add('recreated');
      this.#recreated.push({ row, entry: step.recreated, at: performance.now() });
    }
  }

  /** Makes a read call. Waits and tries again while the API is rate-limited or unavailable. */
  async read<Result>(call: (context: StepContext) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(this.#context);
      } catch (error) {
        const isOver = attempt >= this.#settings.retry.limit || this.stop.isStopped;
        if (isOver || !(error instanceof WorktrackError) || classifyError(error, {}) === 'failed')
          throw error;
        const step = retryStep(error, {});
        if (step.is === 'fatal') throw error;
        if (step.is === 'retry') await this.#pause('running', this.#backoff(attempt));
        else await this.#pause('rate_limited', step.delay || this.#backoff(attempt));
      }
    }
  }

  /** Reports a failed listener only once. The import continues. */
  #notify(name: string, listener: () => void): void {
    const run = async () => listener();
    run().catch((cause) => {
      if (!this.#hasReportedListener)
        console.error(`worktrack: import: ${name} failed: ${describeThrown(cause)}`);
      this.#hasReportedListener = true;
    });
  }

  #reportProgress(): void {
    const { onProgress } = this.#options;
    if (onProgress) this.#notify('onProgress', () => onProgress(this.tally.progress()));
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

  /**
   * Whether the API was available earlier in this run but didn't respond to any row's requests during a step.
   * If the API responds, for example to a search, the row itself may have caused the failure.
   */
  async #isOutage(error: unknown, stepStarted: number, isLastAttempt: boolean): Promise<boolean> {
    const { reachedAt } = this.#context.clock;
    const wasAvailable = this.#lastSuccess > Number.NEGATIVE_INFINITY;
    if (!wasAvailable || this.#lastSuccess >= stepStarted || reachedAt >= stepStarted) return false;
    const { status } = Object(error) as { status?: number };
    if (!isGatewayStatus(status)) return status === undefined;
    // The gateway status may have come from the API itself, so the attempt counts. Before the row fails,
    // another request checks whether the API is available.
    const { target } = this.#options;
    return isLastAttempt && (await target.isAvailable?.(this.#context)) === false;
  }

  /**
   * Handles a row that has no attempts left. If no other row has succeeded since the row's first attempt, the
   * API probably can't create records, so the import stops.
   */
  async #giveUp(row: PreparedRow<Row>, error: unknown, started: number): Promise<FinalStep | FatalStep> {
    if (this.#lastSuccess < started) return { is: 'fatal', error };
    const entry = await failRow(this.#options.ledger, row, rowError(error));
    return entry.state === 'unknown' ? { is: 'unknown', entry, mayResolve: false } : { is: 'failed', entry };
  }

  /** Searches once more for a record that wasn't searchable when the row was re-created. */
  async #searchOldestRecreated(): Promise<void> {
    const oldest = this.#recreated.shift();
    if (!oldest) return;
    const { row, entry, at } = oldest;
    const { key, recordId = '' } = entry;
    await this.#waitUntil(at + this.#settings.lastSearchDelay);
    const step = this.stop.isStopped
      ? undefined
      : await searchAgain(this.#options.target, row, entry, this.#context).catch(() => undefined);
    // The row is also reported if the search fails, because it may have two records.
    const candidates = step?.is === 'searched' ? step.candidates : [];
    if (step?.is !== 'searched' || candidates.length > 0)
      this.tally.addSuspected({ key, recordId, candidates });
  }
}
