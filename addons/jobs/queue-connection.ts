import { type ConnectionOptions, createPostgresBackend } from 'bullmq';
import * as z from 'zod/mini';
import { ConfigurationError } from '../../src/index.js';
import { checkOptions, isNonEmptyString, isObject, option, requiredOption } from '../../src/internal.js';

/** Where a queue is stored. Pass either `redis` or `postgres`. */
export interface QueueConnection {
  /** The queue's name, without colons. */
  name: string;
  /** Redis: a URL, connection options, or an `ioredis` client. Requires `ioredis`. */
  redis?: string | ConnectionOptions | undefined;
  /** Postgres: a URL, or `pg` options with an optional `schema`. Creates missing tables. Requires `pg`. */
  postgres?: string | object | undefined;
  /** The prefix of BullMQ's keys in Redis. @defaultValue 'bull' */
  prefix?: string | undefined;
}

export const connectionFields = () =>
  ({
    name: requiredOption('a name without colons', (name) => isNonEmptyString(name) && !name.includes(':')),
    redis: option('a URL, connection options, or a client', isPlace),
    postgres: option('a URL or pg options', isPlace),
    prefix: option('a non-empty string', isNonEmptyString),
  }) satisfies Record<keyof QueueConnection, z.ZodMiniType>;

const isPlace = (value: unknown): boolean => isNonEmptyString(value) || isObject(value);

/** Creates the schema for BullMQ's own options, which can't contain those that the queue sets. */
export const optionsWithout = (reserved: readonly string[]) =>
  option(
    `an object without ${reserved.join(', ')}`,
    (value) => isObject(value) && !reserved.some((name) => name in value),
  );

/** @throws ConfigurationError if an option is unknown, missing, or invalid */
export function checkQueueOptions(
  name: string,
  fields: Record<string, z.ZodMiniType>,
  options: QueueConnection,
): void {
  const fail = (message: string) => new ConfigurationError(`${name}: ${message}`);
  checkOptions(z.strictObject(fields), options, { fail });
  if ((options.redis === undefined) === (options.postgres === undefined))
    throw fail('pass either option "redis" or option "postgres"');
}

/** Returns the connection for BullMQ's constructors, and their last argument. */
export function connectionOf({ redis, postgres, prefix }: QueueConnection) {
  const place = redis === undefined ? { migrate: true, ...asOptions(postgres, 'connectionString') } : redis;
  return {
    connection: { connection: asOptions(place, 'url') as ConnectionOptions, ...(prefix && { prefix }) },
    backend: (redis === undefined ? [createPostgresBackend] : []) as [] | [never],
  };
}

const asOptions = (place: string | object | undefined, name: string): object | undefined =>
  typeof place === 'string' ? { [name]: place } : place;
