import * as z from 'zod/mini';
import { lazy } from '../contract/lazy.js';
import { ConfigurationError } from '../errors/index.js';
import {
  abortSignal,
  fn,
  isFunction,
  isObject,
  nonNegativeInteger,
  type OptionsSchema,
  positiveInteger,
  requiredFn,
  requiredOption,
} from '../shared/option-types.js';
import { checkOptions } from '../shared/options.js';
import type { Ledger } from './ledger.js';
import type { ImportProgress } from './report.js';
import type { ImportTarget } from './target.js';

/** How an import runs. */
export interface RunImportOptions<Row> extends StepOptions<Row> {
  /** The rows, in the order in which they are created. They are read only as fast as they are created. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** The row's key, unique in the import and the same in every run: an id in the old tracker, or the row's number. */
  key: (row: Row, index: number) => string;
  /** Remembers what has become of each row. */
  ledger: Ledger;
  /** Stops the import: no row is started any more, and requests in flight get five seconds to end. */
  signal?: AbortSignal | undefined;
  /** Called after each row, and after each pause. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Options that imports on one machine and on many have in common. */
export interface StepOptions<Row> {
  /** What is created: `ticketTarget(…)`, `documentTarget(…)`, or a target of your own. */
  // biome-ignore lint/suspicious/noExplicitAny: the payload and the record are the target's own business
  target: ImportTarget<Row, any, any>;
  /** Rows in work at the same time. With 1, records are created in the order of the rows. @defaultValue 8 */
  concurrency?: number | undefined;
  /** Attempts per row while the API is unavailable, waiting twice as long each time. */
  retry?: ImportRetry | undefined;
  /**
   * Milliseconds between a lost response and the search for its record. Set it to how long your server
   * takes to show a new record in searches. @defaultValue 2000
   */
  lookupDelay?: number | undefined;
  /**
   * Milliseconds that the server's clocks may differ from each other: records created longer than that
   * before a row was started are never taken for the row's. @defaultValue 300000
   */
  lookupTolerance?: number | undefined;
}

/** How rows are tried again after errors that may pass. Waiting for a rate limit isn't counted. */
export interface ImportRetry {
  /** Attempts per row and run. @defaultValue 8 */
  attempts?: number | undefined;
  /** Milliseconds before the second attempt. @defaultValue 500 */
  delay?: number | undefined;
  /** The longest wait, in milliseconds. @defaultValue 30000 */
  maxDelay?: number | undefined;
}

/** Options of an import, checked and complete. */
export interface ImportSettings {
  concurrency: number;
  retry: Required<{ [Name in keyof ImportRetry]: number }>;
  lookupDelay: number;
  lookupTolerance: number;
}

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

export const stepFields = lazy(
  () =>
    ({
      target: requiredOption(
        'a target, such as ticketTarget(…)',
        (value) => isObject(value) && isFunction((value as ImportTarget<unknown>).create),
      ),
      concurrency: positiveInteger(),
      retry: z.optional(retryOptions()),
      lookupDelay: nonNegativeInteger(),
      lookupTolerance: nonNegativeInteger(),
    }) satisfies Fields<StepOptions<unknown>>,
);

const retryOptions = lazy(() =>
  z.strictObject({
    attempts: positiveInteger(),
    delay: nonNegativeInteger(),
    maxDelay: nonNegativeInteger(),
  } satisfies Fields<ImportRetry>),
);

const runOptions = lazy(() =>
  z.strictObject({
    ...stepFields(),
    rows: requiredOption('an iterable or an async iterable', isIterable),
    key: requiredFn(),
    ledger: requiredOption(
      'a ledger, such as memoryLedger()',
      (value) => isObject(value) && isFunction((value as Ledger).claim),
    ),
    signal: abortSignal(),
    onProgress: fn(),
  } satisfies Fields<RunImportOptions<unknown>>),
);

function isIterable(value: unknown): boolean {
  const object = Object(value);
  return isFunction(object[Symbol.asyncIterator]) || isFunction(object[Symbol.iterator]);
}

/** @throws ConfigurationError for an option that is unknown, missing or invalid */
export function importSettings<Row>(options: RunImportOptions<Row>): ImportSettings {
  checkImportOptions(runOptions(), options);
  return stepSettings(options);
}

/** Sets the defaults of the options that imports on one machine and on many have in common. */
export function stepSettings({
  concurrency = 8,
  lookupDelay = 2000,
  lookupTolerance = 300_000,
  retry: { attempts = 8, delay = 500, maxDelay = 30_000 } = {},
}: Omit<StepOptions<never>, 'target'>): ImportSettings {
  return { concurrency, lookupDelay, lookupTolerance, retry: { attempts, delay, maxDelay } };
}

/** @throws ConfigurationError for an option that is unknown, missing or invalid */
export const checkImportOptions = (schema: OptionsSchema, options: unknown): void =>
  checkOptions(schema, options, { fail: (message) => new ConfigurationError(`import: ${message}`) });
