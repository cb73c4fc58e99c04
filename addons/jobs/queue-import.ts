import { type JobsOptions, Queue } from 'bullmq';
import type * as z from 'zod/mini';
import type { Worktrack } from '../../src/index.js';
import { quote } from '../../src/internal.js';
import { isMarkPart } from './import-options.js';
import type { DuplicateRow } from './import-report.js';
import {
  checkQueueOptions,
  connectionFields,
  connectionOf,
  optionsWithout,
  type QueueConnection,
} from './queue-connection.js';
import { readMarks } from './reader.js';
import { digestOfJson, type RecordScope } from './records.js';

/** Options for {@link importQueue}. */
export interface ImportQueueOptions extends QueueConnection {
  /**
   * BullMQ's options for each row. The backoff is also the time that a lost request has to take effect before a
   * worker looks for its record. If it's longer than 10 seconds, rows with lost responses can share a read of the
   * marks.
   *
   * @defaultValue 9 attempts with an exponential backoff from 15 seconds, which takes about an hour
   */
  jobOptions?: Omit<JobsOptions, (typeof reserved)[number]> | undefined;
}

/** Job options that would add a row twice, or forget which rows are done. */
const reserved = ['jobId', 'removeOnComplete', 'removeOnFail', 'deduplication', 'repeat'] as const;

/** An import's queue. */
export interface ImportQueue<Row> {
  /** BullMQ's queue, for example to count, list, retry, pause, or delete the rows. */
  readonly bullmq: Queue<RowJob, RowJobResult, string>;
  /**
   * Adds rows. Ignores rows whose keys are in the queue already, so you can add all rows again after a crash.
   *
   * @param options `key`: returns the row's key, such as the ID in the old tracker (1 to 200 characters). The
   * key must be unique in the source and the same in every run.
   * @throws TypeError if a key is invalid; the rows before it may have been added
   */
  add(
    rows: Iterable<Row> | AsyncIterable<Row>,
    options: { key: (row: Row, index: number) => string },
  ): Promise<AddedRows>;
  /** Reads all records once, and returns the rows that have several. Call it after the last row is done. */
  findDuplicates(options: RecordScope & { client: Worktrack; source: string }): Promise<DuplicateRow[]>;
  close(): Promise<void>;
}

/** The result of adding rows. */
export interface AddedRows {
  /** The number of these rows that are in the queue now. */
  rows: number;
  /** The keys of rows that weren't added because an earlier row in the same call has the same key. */
  repeatedKeys: string[];
}

/** The data of a row's job. */
export interface RowJob {
  key: string;
  /** The row as JSON. It's a string because Postgres can't store all strings in a JSON value. */
  row: string;
  /**
   * Set if a request may have created the row's record: `true` from just before the request, and the time in
   * milliseconds since 1970 if the request failed with an unknown outcome.
   */
  started?: true | number;
}

/** The result of a row's job. */
export interface RowJobResult {
  /** The ID of the row's record. */
  id: string;
  /** Whether the record existed, and was recognized by its mark. */
  recovered: boolean;
}

/**
 * Opens the queue of an import that runs on several machines.
 *
 * @throws ConfigurationError if an option is unknown or invalid
 *
 * @example
 * ```ts
 * const queue = importQueue<Row>({ name: 'tickets', redis: 'redis://127.0.0.1:6379' });
 * await queue.add(rows, { key: (row) => row.id });
 * ```
 */
export function importQueue<Row>(options: ImportQueueOptions): ImportQueue<Row> {
  const fields = { ...connectionFields(), jobOptions: optionsWithout(reserved) };
  checkQueueOptions('importQueue', fields satisfies Record<keyof ImportQueueOptions, z.ZodMiniType>, options);
  const { connection, backend } = connectionOf(options);
  const queue = new Queue<RowJob, RowJobResult, string>(options.name, connection, ...backend);
  // Without a listener, BullMQ prints each lost connection, although it reconnects.
  queue.on('error', () => {});
  const jobOptions = { ...defaults, ...options.jobOptions };
  return {
    bullmq: queue,
    async add(rows, { key }) {
      const seen = new Set<string>();
      const repeatedKeys: string[] = [];
      let jobs: Parameters<typeof queue.addBulk>[0] = [];
      for await (const row of rows) {
        const data = { key: checkKey(key(row, seen.size + repeatedKeys.length)), row: JSON.stringify(row) };
        const jobId = rowJobId(data.key);
        if (seen.has(jobId)) repeatedKeys.push(data.key);
        else jobs.push({ name: 'row', data, opts: { ...jobOptions, jobId } });
        seen.add(jobId);
        if (jobs.length < batchSize) continue;
        await queue.addBulk(jobs);
        jobs = [];
      }
      await queue.addBulk(jobs);
      return { rows: seen.size, repeatedKeys };
    },
    async findDuplicates({ client, source, ...scope }) {
      const duplicates: DuplicateRow[] = [];
      for (const [key, ids] of (await readMarks(client, scope, { source })).byKey) {
        if (ids.length < 2) continue;
        const result = (await queue.getJob(rowJobId(key)))?.returnvalue;
        const keep = ids.find((id) => id === result?.id) ?? `${ids[0]}`;
        duplicates.push({ key, keep, extra: ids.filter((id) => id !== keep) });
      }
      return duplicates;
    },
    close: () => queue.close(),
  };
}

const batchSize = 200;

const defaults: JobsOptions = { attempts: 9, backoff: { type: 'exponential', delay: 15_000 } };

/** The ID of a row's job. BullMQ ignores a job whose ID exists, so a row is added only once. */
const rowJobId = (key: string): string => `row-${digestOfJson(key)}`;

function checkKey(key: unknown): string {
  // Postgres can't store NUL characters and lone surrogates.
  if (isMarkPart(key) && !/[\0\p{Surrogate}]/u.test(key as string)) return key as string;
  const expected = 'a string of 1 to 200 characters without NUL characters and lone surrogates';
  throw new TypeError(`a row's key must be ${expected} (got ${quote(String(key))})`);
}
