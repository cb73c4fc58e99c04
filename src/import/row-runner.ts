import { importRow, type Step, type StepContext } from './import-row.js';
import { isInDoubt } from './ledger.js';
import type { ImportSettings, RunImportOptions } from './options.js';
import type { PreparedRow } from './prepare-row.js';
import type { Tally } from './report.js';
import { rowError } from './row-error.js';
import type { Stop } from './stop.js';

/** The maximum number of in-doubt rows that are kept in memory to look them up again. */
const maxUnresolved = 1000;

/** Performs each row's steps, waits between them, and counts the results. */
export class RowRunner<Row> {
  /** Called before each wait. */
  onPause: () => void = () => {};
  readonly #options: RunImportOptions<Row>;
  readonly #settings: ImportSettings;
  readonly #tally: Tally<Row>;
  readonly #stop: Stop;
  readonly #context: StepContext;
  readonly #startedAt = performance.now();
  #lastSuccess = Number.NEGATIVE_INFINITY;
  readonly #unresolved: { row: PreparedRow<Row>; step: Extract<Step, { is: 'unknown' }> }[] = [];

  constructor(options: RunImportOptions<Row>, settings: ImportSettings, tally: Tally<Row>, stop: Stop) {
    this.#options = options;
    this.#settings = settings;
    this.#tally = tally;
    this.#stop = stop;
    this.#context = {
      ledger: options.ledger,
      signal: stop.requests,
      clock: { since: undefined },
      tolerance: settings.lookupTolerance,
      countRequests: (count) => tally.add('requests', count),
    };
  }

  /** Looks up the rows again whose doubt the results of later rows may have resolved. */
  async finish(): Promise<void> {
    for (const { row, step } of this.#unresolved.splice(0)) {
      if (this.#stop.isStopped) this.#settle(row, step);
      else await this.run(row, true);
    }
  }

  /** Performs steps until the row is finished or the import is stopped. */
  async run(row: PreparedRow<Row>, isLast = false): Promise<void> {
    const { retry } = this.#settings;
    const started = performance.now();
    let inDoubt = isInDoubt(await this.#options.ledger.get(row.key));
    // The server may still be processing a request from an earlier run.
    let doubtSince = this.#startedAt;
    for (let attempt = 1; ; ) {
      if (inDoubt) await this.#untilSearchable(doubtSince);
      if (this.#stop.isStopped) return;
      const step = await importRow(this.#options.target, row, this.#context);
      if (step.is === 'unknown' && step.mayResolve && !isLast && this.#unresolved.length < maxUnresolved) {
        this.#unresolved.push({ row, step });
        return;
      }
      if (step.is !== 'retry' && step.is !== 'paused') return this.#settle(row, step);
      const backoff = Math.min(retry.maxDelay, retry.delay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      this.onPause();
      if (step.is === 'paused') {
        await this.#stop.wait(step.delay ?? backoff);
        continue;
      }
      inDoubt = step.inDoubt;
      doubtSince = performance.now();
      if (attempt++ >= retry.attempts) return this.#handleExhausted(row, step, started);
      await this.#stop.wait(backoff);
    }
  }

  /** Waits long enough for a search to find the record, if it exists. */
  async #untilSearchable(doubtSince: number): Promise<void> {
    const rest = doubtSince + this.#settings.lookupDelay - performance.now();
    if (rest > 0) await this.#stop.wait(rest);
  }

  #settle(row: PreparedRow<Row>, step: Exclude<Step, { is: 'retry' | 'paused' }>): void {
    if (step.is === 'fatal') this.#stop.fail(step.error);
    else if ('entry' in step) this.#tally.addRow(step.is, { ...step.entry, row: row.row });
    else {
      this.#lastSuccess = performance.now();
      this.#tally.add(step.is);
    }
  }

  /**
   * Handles a row with no attempts left. If no other row has succeeded in the meantime, the API is
   * probably unavailable, so the import stops.
   */
  async #handleExhausted(
    { key, row, fingerprint, group }: PreparedRow<Row>,
    { inDoubt, error: cause }: Extract<Step, { is: 'retry' }>,
    started: number,
  ): Promise<void> {
    if (this.#lastSuccess < started) return this.#stop.fail(cause);
    const { ledger } = this.#options;
    const error = rowError(cause);
    if (inDoubt) {
      return this.#tally.addRow('unknown', { ...(await ledger.get(key)), key, state: 'unknown', error, row });
    }
    await ledger.put({ key, state: 'failed', fingerprint, group, error });
    this.#tally.addRow('failed', { key, state: 'failed', fingerprint, group, error, row });
  }
}
