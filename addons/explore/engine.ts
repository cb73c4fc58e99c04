import type { MockServer } from '../../mock-server/index.js';
import type { Check, CheckContext, Rerun } from './checks.js';
import { type Failure, idOf } from './failures.js';
import { crashed, EndlessRunError, Injector, isInterference } from './injector.js';
import type { Settings } from './options.js';
import { ExplorationReport, type FailedRun, messageOf, type Problem } from './report.js';
import { differenceOf, type RecordsByKind, readState } from './state.js';
import { afterRealTime, realNow } from './virtual-time.js';

/** Runs the code to explore: a function in this process, or a command. */
export interface Host {
  /** The word that reports use for the code. */
  readonly subject: 'workflow' | 'command';
  /**
   * The advice in errors about code that sends no requests, or that sends different requests on every run.
   */
  readonly advice: Readonly<Record<'noRequests' | 'otherRequests', string>>;
  /** The maximum number of concurrent runs. */
  readonly jobs: number;
  /** Whether to compare the requests of two runs without failures. */
  readonly verifiesRequests: boolean;
  readonly stop?: AbortSignal;
  /** Called after each run. `total` increases when pairs of failures are added. */
  onProgress?(progress: Progress): void;
  /** Prepares a server in its initial state. */
  prepare(failures: readonly Failure[]): Promise<Place>;
  /** Creates the error for code that can't be explored. */
  fail(message: string, cause?: unknown): Error;
  /** Returns code or a command that reproduces the failures. */
  reproductionOf(failures: readonly Failure[]): string;
}

export interface Progress {
  done: number;
  total: number;
  failed: number;
}

/** The environment of one run. */
export interface Place {
  readonly mock: MockServer;
  /** Unhandled promise rejections so far. */
  readonly unhandledRejections: readonly unknown[];
  /** Runs the code once. Resolves to the error if the code failed, or to undefined if it succeeded. */
  start(process: { signal: AbortSignal; fetch: typeof globalThis.fetch }): Promise<unknown>;
  /** Waits until an aborted process has stopped completely. */
  stopped(): Promise<void>;
  close?(): Promise<void>;
}

type Run = Omit<CheckContext, 'mock' | 'clean' | 'rerun'> &
  Pick<Injector, 'interferences' | 'pending'> & {
    /** Why the run was stopped, if it didn't finish. */
    endless: EndlessRunError | undefined;
  };

/** The parts of a run that are needed to plan runs with an additional failure. */
type Survivor = Pick<Run, 'failures' | 'requests' | 'interferences'>;

type FoundProblem = Problem & { source?: Check };

interface Attempt {
  id: string;
  failed: FailedRun | undefined;
  survivor: Survivor | undefined;
}

type EngineSettings = Omit<Settings, 'beforeRun'>;

/** Runs the code without failures, plans and performs the runs with failures, and checks the results. */
export class Explorer {
  readonly #host: Host;
  readonly #settings: EngineSettings;
  readonly #startedAt = realNow();
  readonly #attempts: Attempt[] = [];
  #before: RecordsByKind | undefined;
  #checks: readonly Check[];
  #maxRequests = 10_000;
  readonly #progress: Progress = { done: 0, total: 1, failed: 0 };
  #skipped = 0;

  constructor(host: Host, settings: EngineSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#checks = settings.checks;
  }

  async explore(): Promise<ExplorationReport> {
    const clean = await this.#runClean();
    // Without any checks, every run would pass.
    if (this.#checks.length > 0) {
      const { replay } = this.#settings;
      if (replay) await this.#attemptAll([replay], clean);
      else await this.#tryAll(clean);
    }
    return new ExplorationReport({
      subject: this.#host.subject,
      requests: clean.requests,
      ids: this.#attempts.map(({ id }) => id),
      skipped: this.#skipped,
      failed: this.#attempts.flatMap(({ failed }) => failed ?? []),
      durationMs: Math.round(realNow() - this.#startedAt),
    });
  }

  async #runClean(): Promise<Run> {
    const { clean, problems } = await this.#perform([], async (place) => {
      const clean = await this.#run(place, []);
      this.#requireSuccess(clean);
      return { clean, problems: await this.#check(place, clean, clean) };
    });
    // Remove the checks that fail without any injected failures, because they would fail in every run.
    this.#checks = this.#checks.filter((check) => !problems.some(({ source }) => source === check));
    this.#attempts.push(this.#finish(clean, clean, problems));
    if (this.#host.verifiesRequests && !this.#settings.replay) await this.#requireSameRequests(clean);
    this.#maxRequests = 100 + 20 * clean.requests.length;
    return clean;
  }

