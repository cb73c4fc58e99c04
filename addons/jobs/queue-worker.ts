import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker, type WorkerOptions } from 'bullmq';
import type * as z from 'zod/mini';
import type { Document, Ticket } from '../../src/contract/index.js';
import {
  ApiError,
  type CallOptions,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  type Worktrack,
  WorktrackError,
} from '../../src/index.js';
import {
  clientOption,
  describeThrown,
  isFunction,
  isNonEmptyString,
  isObject,
  maxMarkPart,
  option,
  positiveInteger,
  requiredOption,
} from '../../src/internal.js';
import { isMarkPart } from './import-options.js';
import {
  checkQueueOptions,
  connectionFields,
  connectionOf,
  optionsWithout,
  type QueueConnection,
} from './queue-connection.js';
import type { RowJob, RowJobResult } from './queue-import.js';
import { SharedMarks } from './queue-marks.js';
import { readMarks } from './reader.js';
import {
  documentKind,
  type RecordKind,
  type SyncedDocument,
  type SyncedTicket,
  ticketKind,
  withMark,
} from './records.js';
import { affectsAllRecords } from './run-control.js';

/** Options for {@link importWorker}. Pass either `toTicket` or `toDocument`. */
export interface ImportWorkerOptions<Row> extends QueueConnection {
  client: Worktrack;
  /**
   * The name of where the rows come from, such as `Jira` (1 to 200 characters). Each record ends with a mark
   * such as `Imported from Jira: APO-123 [7f3k9q2d]`. Use the same name in all workers.
   */
  source: string;
  /** Converts a row to a ticket. If it throws, the row fails. Requires `project`. */
  toTicket?: ((row: Row) => SyncedTicket | Promise<SyncedTicket>) | undefined;
  /** Converts a row to a document. If it throws, the row fails. */
  toDocument?: ((row: Row) => SyncedDocument | Promise<SyncedDocument>) | undefined;
  /** The project ID. If it's omitted for documents, marks are read in the organization. */
  project?: string | undefined;
  /** The organization ID for documents. Defaults to the client's organization. */
  organization?: string | undefined;
  /** The maximum number of rows in progress. @defaultValue 8 */
  concurrency?: number | undefined;
  /**
   * BullMQ's options for the worker, such as `limiter`, which limits all workers together, or `lockDuration`, after
   * which the rows of an unresponsive worker go to another one (30 seconds by default). A row can move 100
   * times, or `maxStalledCount` times.
   */
  workerOptions?: Omit<Partial<WorkerOptions>, (typeof reserved)[number]> | undefined;
}

const reserved = ['connection', 'prefix', 'concurrency', 'removeOnComplete', 'removeOnFail'] as const;

/** A running worker. */
export interface ImportWorker {
  /** BullMQ's worker, for example to listen to its events. */
  readonly bullmq: Worker<RowJob, RowJobResult, string>;
  /**
   * Resolves when the worker is closed. Rejects with the error that stopped it, such as a rejected credential. The
   * row is in the queue again, so fix the cause and start the worker again.
   */
  readonly finished: Promise<void>;
  /** Stops the worker. Requests in flight have five seconds to finish. */
  close(): Promise<void>;
}

/**
 * Starts a worker that creates a record for each row of an import. Run any number of workers on any number of machines.
 * Each worker reads the marks of all records once, and again before it creates a record that an earlier request may
 * have created.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const worker = importWorker<Row>({
 *   name: 'tickets', redis: 'redis://127.0.0.1:6379',
 *   client, project, source: 'Jira',
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 *   workerOptions: { limiter: { max: 10, duration: 1000 } },
 * });
 * process.once('SIGTERM', () => worker.close());
 * await worker.finished;
 * ```
 */
