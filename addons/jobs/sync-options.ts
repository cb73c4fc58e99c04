import * as z from 'zod/mini';
import { ConfigurationError } from '../../src/index.js';
import {
  checkOptions,
  isFunction,
  isNonEmptyString,
  isObject,
  isString,
  nonNegativeInteger,
  option,
  requiredOption,
} from '../../src/internal.js';
import type { Book } from './book.js';
import { type ImportOptions, jobFields } from './import-options.js';
import type { SyncedDocument, SyncedTicket } from './records.js';
import type { ConflictPolicy } from './sync-decide.js';
import type { SyncPlan, SyncProgress } from './sync-report.js';

/** Options for both kinds of syncs. */
export interface SyncOptions<Row> extends Omit<ImportOptions<Row>, 'book' | 'mark' | 'onProgress' | 'onRow'> {
  /**
   * Remembers what the sync sent and what the server stored. To continue an import, use its book. If a book is
   * lost, records are recognized by their marks, and fields that differ are reported as conflicts if a person
   * may have changed them.
   */
  book: Book;
  /**
   * What to do if a field changed in both the source and the record since the last sync:
   *
   * - `report` writes nothing, and reports the conflict on every run.
   * - `source` overwrites the record.
   * - `target` keeps the record's value.
   *
   * The option also applies to edited records whose rows are missing from the source.
   *
   * @defaultValue `'report'`
   */
  onConflict?: ConflictPolicy | undefined;
  /** What to do if someone else deleted a row's record. @defaultValue `'report'` */
  onGone?: 'report' | 'recreate' | undefined;
  /**
   * What to do with records whose rows are missing after the source was read to its end without an error. If
   * a row returns, its record is unarchived or created again.
   *
   * @defaultValue `'keep'`
   */
  onMissing?: 'keep' | 'archive' | 'delete' | undefined;
  /**
   * The maximum number of records that a run archives or deletes because their rows are missing. If there are
   * more, the source is probably incomplete, so none are removed.
   *
   * @defaultValue 10% of the records before the run, but at least 10
   */
  maxRemovals?: number | undefined;
  /**
   * A plan from {@link planSync}. Only its operations are performed. Operations that no longer fit the source
   * and the records are reported as stale.
   */
  plan?: SyncPlan | undefined;
  /** Called after each row and before each wait. */
  onProgress?: ((progress: SyncProgress) => unknown) | undefined;
}

/** Options for {@link syncTickets}. */
export interface SyncTicketsOptions<Row> extends SyncOptions<Row> {
  /** The project ID. */
  project: string;
  /** Converts a row to a ticket. If it throws, the row fails. Fields that it omits aren't changed. */
  toTicket: (row: Row) => SyncedTicket | Promise<SyncedTicket>;
}

/** Options for {@link syncDocuments}. */
export interface SyncDocumentsOptions<Row> extends SyncOptions<Row> {
  /** The organization ID. Defaults to the client's organization. */
  organization?: string | undefined;
  /** The ID of the project that the documents belong to. If omitted, they can belong to any project or none. */
  project?: string | undefined;
  /** Converts a row to a document. If it throws, the row fails. Fields that it omits aren't changed. */
  toDocument: (row: Row) => SyncedDocument | Promise<SyncedDocument>;
}

/** Valid options, with defaults applied. */
export type SyncSettings<Row> = ReturnType<typeof withDefaults<Row>>;

type Fields<Options> = Record<keyof Options, z.ZodMiniType>;

const requiredFunction = () => requiredOption('a function', isFunction);
const optionalId = () => option('an ID', isNonEmptyString);

function syncFields() {
  const { onRow: _, ...shared } = jobFields();
  return {
    ...shared,
    book: requiredOption(
      'a book, such as sqliteBook(path)',
      (value) => isObject(value) && isFunction(value.put),
    ),
    onConflict: oneOf(['report', 'source', 'target']),
    onGone: oneOf(['report', 'recreate']),
    onMissing: oneOf(['keep', 'archive', 'delete']),
    maxRemovals: nonNegativeInteger(),
    plan: option('a plan from planSync', isPlan),
  } satisfies Fields<SyncOptions<unknown>>;
}

const oneOf = (values: readonly string[]) =>
  option(`one of: ${values.join(', ')}`, (value) => values.includes(value as string));

const ticketOptions = () =>
  z.strictObject({
    ...syncFields(),
    project: requiredOption('an ID', isNonEmptyString),
    toTicket: requiredFunction(),
  } satisfies Fields<SyncTicketsOptions<unknown>>);

const documentOptions = () =>
  z.strictObject({
    ...syncFields(),
    organization: optionalId(),
    project: optionalId(),
    toDocument: requiredFunction(),
  } satisfies Fields<SyncDocumentsOptions<unknown>>);

const isPlan = (value: unknown): boolean =>
  isObject(value) &&
  value.version === 1 &&
  isString(value.scope) &&
  Array.isArray(value.operations) &&
  value.operations.every((operation) => {
    const { key, type, source, digest } = Object(operation);
    return [key, type, source, digest].every(isString);
  });

/**
 * @param name the name of the function in error messages
 * @throws ConfigurationError if an option is unknown, missing, or invalid
 */
export function syncSettings<Row>(
  name: string,
  options: SyncTicketsOptions<Row> | SyncDocumentsOptions<Row>,
): SyncSettings<Row> {
  const schema = 'toDocument' in Object(options) ? documentOptions() : ticketOptions();
  checkOptions(schema, options, { fail: (message) => new ConfigurationError(`${name}: ${message}`) });
  return withDefaults(options);
}

const withDefaults = <Row>(options: SyncOptions<Row>) => ({
  ...options,
  concurrency: options.concurrency ?? 8,
  settleDelay: options.settleDelay ?? 2000,
  maxOutage: options.maxOutage ?? 600_000,
  onConflict: options.onConflict ?? 'report',
  onGone: options.onGone ?? 'report',
  onMissing: options.onMissing ?? 'keep',
});
