import { expect, it } from 'vitest';
import { ConfigurationError } from 'worktrack';
import {
  createImportQueue,
  createImportWorker,
  type ImportConnection,
  type ImportWorkerOptions,
} from 'worktrack/jobs/bullmq';

const connection: ImportConnection = { name: 'tickets', redis: 'redis://127.0.0.1' };
const target = { scope: 'things', toPayload: () => ({}), create: async () => ({ id: 'thing_1' }) };

const eitherBackend = 'pass either "redis" or "postgres"';
const nameRule = 'option "name" must be a string without spaces or colons';
const redisRule = 'option "redis" must be a URL, connection options, or a client';
const postgresRule = 'option "postgres" must be a URL, pg options, or a pool';

const invalidConnections: [options: object, message: string][] = [
  [{ redis: undefined }, eitherBackend],
  [{ postgres: 'postgres://127.0.0.1' }, eitherBackend],
  [{ name: 'a b' }, `${nameRule} (got "a b")`],
  [{ name: 'a:b' }, `${nameRule} (got "a:b")`],
  [{ name: 'a\nb' }, `${nameRule} (got "a\\nb")`],
  [{ name: '' }, `${nameRule} (got "")`],
  [{ name: undefined }, `${nameRule} (got undefined)`],
  [{ name: 7 }, `${nameRule} (got 7)`],
  [{ redis: 7 }, `${redisRule} (got 7)`],
  [{ redis: undefined, postgres: 7 }, `${postgresRule} (got 7)`],
  [{ prefix: '' }, 'option "prefix" must be a non-empty string (got "")'],
  [{ redsi: 'redis://127.0.0.1' }, 'unknown option "redsi"; did you mean "redis"?'],
];

it.each(invalidConnections)('createImportQueue rejects %j', async (options, message) => {
  const error = await createImportQueue({ ...connection, ...options }).catch((error) => error);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toBe(`import: ${message}`);
});

it.each<[options: object, message: string]>([
  ...invalidConnections,
  [{ target: {} }, 'option "target" must be a target, such as ticketTarget(…) (got an object)'],
  [{ concurrency: 0 }, 'option "concurrency" must be a positive integer (got 0)'],
  [{ requestsPerMinute: 0 }, 'option "requestsPerMinute" must be a positive integer (got 0)'],
  [{ stalledAfter: 99 }, 'option "stalledAfter" must be an integer of at least 100 (got 99)'],
  [{ stalledAfter: 100.5 }, 'option "stalledAfter" must be an integer of at least 100 (got 100.5)'],
  [{ bullmqOptions: 7 }, 'option "bullmqOptions" must be an object (got 7)'],
  [
    { bullmqOptions: { prefix: 'jobs' } },
    'option "bullmqOptions" must not contain connection, prefix, concurrency, limiter, lockDuration, lockRenewTime, stalledInterval, maxStalledCount, maxStartedAttempts, removeOnComplete, removeOnFail, skipLockRenewal, skipStalledCheck',
  ],
  [{ maxOutage: -1 }, 'option "maxOutage" must be a non-negative integer (got -1)'],
  [{ onFatal: 7 }, 'option "onFatal" must be a function (got 7)'],
])('createImportWorker rejects %j', async (options, message) => {
  const all = { ...connection, target, ...options } as ImportWorkerOptions<unknown>;
  const error = await createImportWorker(all).catch((error) => error);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toBe(`import: ${message}`);
});
