import type { MockServer } from '../../mock-server/index.js';
import { Worktrack } from '../../src/index.js';
import type { Check, CheckContext, Rerun } from './checks.js';
import { type Failure, idOf, reproductionOf } from './failures.js';
import { crashed, EndlessRunError, Injector, isInterference } from './injector.js';
import { type ExploreOptions, readSettings, type Settings, type Workflow } from './options.js';
import { ExplorationReport, type FailedRun, type Problem } from './report.js';
import { differenceOf, type RecordsByKind, readState } from './state.js';
import { afterRealTime, inVirtualTime, realNow, turn, type VirtualTime } from './virtual-time.js';

/**
 * Runs a workflow again and again, each time with a different failure, and checks what it leaves.
 *
 * First, it runs the workflow without failures to learn its requests. Then, for each request and kind of
 * failure, it restores the server, runs the workflow, lets that request fail, and calls `check`. Waits and
 * timeouts take no time. The order and the results are the same in each exploration. Afterward, the server is
 * in the same state as before.
 *
 * @throws TypeError if an argument is invalid
 * @throws Error if the workflow fails without failures, or if it sends no requests
 *
 * @example
 * ```ts
 * const report = await exploreFaults(mock, ({ client }) => importOrders(client), {
 *   check: [noDuplicates(), converges()],
 * });
 * expect(report).toSurvive();
 * ```
 */
export async function exploreFaults(
  mock: MockServer,
  workflow: Workflow,
  options: ExploreOptions,
): Promise<ExplorationReport> {
  const settings = readSettings(mock, workflow, options);
  const rejections = new UnhandledRejections();
  const restore = mock.capture();
  try {
    return await inVirtualTime((time) =>
      new Explorer(mock, workflow, settings, { restore, time, rejections }).explore(),
    );
  } finally {
    restore();
    rejections.stop();
  }
}

/** What a run did and left. */
type Run = Omit<CheckContext, 'mock' | 'clean' | 'rerun'> &
  Pick<Injector, 'interferences' | 'pending'> & {
    /** Why the run was stopped, if it didn't end. */
    endless: EndlessRunError | undefined;
  };

type FoundProblem = Problem & { source?: Check };

class Explorer {
  readonly #mock: MockServer;
  readonly #workflow: Workflow;
  readonly #settings: Settings;
  readonly #restore: () => void;
  readonly #time: VirtualTime;
  readonly #rejections: UnhandledRejections;
  readonly #before: RecordsByKind;
  readonly #startedAt = realNow();
  readonly #failed: FailedRun[] = [];
  #checks: readonly Check[];
  #maxRequests = 10_000;
  #runs = 0;
  #skipped = 0;

  constructor(
    mock: MockServer,
    workflow: Workflow,
    settings: Settings,
    tools: { restore: () => void; time: VirtualTime; rejections: UnhandledRejections },
  ) {
    this.#mock = mock;
    this.#workflow = workflow;
    this.#settings = settings;
    this.#restore = tools.restore;
    this.#time = tools.time;
    this.#rejections = tools.rejections;
    this.#before = readState(mock);
    this.#checks = settings.checks;
  }

