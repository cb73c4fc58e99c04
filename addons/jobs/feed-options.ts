import * as z from 'zod/mini';
import { ConfigurationError, type Worktrack } from '../../src/index.js';
import {
  abortSignal,
  checkOptions,
  clientOption,
  fn,
  isFunction,
  isNonEmptyString,
  isObject,
  nonNegativeIntegerOrInfinity,
  oneOf,
  option,
  positiveDuration,
  requiredOption,
} from '../../src/internal.js';
import type { Book } from './book.js';
import { type Kind, kinds } from './watched-fields.js';

/** Options for {@link readChanges}. */
export interface ReadChangesOptions {
  /** The client. Its credential needs the read scopes for the watched records. */
  client: Worktrack;
  /**
   * The IDs of the projects to watch. If omitted, the feed watches the organization's projects and documents.
   */
  project?: string | readonly string[] | undefined;
  /**
   * The kinds of records to watch. If you include documents, the feed watches all documents in the
   * organization. The feed reports the loss of a watched project even if you don't include projects.
   *
   * @defaultValue `['project', 'board', 'label', 'member', 'ticket']` if `project` is set, otherwise
   * `['project', 'document']`
   */
  include?: readonly Kind[] | undefined;
  /** Stores what has been delivered: `memoryBook()`, `sqliteBook(path)`, or another book. */
  book: Book;
  /**
   * What to do with existing records on the first run: `baseline` only stores them, and `emit` reports them
   * as created.
   *
   * @defaultValue `'baseline'`
   */
  initial?: 'baseline' | 'emit' | undefined;
  /**
   * The maximum number of records of any one kind that can disappear from a project or the organization in
   * one sweep. If more records disappear, the cause is probably a wrong token or a broken server, so the sweep
   * fails and reports nothing. To accept the deletions, set a higher limit or `Infinity`.
   *
   * @defaultValue half of the known records, but at least 10
   */
  maxDeletions?: number | undefined;
  /** Stops the sweep. */
  signal?: AbortSignal | undefined;
}

/** Options for {@link watchChanges}. */
export interface WatchChangesOptions extends ReadChangesOptions {
  /**
   * The time between the end of a sweep and the start of the next, in milliseconds.
   *
   * @defaultValue 15 seconds after a change. The time doubles after each sweep that finds no changes, up to
   * four minutes.
   */
  every?: number | undefined;
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
  /** The number of changes found. */
  changes: number;
  /** The duration in milliseconds. If it's longer than `every`, watch fewer records or increase `every`. */
  durationMs: number;
  /** The time until the next sweep in milliseconds. */
  nextInMs: number;
}

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkReadOptions = (options: ReadChangesOptions): void =>
  check('readChanges', z.strictObject(readOptions()), options);

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkWatchOptions = (options: WatchChangesOptions): void =>
  check('watchChanges', z.strictObject(watchOptions()), options);

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

const readOptions = () =>
  ({
    client: clientOption(),
    project: option('a project ID or a list of project IDs', (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isNonEmptyString) : isNonEmptyString(value),
    ),
    include: option(
      `a list of: ${kinds.join(', ')}`,
      (value) => Array.isArray(value) && value.length > 0 && value.every((kind) => kinds.includes(kind)),
    ),
    book: requiredOption(
      'a book, such as memoryBook()',
      (value) => isObject(value) && isFunction(value.entries),
    ),
    initial: oneOf(['baseline', 'emit']),
    maxDeletions: nonNegativeIntegerOrInfinity(),
    signal: abortSignal(),
  }) satisfies Fields<ReadChangesOptions>;

export const watchOptions = () =>
  ({
    ...readOptions(),
    every: positiveDuration(),
    onSweep: fn(),
    onError: fn(),
  }) satisfies Fields<WatchChangesOptions>;

function check(name: string, schema: Parameters<typeof checkOptions>[0], options: ReadChangesOptions): void {
  const fail = (message: string) => new ConfigurationError(`${name}: ${message}`);
  checkOptions(schema, options, { fail });
  const { project, include } = options;
  const inProject = include?.find((kind) => kind !== 'project' && kind !== 'document');
  if (inProject && project === undefined) {
    throw fail(`option "project" is required if "include" contains "${inProject}"`);
  }
}
