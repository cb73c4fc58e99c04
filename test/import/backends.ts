import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { afterAll, beforeAll } from 'vitest';
import type { ImportConnection } from 'worktrack/jobs/bullmq';

export interface TestBackend {
  name: 'redis' | 'postgres' | 'pglite';
  /** The options for a new queue, except the name. */
  options: Omit<ImportConnection, 'name'>;
  stop(): Promise<void>;
}

export const redisAddress = { host: '127.0.0.1', port: 6379 };
export const postgresAddress = { host: '127.0.0.1', port: 5432, user: 'postgres', database: 'test' };

const [hasRedis, hasPostgres] = await Promise.all([redisAddress, postgresAddress].map(isListening));

/** Whether this is a long run, which repeats tests with every backend. */
export const isLong = process.env.WORKTRACK_TEST_LONG === '1';

/** The backends available on this machine. PGlite, an npm package, stands in for Postgres if it's missing. */
export const reachable = {
  redis: hasRedis === true,
  postgres: hasPostgres === true,
  pglite: isLong || !hasRedis || !hasPostgres,
};

/** The backend for tests that work with any backend: preferably Redis, which starts faster. */
export const preferredBackend = reachable.redis ? 'redis' : 'pglite';

export async function startBackend(name: TestBackend['name']): Promise<TestBackend> {
  if (name === 'pglite') return startPglite();
  const options: TestBackend['options'] =
    name === 'redis'
      ? { redis: redisAddress }
      : {
          postgres: {
            ...postgresAddress,
            schema: 'worktrack_test',
          },
        };
  return { name, options, stop: async () => {} };
}

/** Starts the preferred backend for the tests in a file. */
export function useBackend(): Pick<TestBackend, 'options'> {
  let backend: TestBackend | undefined;
  beforeAll(async () => {
    backend = await startBackend(preferredBackend);
  }, 60_000);
  afterAll(() => backend?.stop());
  return {
    get options() {
      return (backend as TestBackend).options;
    },
  };
}

export const queueName = () => `import-${randomUUID()}`;

async function startPglite(): Promise<TestBackend> {
  const database = await PGlite.create();
  await database.exec('CREATE SCHEMA IF NOT EXISTS bullmq; SET search_path TO bullmq');
  const server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 60 });
  const listening = new Promise<number>((resolve) => {
    server.addEventListener('listening', (event) => {
      const { port } = (event as CustomEvent<{ port: number }>).detail;
      resolve(Number(port));
    });
  });
  await server.start();
  const postgres = {
    host: '127.0.0.1',
    port: await listening,
    user: 'postgres',
    database: 'postgres',
    max: 4,
  };
  return {
    name: 'pglite',
    options: { postgres },
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}

function isListening(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 1000 });
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
    socket.on('timeout', () => end(false));
  });
}
