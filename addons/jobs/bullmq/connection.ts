import type * as Bullmq from 'bullmq';
import type {
  ConnectionOptions,
  PostgresConnectionOptions,
  Processor,
  Queue,
  Worker,
  WorkerOptions,
} from 'bullmq';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../../src/errors/index.js';
import {
  isFunction,
  isInteger,
  isString,
  nonEmptyString,
  object,
  option,
  requiredOption,
} from '../../../src/option-schema.js';
import { isObject } from '../../../src/shared/json.js';

/** The connection to Redis or Postgres. Pass either `redis` or `postgres`. */
export interface QueueConnection {
  /** Redis: a URL, connection options, or an `ioredis` client. Requires `ioredis`. */
  redis?: string | ConnectionOptions | undefined;
  /**
   * Postgres: a URL, `pg` options with an optional `schema`, or a `pg` pool whose `search_path` is BullMQ's
   * schema. Requires `pg`. Creates BullMQ's tables if they're missing, unless you pass a pool. An import worker
   * opens up to 7 connections, and a change queue up to 9. Of these, 4 are in a pool whose size you can change
   * with `max`.
   */
  postgres?: string | PostgresConnectionOptions | PostgresPool | undefined;
  /** The prefix for Redis keys. @defaultValue 'bull' */
  prefix?: string | undefined;
}

/**
 * The methods that BullMQ calls on a `pg` pool. BullMQ's own type doesn't accept the pool type in
 * `@types/pg`.
 */
interface PostgresPool {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  end(): Promise<void>;
}

/** BullMQ and the arguments for opening queues. */
export interface Backend {
  bullmq: typeof Bullmq;
  options: { connection: ConnectionOptions; prefix?: string };
  /** The last argument to BullMQ's constructors. Empty for Redis. */
  factory: [] | [never];
  openQueue<Data>(name: string): Promise<Queue<Data, unknown, string>>;
  /**
   * Starts a worker. If it doesn't respond for `stalledAfter` milliseconds, another worker restarts its jobs.
   * The jobs must be safe to restart any number of times.
   */
  startWorker<Data>(
    name: string,
    process: Processor<Data>,
    stalledAfter: number,
    options: Partial<WorkerOptions>,
  ): Worker<Data>;
  closeQueues(): Promise<void>;
  /** Returns the callback's result. If the callback throws, closes the queues that it has opened. */
  closeOnError<Result>(callback: () => Promise<Result>): Promise<Result>;
}

export const connectionFields = () =>
  ({
    name: requiredOption(
      'a string without spaces or colons',
      (value) => isString(value) && /^[^:\s]+$/.test(value),
    ),
    redis: option('a URL, connection options, or a client', (value) => isString(value) || isObject(value)),
    postgres: option('a URL, pg options, or a pool', (value) => isString(value) || isObject(value)),
    prefix: nonEmptyString(),
  }) satisfies Record<'name' | keyof QueueConnection, z.ZodMiniType>;

/** The schema for a job's lock duration in milliseconds. */
export const stalledAfterField = () => option('an integer of at least 100', (value) => isInteger(value, 100));

/** Creates the schema for BullMQ options, which must not contain the reserved options. */
export const optionsWithout = (reserved: readonly string[]) =>
  object().check(
    z.refine(
      (value) => !reserved.some((name) => name in Object(value)),
      `must not contain ${reserved.join(', ')}`,
    ),
  );

/** Requires exactly one of `redis` and `postgres`. */
export const requireOneBackend = z.refine<Record<string, unknown>>(
  ({ redis, postgres }) => (redis === undefined) !== (postgres === undefined),
  'pass either "redis" or "postgres"',
);

/** @throws ConfigurationError if a package is missing */
export async function openBackend({ redis, postgres, prefix }: QueueConnection): Promise<Backend> {
  const driver = redis === undefined ? 'pg' : 'ioredis';
  const bullmq = await loadPackage('bullmq', driver, () => import('bullmq'));
  await loadPackage<unknown>(driver, driver, drivers[driver]);
  const connection = redis === undefined ? postgresOptions(postgres) : redisOptions(redis);
  const queueConnection =
    driver === 'pg' && !isPool(connection) ? { ...connection, ...queueLimits } : connection;
  const options = { connection, ...(prefix !== undefined && { prefix }) };
  const factory: Backend['factory'] = redis === undefined ? [survivingErrors(bullmq) as never] : [];
  const queues: Queue[] = [];
  const closeQueues = async () => {
    await Promise.all(queues.map((queue) => queue.close()));
  };
  return {
    bullmq,
    options,
    factory,
    async openQueue(queueName) {
      const queue = new bullmq.Queue(queueName, { ...options, connection: queueConnection }, ...factory);
      queues.push(queue);
      queue.on('error', ignoreError);
      await queue.waitUntilReady();
      return queue as never;
    },
    startWorker(workerName, process, stalledAfter, workerOptions) {
      const worker = new bullmq.Worker(
        workerName,
        process,
        {
          ...options,
          lockDuration: stalledAfter,
          stalledInterval: Math.ceil(stalledAfter / 2),
          maxStalledCount: 1_000_000,
          ...workerOptions,
        },
        ...factory,
      );
      worker.on('error', ignoreError);
      return worker;
    },
    closeQueues,
    async closeOnError(callback) {
      try {
        return await callback();
      } catch (error) {
        await closeQueues();
        throw error;
      }
    },
  };
}

/** Without an error listener, BullMQ prints every connection error, even though it reconnects automatically. */
const ignoreError = () => {};

export const isOnPostgres = (queue: Queue): boolean =>
  'pool' in Object((queue.getBackend() as { connection?: unknown }).connection);

const drivers = { ioredis: () => import('ioredis'), pg: () => import('pg') };

// Each process has a queue and a worker with their own connections, and Postgres allows only 100 connections
// by default. If a worker can't get a connection, its row is retried later.
const workerLimits = { max: 4 };
const queueLimits = { max: 2 };

/**
 * Returns a function that creates a Postgres backend. While BullMQ opens a backend, it doesn't listen for
 * errors, so a lost connection would end the process. The next query fails anyway.
 */
const survivingErrors =
  ({ createPostgresBackend }: typeof Bullmq) =>
  (...parameters: Parameters<typeof createPostgresBackend>) => {
    const backend = createPostgresBackend(...parameters);
    const { pool } = backend.connection;
    if (!isPool(parameters[1].connection)) pool.on('connect', (client) => client.on('error', () => {}));
    return backend;
  };

const redisOptions = (redis: string | ConnectionOptions): ConnectionOptions =>
  typeof redis === 'string' ? { url: redis } : redis;

function postgresOptions(postgres: QueueConnection['postgres']): ConnectionOptions {
  const options = typeof postgres === 'string' ? { connectionString: postgres } : postgres;
  return (isPool(options) ? options : { migrate: true, ...workerLimits, ...options }) as ConnectionOptions;
}

const isPool = (options: unknown) => isFunction((options as { query?: unknown }).query);

/**
 * Loads an optional package.
 *
 * @param driver the database driver to install along with BullMQ
 * @param load imports the package. Bundlers need the package's name in the `import()` call.
 * @throws ConfigurationError if the package is missing
 */
export async function loadPackage<Module>(
  name: string,
  driver: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const message = `BullMQ queues require the ${name} package, which isn't installed; run npm install bullmq ${driver}`;
    throw new ConfigurationError(message, { cause });
  }
}
