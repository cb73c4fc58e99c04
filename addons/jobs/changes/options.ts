import * as z from 'zod/mini';
import type { Worktrack } from '../../../src/client.js';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  abortSignal,
  boolean,
  checkOptions,
  clientOption,
  fn,
  isFunction,
  isNonEmptyString,
  nonNegativeIntegerOrInfinity,
  type OptionsSchema,
  oneOf,
  option,
  requiredOption,
} from '../../../src/option-schema.js';
import { isObject } from '../../../src/shared/json.js';
import type { Change } from './change.js';
import type { Kind } from './records.js';
import type { Snapshot } from './snapshot.js';

/** Which records a feed watches, and which changes it reports. */
export interface FeedOptions {
  /** The client. Its credential needs the read scopes for the watched records. */
  client: Worktrack;
  /**
   * The IDs of the projects to watch. If omitted, the feed watches the organization's projects and documents.
   */
  project?: string | readonly string[] | undefined;
  /**
   * The kinds of records to watch. If you include documents, the feed watches all documents in the
   * organization. The feed reports the deletion of a watched project even if you don't include projects.
   *
   * @defaultValue `['project', 'board', 'label', 'member', 'ticket']` if `project` is set, otherwise
   * `['project', 'document']`
   */
  include?: readonly Kind[] | undefined;
  /**
   * What to do with existing records on the first run: `baseline` only stores them, and `emit` reports them
   * as created.
   *
   * @defaultValue `'baseline'`
   */
  initial?: 'baseline' | 'emit' | undefined;
  /** Returns whether to skip a change, for example `changesBy(client)`. Skipped changes count as delivered. */
  ignore?: ((change: Change) => boolean) | undefined;
  /**
   * Whether to report `board.reordered` when the order of a board's tickets changes.
   *
   * @defaultValue false
   */
  ticketOrder?: boolean | undefined;
  /**
   * The maximum number of records of any one kind that can disappear from a project or the organization in
   * one sweep. If more records disappear, the cause is probably a wrong token or a broken server, so the sweep
   * fails and reports nothing. To accept the deletions, set a higher limit or `Infinity`.
   *
   * @defaultValue half of the known records, but at least 10
   */
  maxDeletions?: number | undefined;
  /** Returns the time for `observedAt`. Defaults to the system clock. */
  now?: (() => Date) | undefined;
}

/** Options for {@link readChanges}. */
export interface ReadChangesOptions extends FeedOptions {
  /** Stores what has been delivered: `memorySnapshot()`, `fileSnapshot(path)`, or a custom snapshot. */
  snapshot: Snapshot;
  /** Stops the sweep. */
  signal?: AbortSignal | undefined;
}

/** Options for {@link watchChanges}. */
export interface WatchChangesOptions extends ReadChangesOptions {
  /**
   * The time between the end of a sweep and the start of the next, in milliseconds. With `min` and `max`, the
   * time doubles after each sweep that finds no changes, up to `max`. A change resets it to `min`.
   *
   * @defaultValue `{ min: 15_000, max: 240_000 }`
   */
  every?: number | { min: number; max: number } | undefined;
  /**
   * Called after each complete sweep. If it returns a promise, the feed waits until the promise settles or the
   * signal aborts. If it fails, the iteration stops with its error.
   */
  onSweep?: ((sweep: SweepInfo) => unknown) | undefined;
  /**
   * Called when a sweep fails because the API is unavailable or rate-limited. The feed then waits and tries
   * again. Other errors stop the iteration. If the function returns a promise, the feed waits until the promise
   * settles or the signal aborts.
   */
  onError?: ((error: Error) => unknown) | undefined;
}

/** Statistics about a sweep. */
export interface SweepInfo {
  /** The number of records read. */
  records: number;
  /** The number of changes found, excluding ignored changes. */
  changes: number;
  /** The duration in milliseconds. */
  durationMs: number;
  /** The time until the next sweep in milliseconds. */
  nextInMs: number;
  /** Advice on what to do if sweeps take longer than the interval, such as watching fewer projects. */
  hint: string | undefined;
}

export const kinds = ['project', 'board', 'label', 'member', 'ticket', 'document'] as const satisfies Kind[];

export type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

const isPositive = (value: unknown) => typeof value === 'number' && value > 0;

/** The schemas for the options that all feeds accept. */
export const feedOptions = () =>
  ({
    client: clientOption(),
    project: option('a project ID or a list of project IDs', (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isNonEmptyString) : isNonEmptyString(value),
    ),
    include: option(`a list of: ${kinds.join(', ')}`, (value) =>
      Array.isArray(value) ? value.length > 0 && value.every((kind) => kinds.includes(kind)) : false,
    ),
    initial: oneOf(['baseline', 'emit']),
    ignore: fn(),
    ticketOrder: boolean(),
    maxDeletions: nonNegativeIntegerOrInfinity(),
    now: fn(),
  }) satisfies Fields<FeedOptions>;

const readOptions = () =>
  ({
    ...feedOptions(),
    snapshot: requiredOption(
      'a snapshot, such as memorySnapshot()',
      (value) => isObject(value) && isFunction(value.write),
    ),
    signal: abortSignal(),
  }) satisfies Fields<ReadChangesOptions>;

const watchOptions = () =>
  ({
    ...readOptions(),
    every: option('a positive number of milliseconds, or { min, max }', (value) => {
      const { min, max } = isObject(value) ? value : { min: value, max: value };
      return isPositive(min) && isPositive(max) && (min as number) <= (max as number);
    }),
    onSweep: fn(),
    onError: fn(),
  }) satisfies Fields<WatchChangesOptions>;

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkFeedOptions = (schema: OptionsSchema, name: string, options: FeedOptions): void => {
  const fail = (message: string) => new ConfigurationError(`${name}: ${message}`);
  checkOptions(schema, options, { fail });
  const { project, include } = options;
  const inProject = include?.find((kind) => kind !== 'project' && kind !== 'document');
  if (inProject && project === undefined) {
    throw fail(`option "project" is required if "include" contains "${inProject}"`);
  }
};

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkReadOptions = (options: ReadChangesOptions): void =>
  checkFeedOptions(z.strictObject(readOptions()), 'readChanges', options);

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkWatchOptions = (options: WatchChangesOptions): void =>
  checkFeedOptions(z.strictObject(watchOptions()), 'watchChanges', options);
