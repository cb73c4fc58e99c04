import { WorktrackError } from '../errors/index.js';
import { findDuplicates, importRow, type Step, type StepContext } from './import-row.js';
import type { ImportStop } from './import-stop.js';
import { type Candidate, isInDoubt, type LedgerEntry } from './ledger.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import type { ImportStatus, Tally } from './report.js';
import { isGatewayStatus } from './requests.js';
import type { PreparedRow, RowSource } from './row.js';
import { classifyError, pauseOf, rowError } from './row.js';
import { ServerClock } from './server-clock.js';

/**
 * The maximum number of in-doubt rows to keep in memory. The same limit applies separately to re-created
 * rows.
 */
const maxKept = 1000;

interface RecreatedRow<Row> {
  row: PreparedRow<Row>;
  entry: LedgerEntry;
  /** When the row was re-created, as returned by `performance.now()`. */
  at: number;
}

interface RunOptions {
  /** Whether to skip the final lookup of the row, after all other rows are done. */
  isLast?: boolean;
  /** Performs a step. By default, creates the row's record. */
  step?: (context: StepContext) => Promise<Step>;
  /** Called with the final step. Returns true to keep the runner from counting the row. */
  onStep?: (step: Step) => boolean;
}

/** Performs each row's steps, waits between them, and counts the results. */
export class RowRunner<Row> {
  readonly #options: RunImportOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #tally: Tally<Row>;
  readonly #stop: ImportStop;
  readonly #onProgress: () => void;
  readonly #locks = new GroupLocks();
  readonly context: StepContext;
  readonly #startedAt = performance.now();
  #lastSuccess = Number.NEGATIVE_INFINITY;
  readonly #recreated: RecreatedRow<Row>[] = [];
  readonly #unresolved: { row: PreparedRow<Row>; step: Extract<Step, { is: 'unknown' }> }[] = [];

  /** @param onProgress called after each item and before each wait */
  constructor(
    options: RunImportOptions<Row>,
    settings: ImportSettings,
    tally: Tally<Row>,
    stop: ImportStop,
    onProgress: () => void,
  ) {
    this.#options = options;
    this.#settings = settings;
    this.#tally = tally;
    this.#stop = stop;
    this.#onProgress = onProgress;
    this.context = {
      ledger: options.ledger,
      signal: stop.requests,
      clock: new ServerClock(),
      tolerance: settings.maxClockSkew,
      countRequests: (count) => tally.add('requests', count),
    };
  }

