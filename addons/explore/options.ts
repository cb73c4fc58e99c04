import * as z from 'zod/mini';
import type { MockServer } from '../../mock-server/index.js';
import { type OperationId, operationIds } from '../../src/contract/index.js';
import type { Worktrack } from '../../src/index.js';
import {
  checkOptions,
  fn,
  isFunction,
  option,
  positiveDuration,
  positiveInteger,
  quote,
  requiredOption,
} from '../../src/internal.js';
import type { Check } from './checks.js';
import { type Failure, type FailureKind, failureKinds, faultKinds } from './failures.js';

/** The code to explore: a job that sends requests, such as an import or a webhook handler. */
export type Workflow = (context: WorkflowContext) => unknown;

export interface WorkflowContext {
  /** A new client for the mock server. */
  client: Worktrack;
  mock: MockServer;
  /**
   * Aborted when the workflow finishes or its process crashes. Use it to release resources that the operating
   * system releases when a process exits, such as file locks.
   */
  signal: AbortSignal;
}

export interface ExploreOptions {
  /**
   * One or more checks, which run after each run of the workflow. A check that fails after the run without
   * failures is skipped afterward.
   */
  check: Check | readonly Check[];
  /**
   * The kinds of failures to try.
   *
   * @defaultValue all kinds of faults, but no interference
   */
  kinds?: readonly FailureKind[] | undefined;
  /**
   * The maximum number of failures in a run. With 2, also tries pairs of failures that the workflow survives
   * individually.
   *
   * @defaultValue 1
   */
  depth?: 1 | 2 | undefined;
  /**
   * The maximum number of runs. If more runs are possible, a sample is chosen with `randomSeed`.
   *
   * @defaultValue 1,000
   */
  maxRuns?: number | undefined;
  /**
   * The seed for choosing the sample. The same seed always results in the same runs.
   *
   * @defaultValue 0
   */
  randomSeed?: number | undefined;
  /**
   * Tries only the failures that have this ID, such as `crash_after:tickets.create:2`. Reports contain these
   * IDs.
   */
  replay?: string | undefined;
  /**
   * Called before every run to reset data that the workflow keeps outside the server, such as a file or a
   * book. After a crash, the new process finds the data that the crashed process left behind.
   */
  beforeRun?: (() => unknown) | undefined;
  /**
   * The maximum time for each run and each check, in milliseconds of real time. A run fails if it takes
   * longer, or if it sends more than 100 requests plus 20 times as many as the run without failures.
   *
   * @defaultValue 5,000
   */
  runTimeout?: number | undefined;
  /**
   * The maximum time for the entire exploration, in milliseconds of real time. After that, no more runs
   * start.
   *
   * @defaultValue 60,000
   */
  timeout?: number | undefined;
}

const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(fits);

const optionFields: Record<keyof ExploreOptions, z.core.$ZodType> = {
  check: requiredOption(
    'a function or a non-empty list of functions',
    (value) => isFunction(value) || isListOf(value, isFunction),
  ),
  kinds: option(`a non-empty list of: ${failureKinds.join(', ')}`, (value) =>
    isListOf(value, (kind) => failureKinds.includes(kind as FailureKind)),
  ),
  depth: option('1 or 2', (value) => value === 1 || value === 2),
  maxRuns: positiveInteger(),
  randomSeed: option('an integer', Number.isSafeInteger),
  replay: option(
    'the ID of a failed run, such as crash_after:tickets.create:2',
    (value) => typeof value === 'string',
  ),
  beforeRun: fn(),
  runTimeout: positiveDuration(),
  timeout: positiveDuration(),
};

const schema = z.strictObject(optionFields);

/** The options with their defaults applied. */
export interface Settings
  extends Required<{
    [Name in Exclude<keyof ExploreOptions, 'check' | 'replay'>]: NonNullable<ExploreOptions[Name]>;
  }> {
  checks: readonly Check[];
  replay: readonly Failure[] | undefined;
}

/**
 * Validates the arguments of `exploreFaults`.
 *
 * @throws TypeError if an argument is missing, unknown, or invalid
 */
export function readSettings(mock: MockServer, workflow: Workflow, options: ExploreOptions): Settings {
  if (typeof mock?.intercept !== 'function') throw fail('pass the mock server as the first argument');
  if (!isFunction(workflow)) throw fail('pass the workflow function as the second argument');
  checkOptions(schema, options, { fail });
  const { check, kinds = faultKinds, depth = 1, maxRuns = 1000, randomSeed = 0 } = options;
  const { replay, beforeRun = () => {}, runTimeout = 5000, timeout = 60_000 } = options;
  return {
    checks: [check].flat() as Check[],
    kinds,
    depth,
    maxRuns,
    randomSeed,
    replay: replay === undefined ? undefined : readFailures(replay),
    beforeRun,
    runTimeout,
    timeout,
  };
}

/** Creates the error for an invalid argument. */
export const fail = (message: string): TypeError => new TypeError(`exploreFaults: ${message}`);

/**
 * Reads the ID of a failed run, such as `crash_after:tickets.create:2`.
 *
 * @throws TypeError if it's invalid
 */
export const readFailures = (id: string): Failure[] =>
  id.split('+').map((part) => {
    const [, kind, operation, number] = /^(\w+):([\w.]+):([1-9]\d*)$/.exec(part) ?? [];
    if (!failureKinds.includes(kind as FailureKind) || !operationIds.includes(operation as OperationId)) {
      throw fail(
        `option "replay" must be the ID of a failed run, such as crash_after:tickets.create:2 (got "${quote(part)}")`,
      );
    }
    const request = { index: -1, operation: operation as OperationId, nth: Number(number) - 1 };
    return { kind: kind as FailureKind, request };
  });
