import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState, Queue } from 'bullmq';
import { isOnPostgres } from '../../bullmq/connection.js';
import { stopwatch } from '../../shared/stopwatch.js';
import { assertForgettable, assertNotDone, type Ledger, LedgerError, otherScope } from '../ledger.js';
import type { LedgerEntry, RowState } from '../ledger-entry.js';
import { HeldJobs, lost } from './held-jobs.js';
import { openPostgresStore } from './postgres-store.js';
import { openRedisStore } from './redis-store.js';
import { doneJob, type RowJob, rowJobId } from './row-job.js';
import { type Change, queueClosed, type Store, whileOpen } from './store.js';

export const openStore = (queue: Queue): Promise<Store> =>
  isOnPostgres(queue) ? openPostgresStore(queue) : openRedisStore(queue);

/** Thrown if a row can't be started because another row in its group holds the group's lock. */
export class GroupBusyError extends Error {}

/** A ledger that stores each row's entry in the row's job. Shared data is in the queue's store. */
export class BullmqLedger implements Ledger {
  readonly held = new HeldJobs();
  readonly #queue: Queue<RowJob<unknown>>;
  readonly #store: Store;
  readonly #closing = new AbortController();
  #serverTimeStoredAt = Number.NEGATIVE_INFINITY;
  #serverTime: { value: Promise<string | undefined>; readAt: number } | undefined;

  constructor(rows: Queue<RowJob<unknown>>, store: Store) {
    this.#queue = rows;
    this.#store = store;
  }

