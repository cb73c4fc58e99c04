import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MockServer } from '../../mock-server/index.js';
import { type ListeningServer, listen } from '../../mock-server/node/listen.js';
import { formatJUnit } from '../../src/shared/junit.js';
import {
  allOrNothing,
  type Check,
  converges,
  keepsInterference,
  named,
  noDuplicates,
  sameStateAsCleanRun,
  succeeds,
} from '../../testing/explore/checks.js';
import { Explorer, type Host, type Place, type Progress } from '../../testing/explore/engine.js';
import { type Failure, type FailureKind, idOf } from '../../testing/explore/failures.js';
import { type ExplorationReport, messageOf } from '../../testing/explore/report.js';
import { UsageError } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { readOptionFile, requireWritable } from '../files.js';
import { connectionVariables } from '../mock/processes.js';
import { printReport, type ReportFlags } from '../report.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { newProgressBar } from '../terminal/progress-bar.js';
import { runShell } from './shell.js';

/** The checks that work without access to the command's process. */
export const checks = {
  noDuplicates,
  allOrNothing,
  sameStateAsCleanRun,
  converges,
  succeeds,
  keepsInterference,
};

export type CheckName = keyof typeof checks;

/** The parsed options of `worktrack explore`. */
export interface ExploreFlags extends ReportFlags {
  exec: string;
  check?: string;
  require: readonly CheckName[];
  seed?: string;
  kinds: readonly FailureKind[];
  depth: '1' | '2';
  maxRuns: number;
  randomSeed: number;
  jobs: number;
  runTimeout: number;
  replay?: readonly Failure[];
}

/** Explores a command, prints the report, and sets the exit code. */
export async function runExploreCommand(
  flags: ExploreFlags,
  context: CommandContext,
  reproduce: (id: string) => string,
): Promise<void> {
  if (flags.require.length === 0 && flags.check === undefined)
    throw new UsageError('--require none requires --check <command>');
  if (flags.output !== undefined) await requireWritable('--output', flags.output);
  const world = flags.seed === undefined ? undefined : await readOptionFile('--seed', flags.seed);
  const server = await listen({ now: 'real', world });
  const folder = await mkdtemp(join(tmpdir(), 'worktrack-explore-'));
  const stop = new AbortController();
  const { ignoreSignals } = stopOnSignal(() => stop.abort());
  const progress = createProgress();
  try {
    const host = new CommandHost({ flags, context, server, folder, reproduce, stop: stop.signal, progress });
    const { kinds, maxRuns, randomSeed, replay } = flags;
    const required = flags.require.map((name) => checks[name]());
    const report = await new Explorer(host, {
      checks: flags.check === undefined ? required : [...required, host.checkWith(flags.check)],
      kinds,
      depth: flags.depth === '2' ? 2 : 1,
      maxRuns,
      randomSeed,
      replay,
      runTimeout: flags.runTimeout * 1000,
      timeout: Number.POSITIVE_INFINITY,
    }).explore();
    progress.stop();
    await printReport(report, flags, formatters, context);
    if (!report.survived || stop.signal.aborted) context.exitCode = 1;
  } finally {
    // If a run couldn't start, other runs may still be in progress.
    stop.abort();
    progress.stop();
    ignoreSignals();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface HostOptions extends Pick<Host, 'stop'> {
  flags: ExploreFlags;
  context: CommandContext;
  server: ListeningServer;
  folder: string;
  reproduce: (id: string) => string;
  progress: { update(progress: Progress): void };
  stop: AbortSignal;
}

/** Runs the command for each run, with a separate space on the HTTP server. */
class CommandHost implements Host {
  readonly subject = 'command';
  readonly advice = {
    noRequests: 'it must use the URL in WORKTRACK_BASE_URL and the token in WORKTRACK_TOKEN',
    otherRequests: 'if it stores files, they must be in the folder WORKTRACK_RUN_DIR',
  };
  readonly verifiesRequests = true;
  readonly jobs: number;
  readonly stop: AbortSignal;
  readonly #options: HostOptions;
  readonly #state;
  readonly #variables = new WeakMap<MockServer, NodeJS.ProcessEnv>();
  #runs = 0;

  constructor(options: HostOptions) {
    this.jobs = options.flags.jobs;
    this.stop = options.stop;
    this.#options = options;
    this.#state = options.server.mock.export();
  }

  readonly fail = (message: string): Error =>
    this.stop.aborted ? new Error(message) : new UsageError(message);

  reproductionOf(failures: readonly Failure[]): string {
    return this.#options.reproduce(idOf(failures));
  }

  onProgress(progress: Progress): void {
    this.#options.progress.update(progress);
  }

  async prepare(failures: readonly Failure[]): Promise<Place> {
    const { flags, context, server } = this.#options;
    const name = `run-${++this.#runs}`;
    const folder = join(this.#options.folder, name);
    await mkdir(folder);
    const mock = server.createSpace(name, { state: this.#state });
    const env = {
      ...context.env,
      ...connectionVariables(mock.clientOptions()),
      WORKTRACK_RUN_DIR: folder,
    };
    this.#variables.set(mock, env);
    const onOutput =
      flags.replay && failures.length > 0 ? (text: string) => process.stderr.write(text) : undefined;
    let running: Promise<unknown> | undefined;
    return {
      mock,
      unhandledRejections: [],
      start: ({ signal }) => {
        const result = runShell(flags.exec, { env, signal, onOutput });
        running = result.catch(() => {});
        return result;
      },
      stopped: async () => void (await running),
      async close() {
        server.deleteSpace(name);
        await rm(folder, { recursive: true, force: true });
      },
    };
  }

  /** Creates a check that runs a command after a run. */
  checkWith(command: string): Check {
    return named('--check', async ({ mock, failures }) => {
      const timeout = AbortSignal.timeout(this.#options.flags.runTimeout * 1000);
      const env = { ...this.#variables.get(mock), WORKTRACK_FAILURE: idOf(failures) };
      const error = await runShell(command, { env, signal: AbortSignal.any([this.stop, timeout]) });
      if (timeout.aborted) throw new Error(`didn't finish within ${this.#options.flags.runTimeout} s`);
      if (error) throw error;
    });
  }
}

/** Shows a progress bar in a terminal. */
function createProgress() {
  const bar = newProgressBar('{bar} {value}/{total} runs | {failed} failed');
  let isShown = false;
  return {
    update({ done, total, failed }: Progress): void {
      // The number of runs isn't known until the first one has finished.
      if (!process.stderr.isTTY || total === 1) return;
      if (!isShown) bar.start(total, done, { failed });
      isShown = true;
      bar.setTotal(total);
      bar.update(done, { failed });
    },
    stop(): void {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}

const formatters = {
  text: String,
  summary: ({ summary }: ExplorationReport) => summary,
  junit: ({ ids, failed }: ExplorationReport) => {
    const failures = new Map(failed.map((run) => [run.id, run]));
    const cases = ids.map((id) => {
      const run = failures.get(id);
      const message = run?.problems.map(({ check, error }) => `${check}: ${messageOf(error)}`).join('\n');
      return {
        group: 'worktrack explore',
        name: id || 'without failures',
        problem: message === undefined ? undefined : { kind: 'failure' as const, message },
      };
    });
    return formatJUnit('worktrack explore', cases);
  },
};
