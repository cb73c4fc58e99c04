import * as z from 'zod/mini';
import { ConfigurationError, type Worktrack } from '../../src/index.js';
import {
  abortSignal,
  boolean,
  checkOptions,
  fn,
  isFunction,
  isNonEmptyString,
  isObject,
  isString,
  maxMarkPart,
  nonNegativeInteger,
  option,
  positiveInteger,
  requiredOption,
} from '../../src/internal.js';
import { type Book, memoryBook } from './book.js';
import type { ImportProgress, RowResult } from './import-report.js';
import type { SyncedDocument, SyncedTicket } from './records.js';

/** Options for both kinds of imports. */
export interface ImportOptions<Row> {
  client: Worktrack;
  /**
   * The name of where the rows come from, such as `Jira` (1 to 200 characters). Each record ends with a mark
   * such as `Imported from Jira: APO-123 [7f3k9q2d]`. Use the same name in every run.
   */
  source: string;
  /** The rows to import. Rows are read only as fast as they can be imported. */
  rows: Iterable<Row> | AsyncIterable<Row>;
  /**
   * Returns the row's key, such as the ID in the old tracker (1 to 200 characters). The key must be unique in
   * the source and the same in every run.
   */
  key: (row: Row, index: number) => string;
  /**
   * Remembers what was imported, so that the next run skips it. Pass `sqliteBook(path)` to continue after a
   * crash without a complete read of the records that are done.
   *
   * @defaultValue `memoryBook()`
   */
  book?: Book | undefined;
  /** The maximum number of rows in progress. @defaultValue 8 */
  concurrency?: number | undefined;
  /**
   * Whether each record ends with a mark that contains its key. Without marks, an import only promises to
   * create each row at least once: if a response is lost, it creates the record again and reports the row.
   *
   * @defaultValue true
   */
  mark?: boolean | undefined;
  /**
   * How long to wait for lost requests to take effect and appear in lists before the marks are read, in
   * milliseconds. @defaultValue 2000
   */
  settleDelay?: number | undefined;
  /**
   * How long the API can be unavailable before the import stops, in milliseconds. Waits for rate limits don't
   * count. @defaultValue 600000
   */
  maxOutage?: number | undefined;
  /** Stops the import. Requests in flight have five seconds to finish. */
  signal?: AbortSignal | undefined;
  /** Called after each row and before each wait. */
  onProgress?: ((progress: ImportProgress) => unknown) | undefined;
  /** Called with the result of each row. */
  onRow?: ((result: RowResult<Row>) => unknown) | undefined;
}

/** Options for {@link importTickets}. */
export interface ImportTicketsOptions<Row> extends ImportOptions<Row> {
  /** The project ID. */
  project: string;
  /** Converts a row to a ticket. If it throws, the row fails. */
  toTicket: (row: Row) => SyncedTicket | Promise<SyncedTicket>;
}

/** Options for {@link importDocuments}. */
export interface ImportDocumentsOptions<Row> extends ImportOptions<Row> {
  /** The organization ID. Defaults to the client's organization. */
  organization?: string | undefined;
  /** The ID of the project that the documents belong to. If omitted, marks are read in the organization. */
  project?: string | undefined;
  /** Converts a row to a document. If it throws, the row fails. */
  toDocument: (row: Row) => SyncedDocument | Promise<SyncedDocument>;
}

/** Valid options, with defaults applied. */
export type ImportSettings<Row> = ReturnType<typeof withDefaults<Row>>;

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

const requiredFunction = () => requiredOption('a function', isFunction);
const requiredId = () => requiredOption('an ID', isNonEmptyString);
const optionalId = () => option('an ID', isNonEmptyString);

export const jobFields = () => ({
  client: requiredOption('a client', (value) => isObject(Object(value).tickets)),
  source: requiredOption(`a name of 1 to ${maxMarkPart} characters`, isMarkPart),
  rows: requiredOption('an iterable or an async iterable', isIterable),
  key: requiredFunction(),
  book: option('a book, such as sqliteBook(path)', (value) => isObject(value) && isFunction(value.put)),
  concurrency: positiveInteger(),
  settleDelay: nonNegativeInteger(),
  maxOutage: nonNegativeInteger(),
  signal: abortSignal(),
  onProgress: fn(),
  onRow: fn(),
});

const ticketOptions = () =>
  z.strictObject({
    ...jobFields(),
    mark: boolean(),
    project: requiredId(),
    toTicket: requiredFunction(),
  } satisfies Fields<ImportTicketsOptions<unknown>>);

const documentOptions = () =>
  z.strictObject({
    ...jobFields(),
    mark: boolean(),
    organization: optionalId(),
    project: optionalId(),
    toDocument: requiredFunction(),
  } satisfies Fields<ImportDocumentsOptions<unknown>>);

export const isMarkPart = (value: unknown): boolean =>
  isString(value) && value !== '' && value.length <= maxMarkPart && !/\p{Surrogate}/u.test(value);

function isIterable(value: unknown): boolean {
  const object = Object(value);
  return isFunction(object[Symbol.asyncIterator]) || isFunction(object[Symbol.iterator]);
}

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export function importSettings<Row>(
  kind: 'ticket' | 'document',
  options: ImportOptions<Row>,
): ImportSettings<Row> {
  const [name, schema] =
    kind === 'ticket' ? ['importTickets', ticketOptions()] : ['importDocuments', documentOptions()];
  checkOptions(schema, options, { fail: (message) => new ConfigurationError(`${name}: ${message}`) });
  return withDefaults(options);
}

const withDefaults = <Row>(options: ImportOptions<Row>) => ({
  ...options,
  book: options.book ?? memoryBook(),
  concurrency: options.concurrency ?? 8,
  mark: options.mark ?? true,
  settleDelay: options.settleDelay ?? 2000,
  maxOutage: options.maxOutage ?? 600_000,
});