  bind(scope: string): Promise<void> {
    return this.#whileOpen(async () => {
      const bound = await this.#store.putIfAbsent('scope', scope);
      if (bound !== scope) throw otherScope(`the "${this.#queue.name}" queue`, bound, scope);
    });
  }

  get(key: string): Promise<LedgerEntry | undefined> {
    return this.#whileOpen(async () => (await this.#find(key))?.entry);
  }

  put(entry: LedgerEntry): Promise<void> {
    return this.#whileOpen(async () => {
      assertNotDone(entry);
      const before = await this.#require(entry.key);
      const held = this.held.get(entry.key);
      await this.#write(entry.key, {
        data: { ...before, entry },
        isStart: entry.state === 'started',
        enters: held && entry.state === 'started' ? entry.group : undefined,
        doubtIn: entry.state === 'unknown' ? groupOf(entry) : undefined,
        resolvedIn: resolvedGroup(before.entry, entry),
      });
    });
  }

  claim(entry: LedgerEntry & { recordId: string }): Promise<boolean> {
    return this.#whileOpen(async () => {
      const { key } = entry;
      const job = await this.#require(key);
      const data = doneJob(job, entry);
      const isOwn = await this.#write(key, {
        data,
        // A sync stores the values that it's about to write.
        isStart: entry.pending !== undefined,
        recordId: entry.recordId,
        leaves: data.entry.group,
        resolvedIn: resolvedGroup(job.entry, data.entry),
      });
      if (isOwn && entry.since) await this.#storeServerTime(entry.since);
      return isOwn;
    });
  }

  isClaimed(recordId: string, key: string): Promise<boolean> {
    return this.#whileOpen(async () => ((await this.#store.claimant(recordId)) ?? key) !== key);
  }

  inDoubt(group: string): Promise<string[]> {
    return this.#whileOpen(() => this.#store.inDoubt(group));
  }

  /**
   * Returns the latest `created_at` that any worker received in the last minute. Cached for one second.
   */
  serverTime(): Promise<string | undefined> {
    return this.#whileOpen(() => {
      const now = performance.now();
      if (!this.#serverTime || now - this.#serverTime.readAt > 1000) {
        this.#serverTime = { value: this.#store.get(serverTime), readAt: now };
      }
      return this.#serverTime.value;
    });
  }

  confirmOwnership(key: string): Promise<void> {
    return this.held.confirmOwnership(key);
  }

  /** Removes the row's job, so that the row can be added again. */
  forget(key: string): Promise<void> {
    return this.#whileOpen(async () => {
      const id = rowJobId(key);
      const found = (await this.#store.find([id])).get(id);
      assertForgettable(found?.entry);
      // BullMQ can't remove a job while a worker is processing it.
      if (found && (await this.#queue.remove(id)) === 0)
        throw new LedgerError(`row "${key}" is being processed by a worker`);
    });
  }

  async *entries(state?: RowState): AsyncGenerator<LedgerEntry, void, undefined> {
    const types = ['completed', 'failed', 'active', 'delayed', 'waiting'] as const;
    const seen = new Set<string>();
    for (const type of types) {
      for (let start = 0; ; start += pageSize) {
        const jobs = await this.#whileOpen(() =>
          this.#queue.getJobs([type], start, start + pageSize - 1, true),
        );
        for (const job of jobs) {
          const { entry } = job.data;
          // A job whose state changes while jobs are being listed can appear twice or in the wrong list.
          if (!entry || (state && entry.state !== state) || seen.has(entry.key)) continue;
          if (type !== 'completed') seen.add(entry.key);
          yield entry;
        }
        // A page can contain fewer jobs than requested, because jobs can be removed while they're being
        // listed. Only an empty page is the last one.
        if (jobs.length === 0) break;
      }
    }
  }

  async flush(): Promise<void> {}

  /** The ledger uses the queue's connection, which stays open. */
  async close(): Promise<void> {
    this.#closing.abort(queueClosed(this.#queue));
  }

  /** Replaces the data of a job that this process holds. */
  async update(data: RowJob<unknown>): Promise<void> {
    await this.#write(data.key, { data });
  }

  /**
   * Locks a row's group across all machines, unless another row in the group holds the lock.
   *
   * @returns `in` if the row now holds the lock, `busy` if a worker is processing another row, or `blocked`
   * if another row must be processed first
   */
  enter(group: string, key: string): Promise<'in' | 'busy' | 'blocked'> {
    return this.#whileOpen(async () => {
      const holder = this.#holder(key);
      const current = await this.#store.lock(group, holder);
      if (current.key === key) return 'in';
      const state = await this.#queue.getJobState(rowJobId(current.key));
      // A row releases its group before its job ends, so if the job has ended or doesn't exist, its worker
      // was killed, and nothing else will release the group.
      if (!hasEnded(state)) return state === 'active' ? 'busy' : 'blocked';
      return (await this.#store.lock(group, holder, current)).key === key ? 'in' : 'busy';
    });
  }

  async leave(group: string, key: string): Promise<void> {
    await this.#store.unlock(group, this.#holder(key));
  }

  #holder(key: string) {
    return { key, token: this.held.get(key)?.token ?? '' };
  }

  /**
   * Writes a row's job. If the import is paused, waits for it to resume.
   *
   * @returns false if another row has claimed the record
   */
  async #write(key: string, change: Omit<Change, 'jobId' | 'key'>): Promise<boolean> {
    const held = this.held.get(key);
    const lock = held && { token: held.token, duration: held.lockDuration };
    for (;;) {
      const sinceRenewal = stopwatch();
      const result = await this.#store.write({ jobId: rowJobId(key), key, lock, ...change });
      switch (result.is) {
        case 'written':
          if (!held) return true;
          held.sinceRenewal = sinceRenewal;
          held.job.data = change.data;
          return true;
        case 'claimed':
          return false;
        case 'busy':
          throw new GroupBusyError();
        case 'paused':
          await (held ? held.onPause(result.wait) : sleep(result.wait));
          break;
        case 'lost':
          throw lost(key);
        default:
          throw this.#missing(key);
      }
    }
  }

  async #find(key: string): Promise<RowJob<unknown> | undefined> {
    const id = rowJobId(key);
    return this.held.get(key)?.job.data ?? (await this.#store.find([id])).get(id);
  }

  async #require(key: string): Promise<RowJob<unknown>> {
    const data = await this.#find(key);
    if (!data) throw this.#missing(key);
    return data;
  }

  #missing(key: string): LedgerError {
    return new LedgerError(`row "${key}" isn't in the "${this.#queue.name}" queue`);
  }

  async #storeServerTime(time: string): Promise<void> {
    if (performance.now() - this.#serverTimeStoredAt < 1000) return;
    this.#serverTimeStoredAt = performance.now();
    await this.#store.put(serverTime, time, 60_000);
  }

  /** Makes a call, as the function `whileOpen` does. Also rejects if the ledger is closed. */
  async #whileOpen<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await whileOpen(this.#queue, this.#closing.signal, call);
    } catch (cause) {
      if (!/^WRONGTYPE/.test((cause as Error).message)) throw cause;
      throw new LedgerError(`the "${this.#queue.name}" queue's data in Redis is damaged`, { cause });
    }
  }
}

const pageSize = 500;
const serverTime = 'server-time';

const hasEnded = (state: JobState | 'unknown') => ['completed', 'failed', 'unknown'].includes(state);

const groupOf = ({ group = '' }: LedgerEntry) => group;

/** If the change resolves an in-doubt row, returns the group that the row was in. */
const resolvedGroup = (before: LedgerEntry | undefined, after: LedgerEntry): string | undefined =>
  before?.state === 'unknown' && (after.state !== 'unknown' || groupOf(before) !== groupOf(after))
    ? groupOf(before)
    : undefined;
