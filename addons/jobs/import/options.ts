import * as z from 'zod/mini';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  abortSignal,
  checkOptions,
  fn,
  isFunction,
  isString,
  nonNegativeInteger,
  nonNegativeIntegerOrInfinity,
  type OptionsSchema,
  oneOf,
  option,
  positiveInteger,
  requiredFn,
  requiredOption,
} from '../../../src/option-schema.js';
import { isObject } from '../../../src/shared/json.js';
import type { Ledger } from './ledger.js';
import type { ImportProgress, UnresolvedRow } from './report.js';
import type { ConflictWinner, FieldConflict } from './sync/fields.js';
import { isWrite, type SavedSyncPlan, type SyncOperation } from './sync/operation.js';
import type { SyncPolicy } from './sync/task.js';
import type { ImportTarget } from './target.js';

/** Options for {@link runImport}. */
export interface RunImportOptions<Row> extends AttemptOptions<Row> {
  /** The rows to import, in order. Rows are read only as fast as they can be imported. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /**
   * Returns the row's key, such as the ID in the old tracker or the row number. The key must be unique in the
   * import and the same in every run.
   */
  key: (row: Row, index: number) => string;
  /** Stores the state of each row. */
  ledger: Ledger;
  /**
   * What to do with rows that have changed since they were imported. `report` counts them. `update` updates
   * their records, as `syncTickets` does. If a field also changed in the record, it's reported as a conflict.
   *
   * @defaultValue `'report'`
   */
  onChange?: 'report' | 'update' | undefined;
  /** Stops the import. In-flight requests get five seconds to finish. */
  signal?: AbortSignal | undefined;
  /** Called after each row, and before each wait for a retry or rate limit. */
  onProgress?: ((progress: ImportProgress) => unknown) | undefined;
  /** Called for each row that failed or is in doubt. The report contains only the first 1,000 of each. */
  onUnresolved?: ((row: UnresolvedRow<Row>) => unknown) | undefined;
}

/** Options for {@link syncTickets}, {@link syncDocuments}, and {@link planSync}. */
export interface SyncOptions {
  /**
   * What to do if a field changed in both the source and the record since the last sync:
   *
   * - `report` doesn't write the field, and reports the conflict on every run.
   * - `source` overwrites the record.
   * - `target` keeps the record's value.
   *
   * The option also applies if a row is missing from the source and its record was edited.
   *
   * @defaultValue `'report'`
   */
  onConflict?: ConflictWinner | ((conflict: FieldConflict & { key: string }) => ConflictWinner) | undefined;
  /** What to do if a row's record was deleted. @defaultValue `'report'` */
  onGone?: 'report' | 'recreate' | undefined;
  /**
   * What to do with a record whose row is missing from the source. Applied only after the entire source has
   * been read. If the row returns later, its record is unarchived or re-created.
   *
   * @defaultValue `'keep'`
   */
  onMissing?: 'keep' | 'archive' | 'delete' | undefined;
  /**
   * The maximum number of missing rows. If more rows are missing, the source is probably incomplete, so
   * nothing is archived or deleted. Doesn't count rows whose records were kept by an earlier sync.
   *
   * @defaultValue 10% of the rows that have a record, but at least 10
   */
  maxRemovals?: number | undefined;
  /**
   * A plan that was saved with `JSON.stringify(plan)`. Only the operations in the plan are performed. Rows
   * that no longer match the plan, or whose planned operations no longer apply, are reported as `stale`.
   */
  reviewedPlan?: SavedSyncPlan | undefined;
}

/** Options for a sync with a given target. */
export interface RunSyncOptions<Row> extends Omit<RunImportOptions<Row>, 'onChange'>, SyncOptions {}

/** Validated sync options, with defaults applied. */
export interface SyncSettings extends SyncPolicy {
  onMissing: 'keep' | 'archive' | 'delete';
  maxRemovals: number | undefined;
  /** The writes in the reviewed plan, by key. */
  reviewed: ReadonlyMap<string, SyncOperation> | undefined;
}

/** Options shared by `runImport` and `createImportWorker`. */
export interface AttemptOptions<Row> {
  /** What to create: `ticketTarget(…)`, `documentTarget(…)`, or a custom target. */
  // biome-ignore lint/suspicious/noExplicitAny: each target has its own payload and record types
  target: ImportTarget<Row, any, any>;
  /**
   * The maximum number of rows in progress. With a limit of 1, `runImport` creates records in row order.
   * @defaultValue 8
   */
  concurrency?: number | undefined;
  /** How rows are retried while the API is unavailable. Uses exponential backoff. */
  retry?: ImportRetry | undefined;
  /**
   * The delay between a lost response and the search for the record, in milliseconds. Your server's search
   * must find new records within this time. @defaultValue 2000
   */
  lookupDelay?: number | undefined;
  /**
   * The maximum difference between your servers' clocks, in milliseconds. A record isn't assigned to a row if
   * it predates the row's start by more than this value. If it's up to 20 hours older than that, it's
   * reported as a candidate. @defaultValue 5000
   */
  maxClockSkew?: number | undefined;
}