  /** Processes items concurrently until none are left or the import is stopped. */
  async forEach<Item>(
    source: RowSource<Item>,
    process: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    let count = 0;
    const worker = async () => {
      try {
        while (!this.#stop.isStopped) {
          const next = await this.#stop.race(source.next());
          if (!next || this.#stop.isStopped) return;
          this.#tally.add('inFlight');
          await process(next.row, count++).finally(() => this.#tally.add('inFlight', -1));
          // Limit how many rows are in memory.
          while (this.#recreated.length > maxKept) await this.#checkOldestRecreated();
          this.#onProgress();
        }
      } catch (error) {
        this.#stop.fail(error);
      }
    };
    await Promise.all(Array.from({ length: this.#settings.concurrency }, worker));
  }

  /**
   * Looks up in-doubt rows again if the results of later rows may have resolved the doubt. Also searches for
   * the first records of re-created rows.
   */
  async finish(): Promise<void> {
    for (const { row, step } of this.#unresolved.splice(0)) {
      if (this.#stop.isStopped) this.#finishRow(row, step, { isLast: true });
      else await this.run(row, { isLast: true });
    }
    while (this.#recreated.length > 0) await this.#checkOldestRecreated();
  }

  /**
   * Performs steps until the row is finished or the import is stopped. Creates the records in a group one at
   * a time.
   */
  async run(row: PreparedRow<Row>, options: RunOptions = {}): Promise<Step | undefined> {
    const creates = options.step === undefined && row.group !== undefined;
    const leave = creates ? await this.#locks.enter(row.group as string) : undefined;
    return this.#performSteps(row, options).finally(leave);
  }

  async #performSteps(row: PreparedRow<Row>, options: RunOptions): Promise<Step | undefined> {
    const { retry } = this.#settings;
    const perform = options.step ?? ((context) => importRow(this.#options.target, row, context));
    const started = performance.now();
    let inDoubt = isInDoubt(await this.#options.ledger.get(row.key));
    // The server may still be handling a request that an earlier run sent.
    let doubtSince = this.#startedAt;
    let attempts = 0;
    for (let tries = 0; ; ) {
      if (inDoubt) await this.#waitUntil(doubtSince + this.#settings.lookupDelay);
      if (this.#stop.isStopped) return undefined;
      const stepStarted = performance.now();
      const step = await perform(this.context);
      if (step.is !== 'retry' && step.is !== 'paused') return this.#finishRow(row, step, options);
      const backoff = Math.min(retry.maxDelay, retry.delay * 2 ** tries) * (0.5 + Math.random() / 2);
      if (step.is === 'paused') {
        await this.#pause('rate_limited', step.delay ?? backoff);
        continue;
      }
      inDoubt = step.inDoubt;
      doubtSince = performance.now();
      const isOutage = await this.#isOutage(step.error, stepStarted, attempts >= retry.limit);
      attempts = isOutage ? 0 : attempts + 1;
      tries = Math.min(tries + 1, 30);
      if (attempts > retry.limit) {
        await this.#handleExhausted(row, step, started);
        return undefined;
      }
      await this.#pause(isOutage ? 'unavailable' : 'running', backoff);
    }
  }

  /** Makes a read call. Waits and tries again while the API is rate-limited or unavailable. */
  async read<Result>(call: (context: StepContext) => Promise<Result>): Promise<Result> {
    const { retry } = this.#settings;
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(this.context);
      } catch (error) {
        const verdict = classifyError(error, {});
        const isOver = attempt >= retry.limit || this.#stop.isStopped;
        if (isOver || verdict === 'fatal' || verdict === 'failed' || !(error instanceof WorktrackError))
          throw error;
        const backoff = Math.min(retry.maxDelay, retry.delay * 2 ** attempt);
        await this.#pause(
          verdict === 'paused' ? 'rate_limited' : 'running',
          (verdict === 'paused' && pauseOf(error)) || backoff,
        );
      }
    }
  }

  async #pause(status: ImportStatus, milliseconds: number): Promise<void> {
    const resume = this.#tally.wait(status);
    this.#onProgress();
    await this.#stop.wait(milliseconds);
    resume();
  }

  /**
   * Whether the API was available earlier in this run but didn't respond to any row's requests during a step.
   * If the API responds, for example to a search, the row itself may have caused the failure.
   */
  async #isOutage(error: unknown, stepStarted: number, isLastAttempt: boolean): Promise<boolean> {
    const { reachedAt } = this.context.clock;
    const wasAvailable = this.#lastSuccess > Number.NEGATIVE_INFINITY;
    if (!wasAvailable || this.#lastSuccess >= stepStarted || reachedAt >= stepStarted) return false;
    const { status } = Object(error) as { status?: number };
    if (!isGatewayStatus(status)) return status === undefined;
    // The API itself may have returned the gateway status, so the attempt counts. Before the row fails,
    // another request checks whether the API is available.
    const { target } = this.#options;
    return isLastAttempt && (await target.isAvailable?.(this.context)) === false;
  }

  async #waitUntil(time: number): Promise<void> {
    const rest = time - performance.now();
    if (rest > 0) await this.#stop.wait(rest);
  }

  #finishRow(
    row: PreparedRow<Row>,
    step: Exclude<Step, { is: 'retry' | 'paused' }>,
    { isLast, onStep }: RunOptions,
  ): Step {
    if (step.is === 'unknown' && step.mayResolve && !isLast && this.#unresolved.length < maxKept) {
      this.#unresolved.push({ row, step });
      return step;
    }
    const isSuccess = step.is !== 'fatal' && step.is !== 'failed' && step.is !== 'unknown';
    if (isSuccess) this.#lastSuccess = performance.now();
    if (onStep?.(step)) return step;
    if (step.is === 'fatal') this.#stop.fail(step.error);
    else if (step.is === 'failed' || step.is === 'unknown')
      this.#tally.addRow(step.is, { ...step.entry, row: row.row });
    else if (step.is === 'created' || step.is === 'recovered') {
      this.#tally.add(step.is);
      if (!step.recreated) return step;
      this.#tally.add('recreated');
      this.#recreated.push({ row, entry: step.recreated, at: this.#lastSuccess });
    }
    return step;
  }

  /** Searches once more for a record that wasn't searchable when the row was re-created. */
  async #checkOldestRecreated(): Promise<void> {
    const { row, entry, at } = this.#recreated.shift() as RecreatedRow<Row>;
    const { key, recordId } = entry as LedgerEntry & { recordId: string };
    await this.#waitUntil(at + this.#settings.lastSearchDelay);
    let candidates: Candidate[] = [];
    try {
      if (this.#stop.isStopped) throw new Error('stopped');
      candidates = await findDuplicates(this.#options.target, row, entry, this.context);
      if (candidates.length === 0) return;
    } catch {
      // The search failed, but the row may have two records, so it's reported.
    }
    this.#tally.addSuspected({ key, recordId, candidates });
  }

  /**
   * Handles a row that has no attempts left. If no other row has succeeded since the row's first attempt, the
   * API probably can't create records, so the import stops.
   */
  async #handleExhausted(
    { key, row, fingerprint, group }: PreparedRow<Row>,
    { inDoubt, error: cause }: Extract<Step, { is: 'retry' }>,
    started: number,
  ): Promise<void> {
    if (this.#lastSuccess < started) return this.#stop.fail(cause);
    const { ledger } = this.#options;
    const error = rowError(cause);
    // A row with a record keeps its ledger entry.
    if ((await ledger.get(key))?.state === 'done')
      return this.#tally.addRow('failed', { key, state: 'failed', error, row });
    if (inDoubt) {
      return this.#tally.addRow('unknown', { ...(await ledger.get(key)), key, state: 'unknown', error, row });
    }
    await ledger.put({ key, state: 'failed', fingerprint, group, error });
    this.#tally.addRow('failed', { key, state: 'failed', fingerprint, group, error, row });
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