  #requireSuccess({ endless, error, requests }: Run): void {
    const { subject, advice, fail, stop } = this.#host;
    if (stop?.aborted) throw fail('stopped before the first run with a failure');
    const cause = endless ?? error;
    if (cause !== undefined)
      throw fail(`the ${subject} failed in the run without failures: ${messageOf(cause)}`, cause);
    if (requests.length === 0)
      throw fail(`the ${subject} sent no requests to the mock server; ${advice.noRequests}`);
  }

  async #requireSameRequests(clean: Run): Promise<void> {
    const again = await this.#perform([], (place) => this.#run(place, []));
    this.#requireSuccess(again);
    const [counts = {}, countsAgain = {}] = [clean, again].map(({ requests }) => countsOf(requests));
    const differences = Object.keys({ ...counts, ...countsAgain })
      .filter((operation) => counts[operation] !== countsAgain[operation])
      .map((operation) => `${operation} ${counts[operation] ?? 0} and ${countsAgain[operation] ?? 0} times`);
    if (differences.length === 0) return;
    const { subject, advice, fail } = this.#host;
    throw fail(
      `the ${subject} sends different requests on every run: ${differences.join(', ')}; ${advice.otherRequests}`,
    );
  }

  async #tryAll(clean: Run): Promise<void> {
    const singles = await this.#attemptAll(
      this.#choose(this.#failuresIn(clean).map((failure) => [failure])),
      clean,
    );
    if (this.#settings.depth === 1) return;
    const failed = new Set(singles.flatMap(({ id, failed }) => (failed ? [id] : [])));
    const pairs = singles.flatMap(({ survivor }) =>
      survivor
        ? this.#failuresIn(survivor)
            // Skip a pair of failures if the second one causes a problem by itself.
            .filter((second) => isLater(survivor, second) && !failed.has(idOf([second])))
            .map((second) => [...survivor.failures, second])
        : [],
    );
    await this.#attemptAll(this.#choose(pairs), clean);
  }

  /** Returns the failures that are possible in a run that sends the same requests. */
  #failuresIn({ requests, interferences }: Survivor): Failure[] {
    return requests.flatMap((request) =>
      this.#settings.kinds
        .filter((kind) => !isInterference(kind) || interferences?.[request.index]?.includes(kind))
        .map((kind) => ({ kind, request })),
    );
  }

  /** Chooses a sample if there are more possible runs than `maxRuns` allows. */
  #choose(possible: Failure[][]): Failure[][] {
    const { maxRuns, randomSeed } = this.#settings;
    const chosen = sample(possible, Math.max(0, maxRuns - this.#attempts.length), randomSeed);
    this.#skipped += possible.length - chosen.length;
    return chosen;
  }

  /**
   * Executes the planned runs until they finish or the timeout expires. Returns the results in the planned
   * order.
   */
  async #attemptAll(plans: readonly (readonly Failure[])[], clean: Run): Promise<Attempt[]> {
    this.#progress.total += plans.length;
    const attempts: (Attempt | undefined)[] = [];
    const queue = plans.entries();
    const work = async () => {
      for (const [index, failures] of queue) {
        const isLate = realNow() - this.#startedAt > this.#settings.timeout;
        attempts[index] =
          isLate || this.#host.stop?.aborted ? undefined : await this.#attempt(failures, clean);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#host.jobs, plans.length) }, work));
    const finished = attempts.filter((attempt) => attempt !== undefined);
    this.#skipped += plans.length - finished.length;
    this.#attempts.push(...finished);
    return finished;
  }

  /** Runs the code with failures and checks the result. Returns undefined if the exploration was stopped. */
  async #attempt(failures: readonly Failure[], clean: Run): Promise<Attempt | undefined> {
    const attempt = await this.#perform(failures, async (place) => {
      const run = await this.#run(place, failures);
      return this.#finish(run, clean, await this.#check(place, run, clean));
    });
    return this.#host.stop?.aborted ? undefined : attempt;
  }

  #finish(run: Run, clean: Run, found: readonly FoundProblem[]): Attempt {
    const { failures, error, requests, interferences } = run;
    const id = idOf(failures);
    this.#progress.done++;
    if (found.length > 0) this.#progress.failed++;
    this.#host.onProgress?.({ ...this.#progress });
    if (found.length === 0) {
      // Store the requests only if pairs of failures are explored, because they can take up a lot of memory.
      const survivor = this.#settings.depth === 1 ? undefined : { failures, requests, interferences };
      return { id, failed: undefined, survivor };
    }
    const failed: FailedRun = {
      id,
      failures,
      problems: found.map(({ check, error }) => ({ check, error })),
      error,
      requests,
      difference: differenceOf(run.after, clean.after, run),
      reproduction: this.#host.reproductionOf(failures),
    };
    return { id, failed, survivor: undefined };
  }

  async #perform<Result>(
    failures: readonly Failure[],
    use: (place: Place) => Promise<Result>,
  ): Promise<Result> {
    const place = await this.#host.prepare(failures);
    try {
      return await use(place);
    } finally {
      await place.close?.();
    }
  }

  async #run(place: Place, failures: readonly Failure[]): Promise<Run> {
    this.#before ??= readState(place.mock);
    const interferes = this.#settings.kinds.some(isInterference);
    const injector = this.#inject(place, failures, interferes);
    let result: unknown = crashed;
    try {
      while (result === crashed) result = await this.#start(place, injector);
    } finally {
      injector.remove();
    }
    const endless = result instanceof EndlessRunError ? result : undefined;
    const { interference, interferences, requests, pending } = injector;
    return {
      failures,
      interference,
      interferences,
      pending,
      requests,
      endless,
      error: endless ? undefined : result,
      unhandledRejections: place.unhandledRejections,
      before: this.#before,
      after: readState(place.mock),
    };
  }

  #inject({ mock }: Place, failures: readonly Failure[], interferes = false): Injector {
    return new Injector(mock, failures, { maxRequests: this.#maxRequests, interferes });
  }

  /** Runs the code in a new process. Resolves to its error, `crashed`, or an `EndlessRunError`. */
  async #start(place: Place, injector: Injector): Promise<unknown> {
    const { runTimeout } = this.#settings;
    const { subject, stop } = this.#host;
    const { process, fetch } = injector.startProcess();
    const { signal } = process;
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
    });
    const end = () => process.abort(new Error('the exploration was stopped'));
    stop?.addEventListener('abort', end);
    const cancel = afterRealTime(runTimeout, () =>
      process.abort(new EndlessRunError(`the ${subject} didn't finish within ${runTimeout} ms`)),
    );
    try {
      if (stop?.aborted) end();
      return await Promise.race([aborted, place.start({ signal, fetch })]);
    } finally {
      cancel();
      stop?.removeEventListener('abort', end);
      process.abort();
      await place.stopped();
    }
  }

  async #check(place: Place, run: Run, clean: Run): Promise<FoundProblem[]> {
    if (run.endless) return [{ check: 'run', error: run.endless }];
    const [missing] = run.pending;
    if (missing) return [{ check: 'run', error: this.#unreached(missing) }];
    const restore = place.mock.checkpoint();
    const problems: FoundProblem[] = [];
    for (const check of this.#checks) {
      const context: CheckContext = {
        ...run,
        mock: place.mock,
        clean: clean.after,
        rerun: () => this.#rerun(place, restore),
      };
      let cancel = () => {};
      const late = new Promise((_, reject) => {
        const { runTimeout } = this.#settings;
        const error = new Error(`the check didn't finish within ${runTimeout} ms`);
        cancel = afterRealTime(runTimeout, () => reject(error));
      });
      try {
        await Promise.race([check(context), late]);
      } catch (error) {
        problems.push({ check: check.name || 'check', error, source: check });
      }
      cancel();
      restore();
    }
    return problems;
  }

  async #rerun(place: Place, restore: () => void): Promise<Rerun> {
    restore();
    const injector = this.#inject(place, []);
    try {
      const error = await this.#start(place, injector);
      return { error, after: readState(place.mock) };
    } finally {
      injector.remove();
    }
  }

  #unreached({ request: { operation, nth } }: Failure): Error {
    const { subject, advice } = this.#host;
    return new Error(
      `the ${subject} didn't send request ${nth + 1} for ${operation} in this run; ${advice.otherRequests}`,
    );
  }
}

const isLater = ({ failures: [first] }: Survivor, { request }: Failure): boolean =>
  first !== undefined && request.index > first.request.index;

function countsOf(requests: Run['requests']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation, nth } of requests) counts[operation] = nth + 1;
  return counts;
}

/** Chooses up to `count` items at random with a seeded generator. Keeps their order. */
function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let needed = count;
  return items.filter((_, index) => {
    const isChosen = random() < needed / (items.length - index);
    if (isChosen) needed--;
    return isChosen;
  });
}