  async explore(): Promise<ExplorationReport> {
    const { replay, depth } = this.#settings;
    const clean = await this.#runClean();
    // Without any check left, all runs would pass.
    if (this.#checks.length > 0) {
      if (replay) await this.#attempt(replay, clean);
      else await this.#tryAll(depth, clean);
    }
    return new ExplorationReport({
      requests: clean.requests,
      runs: this.#runs,
      skipped: this.#skipped,
      failed: this.#failed,
      durationMs: Math.round(realNow() - this.#startedAt),
    });
  }

  async #runClean(): Promise<Run> {
    const clean = await this.#run([]);
    const cause = clean.endless ?? clean.error;
    if (cause !== undefined) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`exploreFaults: the workflow failed without any failure: ${message}`, { cause });
    }
    if (clean.requests.length === 0) {
      throw new Error(
        "exploreFaults: the workflow sent no requests to this mock server; use the context's client, or mock.fetch",
      );
    }
    this.#maxRequests = 100 + 20 * clean.requests.length;
    const problems = await this.#check(clean, clean);
    // A check that fails without failures would fail in all other runs too.
    this.#checks = this.#checks.filter((check) => !problems.some(({ source }) => source === check));
    this.#record(clean, clean, problems);
    return clean;
  }

  async #tryAll(depth: number, clean: Run): Promise<void> {
    const failed = new Set<string>();
    const survivors: Run[] = [];
    const singles = this.#choose(this.#failuresIn(clean).map((failure) => [failure]));
    for (const failures of singles) {
      const run = await this.#attempt(failures, clean);
      if (run?.survived) survivors.push(run);
      else failed.add(idOf(failures));
    }
    if (depth === 1) return;
    const pairs = survivors.flatMap((run) =>
      this.#failuresIn(run)
        // If one of the failures is enough, it was already found.
        .filter((second) => isLater(run, second) && !failed.has(idOf([second])))
        .map((second) => [...run.failures, second]),
    );
    for (const failures of this.#choose(pairs)) await this.#attempt(failures, clean);
  }

  /** The failures that are possible in a run like this one. */
  #failuresIn({ requests, interferences }: Run): Failure[] {
    return requests.flatMap((request) =>
      this.#settings.kinds
        .filter((kind) => !isInterference(kind) || interferences?.[request.index]?.includes(kind))
        .map((kind) => ({ kind, request })),
    );
  }

  /** Chooses a sample if there are more possible runs than `maxRuns` allows. */
  #choose(possible: Failure[][]): Failure[][] {
    const { maxRuns, randomSeed } = this.#settings;
    const chosen = sample(possible, Math.max(0, maxRuns - this.#runs), randomSeed);
    this.#skipped += possible.length - chosen.length;
    return chosen;
  }

  /** Runs the workflow with failures, and checks the result. Returns undefined if no time is left. */
  async #attempt(
    failures: readonly Failure[],
    clean: Run,
  ): Promise<(Run & { survived: boolean }) | undefined> {
    if (realNow() - this.#startedAt > this.#settings.timeout) {
      this.#skipped++;
      return undefined;
    }
    const run = await this.#run(failures);
    const problems = await this.#check(run, clean);
    this.#record(run, clean, problems);
    return { ...run, survived: problems.length === 0 };
  }

  #record(run: Run, clean: Run, found: readonly FoundProblem[]): void {
    if (found.length === 0) return;
    const problems = found.map(({ check, error }) => ({ check, error }));
    const { failures, error, requests, after } = run;
    this.#failed.push({
      id: idOf(failures),
      failures,
      problems,
      error,
      requests,
      difference: differenceOf(after, clean.after, run),
      reproduction: reproductionOf(failures),
    });
  }

  /** Runs the workflow in the server's initial state. */
  async #run(failures: readonly Failure[]): Promise<Run> {
    this.#runs++;
    this.#restore();
    this.#time.restart(this.#mock.clock.frozen ? this.#mock.clock.milliseconds() : undefined);
    const unhandledRejections = this.#rejections.collect();
    await this.#settings.beforeRun();
    const interferes = this.#settings.kinds.some(isInterference);
    const injector = this.#inject(failures, interferes);
    let result: unknown;
    try {
      result = await this.#start(injector);
      while (result === crashed) {
        // The crashed process continues until it waits for a response. Its timers don't fire.
        for (let turns = 0; turns < 5; turns++) await turn();
        this.#time.restart();
        result = await this.#start(injector);
      }
    } finally {
      injector.remove();
    }
    // Node.js reports unhandled rejections at the end of a turn.
    await turn();
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
      unhandledRejections,
      before: this.#before,
      after: readState(this.#mock),
    };
  }

  #inject(failures: readonly Failure[], interferes = false): Injector {
    return new Injector(this.#mock, failures, { maxRequests: this.#maxRequests, interferes });
  }

  /** Runs the workflow in a new process. Resolves with its error, `crashed`, or an `EndlessRunError`. */
  async #start(injector: Injector): Promise<unknown> {
    const { runTimeout } = this.#settings;
    const { process, fetch } = injector.startProcess();
    const { signal } = process;
    const client = new Worktrack({ ...this.#mock.clientOptions(), fetch, logger: silent });
    const run = async () => this.#workflow({ client, mock: this.#mock, signal });
    const outcome = run().then(
      () => undefined,
      (error: unknown) => error ?? new Error(`the workflow threw ${error}`),
    );
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
    });
    const cancel = afterRealTime(runTimeout, () =>
      process.abort(new EndlessRunError(`the workflow didn't end within ${runTimeout} ms`)),
    );
    const result = await Promise.race([aborted, outcome]);
    cancel();
    process.abort();
    return result;
  }

  /** Returns what the checks found. */
  async #check(run: Run, clean: Run): Promise<FoundProblem[]> {
    if (run.endless) return [{ check: 'exploreFaults', error: run.endless }];
    const [missing] = run.pending;
    if (missing) return [{ check: 'exploreFaults', error: unreached(missing) }];
    const restore = this.#mock.capture();
    const problems: FoundProblem[] = [];
    for (const check of this.#checks) {
      const context: CheckContext = {
        ...run,
        mock: this.#mock,
        clean: clean.after,
        rerun: () => this.#rerun(restore),
      };
      try {
        await check(context);
      } catch (error) {
        problems.push({ check: check.name || 'check', error, source: check });
      }
      restore();
    }
    return problems;
  }

  async #rerun(restore: () => void): Promise<Rerun> {
    restore();
    const injector = this.#inject([]);
    try {
      const error = await this.#start(injector);
      return { error, after: readState(this.#mock) };
    } finally {
      injector.remove();
    }
  }
}

const isLater = ({ failures: [first] }: Run, { request }: Failure): boolean =>
  first !== undefined && request.index > first.request.index;

const unreached = ({ request: { operation, nth } }: Failure): Error =>
  new Error(
    `the workflow didn't send ${operation} request ${nth + 1} in this run; if it keeps anything between runs, ` +
      'create that in beforeRun',
  );

const ignore = () => {};
/** Failures are expected, so they aren't logged. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Collects rejections without a handler instead of ending the process. Does nothing outside Node.js. */
class UnhandledRejections {
  readonly #process = (globalThis as { process?: NodeJS.Process }).process;
  readonly #others = this.#process?.listeners?.('unhandledRejection') ?? [];
  #current: unknown[] = [];
  readonly #collect = (reason: unknown) => this.#current.push(reason);

  constructor() {
    this.#process?.removeAllListeners?.('unhandledRejection');
    this.#process?.on?.('unhandledRejection', this.#collect);
  }

  /** Returns a list to which all rejections from now on are added. */
  collect(): unknown[] {
    this.#current = [];
    return this.#current;
  }

  stop(): void {
    this.#process?.removeListener?.('unhandledRejection', this.#collect);
    for (const other of this.#others) this.#process?.on('unhandledRejection', other);
  }
}

/** Chooses up to `count` items, in their order, with a seeded generator. */
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
