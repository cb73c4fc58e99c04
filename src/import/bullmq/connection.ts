import type * as Bullmq from 'bullmq';
import type { ConnectionOptions, PostgresConnectionOptions, Queue } from 'bullmq';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../errors/index.js';
import {
  isFunction,
  isObject,
  isString,
  nonEmptyString,
  option,
  requiredOption,
} from '../../shared/option-types.js';
import type { LedgerEntry } from '../ledger.js';

/** The queue's name and its connection to Redis or Postgres. */
export interface ImportConnection {
  /** The queue's name. Use one queue per import, and run one import at a time per credential. */
  name: string;
  /** Redis: a URL, connection options, or an `ioredis` client. Requires `ioredis`. */
  redis?: string | ConnectionOptions | undefined;
  /**
   * Postgres: a URL, `pg` options with an optional `schema`, or a `pg` pool. Requires `pg`. Missing tables
   * are created, unless you pass a pool. A worker opens up to 11 connections, 4 of them in a pool whose size
   * you can change with `max`.
   */
  postgres?: string | PostgresConnectionOptions | undefined;
  /** The prefix for Redis keys. @defaultValue 'bull' */
  prefix?: string | undefined;
}

/** An import job's data. */
export interface RowJob<Row> {
  key: string;
  /** The row. To save memory, it is removed when the job is done. */
  row?: Row | undefined;
  /** The row's ledger entry. */
  entry?: LedgerEntry | undefined;
  /** The number of failed attempts since the row was added or retried. */
  attempts?: number | undefined;
}

/** BullMQ and the arguments for opening an import's queues. */
export interface Backend {
  bullmq: typeof Bullmq;
  options: { connection: ConnectionOptions; prefix?: string };
  /** The last argument to BullMQ's constructors. Empty for Redis. */
  factory: [] | [never];
  openQueue<Data>(name: string): Promise<Queue<Data, unknown, string>>;
}

export const connectionFields = () =>
  ({
    name: requiredOption(
      'a string without spaces or colons',
      (value) => isString(value) && /^[^:\s]+$/.test(value as string),
    ),
    redis: option('a URL, connection options, or a client', (value) => isString(value) || isObject(value)),
    postgres: option('a URL, pg options, or a pool', (value) => isString(value) || isObject(value)),
    prefix: nonEmptyString(),
  }) satisfies Record<keyof ImportConnection, z.ZodMiniType>;

/** Requires exactly one of `redis` and `postgres`. */
export const requireOneBackend = z.refine<Record<string, unknown>>(
  ({ redis, postgres }) => (redis === undefined) !== (postgres === undefined),
  'pass either "redis" or "postgres"',
);

/** @throws ConfigurationError if a package is missing */
export async function openBackend({ redis, postgres, prefix }: ImportConnection): Promise<Backend> {
  const driver = redis === undefined ? 'pg' : 'ioredis';
  const bullmq = await load<typeof Bullmq>('bullmq', driver, () => import('bullmq'));
  if (driver === 'pg') await load('pg', driver, () => import('pg'));
  else await load('ioredis', driver, () => import('ioredis'));
  const connection = redis === undefined ? postgresOptions(postgres) : redisOptions(redis);
  const queueConnection =
    driver === 'pg' && !isPool(connection) ? { ...connection, ...queueLimits } : connection;
  const options = { connection, ...(prefix !== undefined && { prefix }) };
  const factory: Backend['factory'] = redis === undefined ? [bullmq.createPostgresBackend as never] : [];
  return {
    bullmq,
    options,
    factory,
    async openQueue(queueName) {
      const queue = new bullmq.Queue(queueName, { ...options, connection: queueConnection }, ...factory);
      await queue.waitUntilReady();
      // Without a listener, a lost connection would crash the process. BullMQ reconnects automatically.
      queue.on('error', () => {});
      return queue as never;
    },
  };
}

// A process has three queues and a worker, each with its own connections. Postgres allows 100 connections by
// default. If a worker can't connect, its row is retried later.
const workerLimits = { max: 4 };
const queueLimits = { max: 2 };

const redisOptions = (redis: string | ConnectionOptions): ConnectionOptions =>
  typeof redis === 'string' ? { url: redis } : redis;

function postgresOptions(postgres: string | PostgresConnectionOptions | undefined): ConnectionOptions {
  const options = typeof postgres === 'string' ? { connectionString: postgres } : postgres;
  return (isPool(options) ? options : { migrate: true, ...workerLimits, ...options }) as ConnectionOptions;
}

const isPool = (options: unknown) => isFunction((options as { query?: unknown }).query);

async function load<Module>(name: string, driver: string, importIt: () => Promise<unknown>): Promise<Module> {
  try {
    return (await importIt()) as Module;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const message = `worktrack/import/bullmq requires the package ${name}, which isn't installed; run npm install bullmq ${driver}`;
    throw new ConfigurationError(message, { cause });
  }
}
