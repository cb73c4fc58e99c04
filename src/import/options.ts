import { ConfigurationError } from '../errors/index.js';
import { didYouMean } from '../shared/did-you-mean.js';
import type { Ledger } from './ledger.js';
import type { ImportProgress } from './report.js';
import type { ImportTarget } from './target.js';

/** How an import runs. */
export interface RunImportOptions<Row> {
  /** The rows, in the order in which they are created. They are read only as fast as they are created. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** The row's key, unique in the import and the same in every run: an id in the old tracker, or the row's number. */
  key: (row: Row, index: number) => string;
  /** What is created. */
  // biome-ignore lint/suspicious/noExplicitAny: the payload and the record are the target's own business
  target: ImportTarget<Row, any, any>;
  /** Remembers what has become of each row. */
  ledger: Ledger;
  /** Rows in work at the same time. With 1, records are created in the order of the rows. @defaultValue 8 */
  concurrency?: number | undefined;
  /** Stops the import: no row is started any more, and requests in flight get five seconds to end. */
  signal?: AbortSignal | undefined;
  /** Called after each row, and after each pause. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
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

const names = [
  'rows',
  'key',
  'target',
  'ledger',
  'concurrency',
  'signal',
  'onProgress',
  'retry',
  'lookupDelay',
  'lookupTolerance',
];

/** @throws ConfigurationError for an option that is unknown, missing or invalid */
export function importSettings<Row>(options: RunImportOptions<Row>): ImportSettings {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) fail(`unknown option "${name}"; ${didYouMean(name, names)}`);
  }
  const { rows, key, ledger, signal, onProgress } = options;
  const isIterable = Object(rows)[Symbol.asyncIterator] || Object(rows)[Symbol.iterator];
  if (!isIterable) fail('option "rows" must be an iterable or an async iterable');
  if (typeof key !== 'function') fail('option "key" must be a function');
  if (typeof ledger?.claim !== 'function')
    fail('option "ledger" must be a ledger, for example memoryLedger()');
  if (signal !== undefined && !(signal instanceof AbortSignal))
    fail('option "signal" must be an AbortSignal');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    fail('option "onProgress" must be a function');
  return stepSettings(options);
}

/** The settings that every way of importing has. */
export function stepSettings(
  options: Pick<RunImportOptions<never>, 'concurrency' | 'retry' | 'lookupDelay' | 'lookupTolerance'>,
): ImportSettings {
  const { concurrency = 8, lookupDelay = 2000, lookupTolerance = 300_000, retry = {} } = options;
  const { attempts = 8, delay = 500, maxDelay = 30_000 } = retry;
  const from = (least: number, name: string, value: unknown) => {
    if (!Number.isInteger(value) || (value as number) < least) {
      fail(`option "${name}" must be an integer of at least ${least} (got ${String(value)})`);
    }
  };
  from(1, 'concurrency', concurrency);
  from(0, 'lookupDelay', lookupDelay);
  from(0, 'lookupTolerance', lookupTolerance);
  from(1, 'retry.attempts', attempts);
  from(0, 'retry.delay', delay);
  from(0, 'retry.maxDelay', maxDelay);
  return { concurrency, lookupDelay, lookupTolerance, retry: { attempts, delay, maxDelay } };
}

function fail(message: string): never {
  throw new ConfigurationError(`import: ${message}`);
}
