import type { MockServer } from '../../mock-server/index.js';
import { Worktrack } from '../../src/index.js';
import { Explorer, type Host, type Place } from './engine.js';
import { reproductionOf } from './failures.js';
import { type ExploreOptions, fail, readSettings, type Workflow } from './options.js';
import type { ExplorationReport } from './report.js';
import { inVirtualTime, turn, type VirtualTime } from './virtual-time.js';

/**
 * Runs a workflow repeatedly, each time with a different failure, and checks the result.
 *
 * First, it runs the workflow without failures to learn which requests it sends. Then, for each request and
 * kind of failure, it restores the server, runs the workflow, makes the request fail, and calls `check`.
 * Waits and timeouts take no real time. Every exploration of the same workflow has the same runs and results,
 * in the same order. Afterward, the server is restored to its original state.
 *
 * @throws TypeError if an argument is invalid
 * @throws Error if the workflow fails in the run without failures, if it sends no requests, or if fake timers
 * are installed or another exploration is running
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
  const { beforeRun, ...settings } = readSettings(mock, workflow, options);
  const rejections = new UnhandledRejections();
  const restore = mock.checkpoint();
  try {
    return await inVirtualTime((time) => {
      const host = hostOf(workflow, { mock, restore, time, rejections, beforeRun });
      return new Explorer(host, settings).explore();
    });
  } finally {
    restore();
    rejections.stop();
  }
}

interface Tools {
  mock: MockServer;
  restore: () => void;
  time: VirtualTime;
  rejections: UnhandledRejections;
  beforeRun: () => unknown;
}

/** Runs a workflow in this process, in virtual time. */
const hostOf = (workflow: Workflow, { mock, restore, time, rejections, beforeRun }: Tools): Host => ({
  subject: 'workflow',
  advice: {
    noRequests: "use the context's client, or mock.fetch",
    otherRequests: 'if it keeps data between runs, reset the data in beforeRun',
  },
  jobs: 1,
  verifiesRequests: false,
  fail: (message, cause) => new Error(fail(message).message, { cause }),
  reproductionOf,

  async prepare(): Promise<Place> {
    restore();
    time.restart(mock.clock.frozen ? mock.clock.milliseconds() : undefined);
    const unhandledRejections = rejections.collect();
    await beforeRun();
    return {
      mock,
      unhandledRejections,
      async start({ signal, fetch }) {
        const client = new Worktrack({ ...mock.clientOptions(), fetch, logger: silent });
        try {
          await workflow({ client, mock, signal });
          return undefined;
        } catch (error) {
          return error ?? new Error(`the workflow threw ${error}`);
        }
      },
      async stopped() {
        // Let the process run until it waits for a response. Its timers don't fire.
        for (let turns = 0; turns < 5; turns++) await turn();
        time.restart();
      },
    };
  },
});

const ignore = () => {};
/** Doesn't log anything, because failures are expected. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Collects unhandled rejections so that they don't stop the process. Does nothing outside Node.js. */
class UnhandledRejections {
  readonly #process = (globalThis as { process?: NodeJS.Process }).process;
  readonly #others = this.#process?.listeners?.('unhandledRejection') ?? [];
  #current: unknown[] = [];
  readonly #collect = (reason: unknown) => this.#current.push(reason);

  constructor() {
    this.#process?.removeAllListeners?.('unhandledRejection');
    this.#process?.on?.('unhandledRejection', this.#collect);
  }

  /** Returns a list to which all later rejections are added. */
  collect(): unknown[] {
    this.#current = [];
    return this.#current;
  }

  stop(): void {
    this.#process?.removeListener?.('unhandledRejection', this.#collect);
    for (const other of this.#others) this.#process?.on('unhandledRejection', other);
  }
}
