import type { IRedisClient, Queue, RedisQueueBackend } from 'bullmq';
import { digest, type RowJob } from './row-job.js';
import { decodeHolder, encodeHolder, type Store, writeResult } from './store.js';

/**
 * Opens a queue's Redis store. Its keys start with the queue's prefix and name:
 *
 * - `import:claims` and `import:groups` are hashes of row keys, by record ID and group.
 * - `import:doubts` is a sorted set of in-doubt rows. Redis sorts members with the same score by name, so the
 *   rows of a group are next to each other.
 * - `import:meta` is a hash with the import's scope, the end of the pause, and the time of the next request.
 * - `import:value:…` are values that expire.
 */
export async function openRedisStore(queue: Queue): Promise<Store> {
  const backend = queue.getBackend() as unknown as RedisQueueBackend;
  const client = (await backend.client) as IRedisClient;
  for (const [name, lua] of Object.entries(scripts))
    client.defineCommand(name, { lua, numberOfKeys: name === 'worktrackWrite' ? 7 : 1 });
  const run = (script: keyof typeof scripts, keys: string[], args: (string | number)[]) =>
    client.runCommand(script, [...keys, ...args]);
  const [claims, groups, doubts, meta] = ['claims', 'groups', 'doubts', 'meta'].map((name) =>
    queue.toKey(`import:${name}`),
  ) as [string, string, string, string];
  const valueKey = (name: string) => queue.toKey(`import:value:${name}`);
  const values = ['server-time'];

  return {
    async write({ jobId, key, data, lock, enters, leaves, doubtIn, resolvedIn, ...change }) {
      const job = queue.toKey(jobId);
      const result = await run(
        'worktrackWrite',
        [job, `${job}:lock`, queue.toKey('stalled'), claims, groups, doubts, meta],
        [
          jobId,
          JSON.stringify(data),
          key,
          lock?.token ?? '',
          lock?.duration ?? 0,
          change.before === undefined ? '' : JSON.stringify(change.before),
          change.isStart ? 1 : 0,
          change.recordId ?? '',
          enters === undefined ? '' : digest(enters),
          leaves === undefined ? '' : digest(leaves),
          doubtIn === undefined ? '' : member(doubtIn, key),
          resolvedIn === undefined ? '' : member(resolvedIn, key),
        ],
      );
      return writeResult(result);
    },
    async find(jobIds) {
      const found = new Map<string, RowJob<unknown>>();
      await Promise.all(
        jobIds.map(async (jobId) => {
          const data = await client.hget(queue.toKey(jobId), 'data');
          if (data !== null) found.set(jobId, JSON.parse(data));
        }),
      );
      return found;
    },
    async lock(group, holder, from) {
      const args = [digest(group), encodeHolder(holder), holder.key, from ? encodeHolder(from) : ''];
      return decodeHolder(await run('worktrackLock', [groups], args));
    },
    async unlock(group, holder) {
      await run('worktrackUnlock', [groups], [digest(group), encodeHolder(holder)]);
    },
    claimant: async (recordId) => (await client.hget(claims, recordId)) ?? undefined,
    async inDoubt(group) {
      const start = member(group, '');
      const members: string[] = await run('worktrackInDoubt', [doubts], [start]);
      return members.map((text) => text.slice(start.length));
    },
    putIfAbsent: (name, value) => run('worktrackPutIfAbsent', [meta], [name, value]),
    async put(name, value, expiresIn) {
      await client.set(valueKey(name), value, { PX: expiresIn });
    },
    get: async (name) => (await client.get(valueKey(name))) ?? undefined,
    async pause(milliseconds) {
      await run('worktrackPause', [meta], [milliseconds]);
    },
    reserve: (interval) => run('worktrackReserve', [meta], [interval]),
    async deleteAll() {
      await client.del(claims, groups, doubts, meta, ...values.map(valueKey));
    },
  };
}

const member = (group: string, key: string) => `${digest(group)}:${key}`;

const now = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const isHolder = `local function isHolder(holder, key)
  return holder and string.sub(holder, string.find(holder, ' ') + 1) == key
end
`;

const scripts = {
  worktrackWrite: `${now}${isHolder}
local job, lock, stalled, claims, groups, doubts, meta = unpack(KEYS)
local jobId, data, key, token, duration, before, isStart, record, enters, leaves, doubt, resolved = unpack(ARGV)
if redis.call('EXISTS', job) == 0 then return 'missing' end
if token ~= '' and redis.call('GET', lock) ~= token then return 'lost' end
if before ~= '' then
  if redis.call('EXISTS', lock) == 1 then return 'active' end
  if redis.call('HGET', job, 'data') ~= before then return 'changed' end
end
if isStart == '1' then
  local wait = tonumber(redis.call('HGET', meta, 'pausedUntil') or 0) - now
  if wait > 0 then return 'paused:' .. wait end
end
if enters ~= '' then
  local holder = redis.call('HGET', groups, enters)
  if holder and not isHolder(holder, key) then return 'busy' end
  redis.call('HSET', groups, enters, token .. ' ' .. key)
end
if record ~= '' and redis.call('HSETNX', claims, record, key) == 0
  and redis.call('HGET', claims, record) ~= key then return 'claimed' end
if token ~= '' then
  redis.call('PEXPIRE', lock, duration)
  redis.call('SREM', stalled, jobId)
end
redis.call('HSET', job, 'data', data)
if doubt ~= '' then redis.call('ZADD', doubts, 0, doubt) end
if resolved ~= '' then redis.call('ZREM', doubts, resolved) end
if leaves ~= '' and isHolder(redis.call('HGET', groups, leaves), key) then
  redis.call('HDEL', groups, leaves)
end
return 'written'`,
  worktrackLock: `${isHolder}
local group, holder, key, from = unpack(ARGV)
local current = redis.call('HGET', KEYS[1], group)
if current and current ~= from and not isHolder(current, key) then return current end
redis.call('HSET', KEYS[1], group, holder)
return holder`,
  worktrackUnlock:
    "if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end",
  worktrackInDoubt: `return redis.call('ZRANGEBYLEX', KEYS[1], '[' .. ARGV[1], '(' .. string.sub(ARGV[1], 1, -2) .. ';')`,
  worktrackPutIfAbsent: `redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])`,
  worktrackPause: `${now}
local current = tonumber(redis.call('HGET', KEYS[1], 'pausedUntil') or 0)
redis.call('HSET', KEYS[1], 'pausedUntil', math.max(current, now + ARGV[1]))`,
  worktrackReserve: `${now}
local at = math.max(now, tonumber(redis.call('HGET', KEYS[1], 'nextRequest') or 0))
redis.call('HSET', KEYS[1], 'nextRequest', at + ARGV[1])
return math.ceil(at - now)`,
};