export function importWorker<Row>(options: ImportWorkerOptions<Row>): ImportWorker {
  checkQueueOptions('importWorker', workerFields(options), options);
  const { name, client, source, concurrency = 8, workerOptions } = options;
  const records = recordsOf(options);
  const closing = new AbortController();
  const marks = new SharedMarks(() => readMarks(client, records.scope, { source, signal: closing.signal }));
  let failure: { error: unknown } | undefined;

  async function perform(job: Job<RowJob>, token?: string, signal?: AbortSignal): Promise<RowJobResult> {
    const { key, row, started } = job.data;
    const create = await records.prepare(JSON.parse(row), key).catch((error) => {
      throw new UnrecoverableError(messageOf(error));
    });
    const found = await marks.idOf(key, started).catch((error) => giveUp(job, token, error));
    if (found !== undefined) return { id: found, recovered: true };
    await job.updateData({ key, row, started: true });
    try {
      return { id: await create({ signal }), recovered: false };
    } catch (error) {
      const { outcome } = Object(error) as Partial<WorktrackError>;
      const isInDoubt = outcome === 'unknown' || outcome === 'done';
      await job.updateData({ key, row, ...(isInDoubt && { started: Date.now() }) });
      if (isInDoubt) throw error;
      return giveUp(job, token, error);
    }
  }

  /** Decides what happens to a row after an error that left no record. BullMQ retries other errors. */
  async function giveUp(job: Job<RowJob>, token: string | undefined, error: unknown): Promise<never> {
    if (affectsAllRecords(error)) {
      failure ??= { error };
      void close();
      await job.moveToWait(token);
      throw new WaitingError();
    }
    if (error instanceof RateLimitError) {
      await job.moveToDelayed(Date.now() + (error.retryAfter ?? 10) * 1000, token);
      throw new DelayedError();
    }
    const isRejected = error instanceof ApiError && !(error instanceof ServerError);
    if (isRejected || error instanceof InvalidRequestError || !(error instanceof WorktrackError))
      throw new UnrecoverableError(messageOf(error));
    throw error;
  }

  const { connection, backend } = connectionOf(options);
  const own = { maxStalledCount: 100, ...workerOptions, ...connection, concurrency };
  const worker = new Worker<RowJob, RowJobResult, string>(name, perform, own, ...backend);
  // Without a listener, BullMQ prints each lost connection, although it reconnects.
  worker.on('error', () => {});
  // Another worker may be processing these rows.
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id);
  });
  async function close(): Promise<void> {
    const timer = setTimeout(() => {
      closing.abort();
      worker.cancelAllJobs();
    }, grace);
    await worker.close().finally(() => clearTimeout(timer));
  }
  const finished = new Promise<void>((resolve, reject) => {
    worker.on('closed', () => (failure ? reject(failure.error) : resolve()));
  });
  worker.waitUntilReady().catch((error) => {
    failure ??= { error };
    void close();
  });
  return { bullmq: worker, finished, close };
}

/** The time for requests in flight to finish after a worker is closed, in milliseconds. */
const grace = 5000;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : describeThrown(error);

/** Returns how rows become records. `prepare` converts a row, and returns a function that creates its record. */
function recordsOf<Row>(options: ImportWorkerOptions<Row>) {
  const { client, source, toTicket, toDocument, project = '' } = options;
  const recordsAs = <Payload extends object, Found extends Ticket | Document>(
    kind: RecordKind<Payload, Found>,
    convert: (row: Row) => Payload | Promise<Payload>,
  ) => ({
    scope: kind.scope,
    async prepare(row: Row, key: string) {
      const payload = await convert(row);
      if (!isObject(payload)) throw new TypeError(`a row must be converted to an object (got ${payload})`);
      const body = withMark(kind, payload, { source, key });
      return async (call: CallOptions): Promise<string> => {
        const { id } = await kind.create(body, call);
        if (isNonEmptyString(id)) return id;
        throw Object.assign(new Error('the API created a record without an ID'), { outcome: 'done' });
      };
    },
  });
  return toTicket
    ? recordsAs(ticketKind(client, project), toTicket)
    : recordsAs(documentKind(client, options), toDocument as NonNullable<typeof toDocument>);
}

const workerFields = ({ toTicket }: ImportWorkerOptions<never>) =>
  ({
    ...connectionFields(),
    client: clientOption(),
    source: requiredOption(`a name of 1 to ${maxMarkPart} characters`, isMarkPart),
    toTicket: option('a function', isFunction),
    toDocument: (toTicket ? option : requiredOption)(
      'a function, or omitted if "toTicket" is set',
      (value) => isFunction(value) && !toTicket,
    ),
    project: (toTicket ? requiredOption : option)('an ID', isNonEmptyString),
    organization: option('an ID', (value) => isNonEmptyString(value) && !toTicket),
    concurrency: positiveInteger(),
    workerOptions: optionsWithout(reserved),
  }) satisfies Record<keyof ImportWorkerOptions<never>, z.ZodMiniType>;