/**
 * How rows are retried after temporary errors. Retries don't count while the API is rate-limited. They also
 * don't count while it's unavailable, if it was available earlier in the run.
 */
export interface ImportRetry {
  /** The maximum number of retries for each row in a run. @defaultValue 7 */
  limit?: number | undefined;
  /**
   * The delay before the second attempt, in milliseconds. It doubles after each attempt. The actual wait is
   * shortened by a random amount of up to 50%. @defaultValue 500
   */
  delay?: number | undefined;
  /** The maximum delay, in milliseconds. @defaultValue 30000 */
  maxDelay?: number | undefined;
}

/** Validated import options, with defaults applied. */
export interface ImportSettings {
  concurrency: number;
  retry: Required<{ [Name in keyof ImportRetry]: number }>;
  lookupDelay: number;
  maxClockSkew: number;
  /**
   * How long to wait between re-creating a row and the last search for its first record, in milliseconds. If
   * the search finds that record, the import reports it.
   */
  lastSearchDelay: number;
}

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

export const attemptFields = () =>
  ({
    target: requiredOption(
      'a target, such as ticketTarget(…)',
      (value) => isObject(value) && isFunction(value.create),
    ),
    concurrency: positiveInteger(),
    retry: z.optional(retryOptions()),
    lookupDelay: nonNegativeInteger(),
    maxClockSkew: nonNegativeInteger(),
  }) satisfies Fields<AttemptOptions<unknown>>;

const retryOptions = () =>
  z.strictObject({
    limit: nonNegativeInteger(),
    delay: nonNegativeInteger(),
    maxDelay: nonNegativeInteger(),
  } satisfies Fields<ImportRetry>);

const runOptions = () =>
  z.strictObject({
    ...attemptFields(),
    rows: requiredOption('an iterable or an async iterable', isIterable),
    key: requiredFn(),
    ledger: requiredOption(
      'a ledger, such as memoryLedger()',
      (value) => isObject(value) && isFunction(value.claim),
    ),
    signal: abortSignal(),
    onProgress: fn(),
    onUnresolved: fn(),
    onChange: oneOf(['report', 'update']),
  } satisfies Fields<RunImportOptions<unknown>>);

const syncOptions = () =>
  z.strictObject({
    onConflict: option(
      'one of: report, source, target, or a function',
      (value) => isFunction(value) || ['report', 'source', 'target'].includes(value as string),
    ),
    onGone: oneOf(['report', 'recreate']),
    onMissing: oneOf(['keep', 'archive', 'delete']),
    maxRemovals: nonNegativeIntegerOrInfinity(),
    reviewedPlan: option('a plan saved with JSON.stringify(plan)', isSavedPlan),
  } satisfies Fields<SyncOptions>);

const isSavedPlan = (value: unknown) =>
  isObject(value) &&
  value.version === 1 &&
  Array.isArray(value.operations) &&
  value.operations.every((operation) => isString(Object(operation).key));

function isIterable(value: unknown): boolean {
  const object = Object(value);
  return isFunction(object[Symbol.asyncIterator]) || isFunction(object[Symbol.iterator]);
}

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export function importSettings<Row>(options: RunImportOptions<Row>): ImportSettings {
  checkImportOptions(runOptions(), options);
  return attemptSettings(options);
}

/** @throws ConfigurationError if an option is invalid, or the target doesn't support updates */
export function syncSettings<Row>(options: RunImportOptions<Row> & SyncOptions): SyncSettings {
  const { onConflict = 'report', onGone = 'report', onMissing = 'keep', maxRemovals, reviewedPlan } = options;
  checkImportOptions(syncOptions(), { onConflict, onGone, onMissing, maxRemovals, reviewedPlan });
  const { target } = options;
  if (!target.updates)
    throw new ConfigurationError('sync: option "target" must have "updates", as ticketTarget(…) does');
  if (reviewedPlan && reviewedPlan.scope !== target.scope) {
    throw new ConfigurationError(
      `sync: the reviewed plan is for "${reviewedPlan.scope}", not for "${target.scope}"`,
    );
  }
  // A plan contains at most one write per key, but it can also list failed rows with the same key.
  const writes = reviewedPlan?.operations.filter(isWrite);
  const reviewed = writes && new Map(writes.map((operation) => [operation.key, operation]));
  return { onConflict, onGone, onMissing, maxRemovals, reviewed };
}

/** Applies the defaults for the options shared by `runImport` and `createImportWorker`. */
export function attemptSettings({
  concurrency = 8,
  lookupDelay = 2000,
  maxClockSkew = 5000,
  retry: { limit = 7, delay = 500, maxDelay = 30_000 } = {},
}: Omit<AttemptOptions<never>, 'target'>): ImportSettings {
  const lastSearchDelay = Math.max(1000, 5 * lookupDelay);
  return { concurrency, lookupDelay, maxClockSkew, lastSearchDelay, retry: { limit, delay, maxDelay } };
}

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export const checkImportOptions = (schema: OptionsSchema, options: unknown): void =>
  checkOptions(schema, options, { fail: (message) => new ConfigurationError(`import: ${message}`) });
