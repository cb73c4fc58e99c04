import { randomUUID } from 'node:crypto';
import type { IRedisClient, Queue, RedisQueueBackend } from 'bullmq';
import { batchesOf } from '../../../shared/lists.js';
import { isOnPostgres } from '../../bullmq/connection.js';
import { openTable } from '../../bullmq/postgres-table.js';
import { type Snapshot, SnapshotEntries, SnapshotError } from '../snapshot.js';

/** A snapshot in the queue's database, shared by all of a feed's processes. */
export interface SharedSnapshot {
  /** Starts a sweep. After that, the snapshots of earlier sweeps reject all writes. */
  startSweep(): Promise<Snapshot>;
  delete(): Promise<void>;
}

/** How a database stores a snapshot. */
interface Store {
  /** Gives a sweep exclusive write access. @returns the ID of the previous sweep */
  start(sweep: string): Promise<string | undefined>;
  read(): Promise<Iterable<readonly [key: string, value: string]>>;
  /** Writes all values, or none if another sweep has started. @returns whether they were written */
  write(sweep: string, values: ReadonlyMap<string, string | null>): Promise<boolean>;
  delete(): Promise<void>;
}

export async function openSharedSnapshot(queue: Queue): Promise<SharedSnapshot> {
  const store = await (isOnPostgres(queue) ? openPostgresStore(queue) : openRedisStore(queue));
  /** The entries as of this process's last sweep. They're current until another process starts a sweep. */
  let last: { sweep: string; entries: SnapshotEntries } | undefined;
  return {
    async startSweep() {
      const sweep = randomUUID();
      const previous = await store.start(sweep);
      const entries =
        last && last.sweep === previous ? last.entries : new SnapshotEntries(toEntries(await store.read()));
      last = { sweep, entries };
      return {
        read: async () => entries,
        async write(changes) {
          const values = new Map(changes.map(({ scope, id, value = null }) => [keyOf(scope, id), value]));
          // A write that failed may still have been applied, so the next read must not use the cached
          // entries.
          last = undefined;
          if (!(await store.write(sweep, values))) {
            throw new SnapshotError(`another sweep of the "${queue.name}" queue has started`);
          }
          for (const entry of changes) entries.apply(entry);
          last = { sweep, entries };
        },
        async close() {},
      };
    },
    delete: store.delete,
  };
}

const keyOf = (scope: string, id: string) => JSON.stringify([scope, id]);

function* toEntries(values: Iterable<readonly [key: string, value: string]>) {
  for (const [key, value] of values) {
    const [scope, id] = JSON.parse(key) as [string, string];
    yield { scope, id, value };
  }
}

/** Stores the values in the `changes:snapshot` hash and the current sweep in the `changes:sweep` key. */
async function openRedisStore(queue: Queue): Promise<Store> {
  const client = (await (queue.getBackend() as unknown as RedisQueueBackend).client) as IRedisClient;
  const [snapshot, current] = ['changes:snapshot', 'changes:sweep'].map((name) => queue.toKey(name)) as [
    string,
    string,
  ];
  for (const [name, lua] of Object.entries(scripts)) client.defineCommand(name, { lua, numberOfKeys: 2 });
  const run = (script: keyof typeof scripts, args: string[]) =>
    client.runCommand(script, [snapshot, current, ...args]);
  return {
    start: async (sweep) => (await run('worktrackStartSweep', [sweep])) ?? undefined,
    read: async () => Object.entries(await client.hgetall(snapshot)),
    async write(sweep, values) {
      const parts = Array.from(batchesOf([...values], partSize), (part) => JSON.stringify(part));
      return (await run('worktrackWriteSnapshot', [sweep, ...parts])) === 1;
    },
    async delete() {
      await client.del(snapshot, current);
    },
  };
}

/** The maximum number of values per Redis command, because the number of arguments is limited. */
const partSize = 1000;

const scripts = {
  worktrackStartSweep: `local previous = redis.call('GET', KEYS[2])
redis.call('SET', KEYS[2], ARGV[1])
return previous`,
  worktrackWriteSnapshot: `if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
for part = 2, #ARGV do
  for _, entry in ipairs(cjson.decode(ARGV[part])) do
    if entry[2] == cjson.null then redis.call('HDEL', KEYS[1], entry[1])
    else redis.call('HSET', KEYS[1], entry[1], entry[2]) end
  end
end
return 1`,
};

/** Stores the values in a table in BullMQ's schema. The row with an empty key contains the current sweep. */
async function openPostgresStore(queue: Queue): Promise<Store> {
  const query = await openTable(queue, table, SnapshotError);
  return {
    async start(sweep) {
      const [row] = await query<{ previous: string | null }>(
        `INSERT INTO worktrack_changes (queue, key, value) VALUES ($1, '', $2)
         ON CONFLICT (queue, key) DO UPDATE SET value = excluded.value
         RETURNING (SELECT value FROM worktrack_changes WHERE queue = $1 AND key = '') AS previous`,
        [queue.name, sweep],
      );
      return row?.previous ?? undefined;
    },
    async read() {
      const text = "SELECT key, value FROM worktrack_changes WHERE queue = $1 AND key <> ''";
      const rows = await query<{ key: string; value: string }>(text, [queue.name]);
      return rows.map(({ key, value }) => [key, value]);
    },
    async write(sweep, values) {
      // The lock on the sweep's row prevents other sweeps from starting until the values are written.
      const [row] = await query<{ is_current: boolean }>(
        `WITH sweep AS (
           SELECT FROM worktrack_changes WHERE queue = $1 AND key = '' AND value = $2 FOR UPDATE
         ), input AS (
           SELECT * FROM unnest($3::text[], $4::text[]) AS input (key, value) WHERE EXISTS (SELECT FROM sweep)
         ), removed AS (
           DELETE FROM worktrack_changes AS stored USING input
           WHERE stored.queue = $1 AND stored.key = input.key AND input.value IS NULL
         ), written AS (
           INSERT INTO worktrack_changes (queue, key, value)
           SELECT $1, key, value FROM input WHERE value IS NOT NULL
           ON CONFLICT (queue, key) DO UPDATE SET value = excluded.value
         )
         SELECT EXISTS (SELECT FROM sweep) AS is_current`,
        [queue.name, sweep, [...values.keys()], [...values.values()]],
      );
      return row?.is_current ?? false;
    },
    async delete() {
      await query('DELETE FROM worktrack_changes WHERE queue = $1', [queue.name]);
    },
  };
}

const table = {
  name: 'worktrack_changes',
  key: ['queue', 'key'],
  lock: 'worktrack:changes',
  existing: "to_regclass('worktrack_changes')",
  create: `CREATE TABLE IF NOT EXISTS worktrack_changes (
    queue text NOT NULL, key text NOT NULL, value text NOT NULL, PRIMARY KEY (queue, key)
  );`,
};
