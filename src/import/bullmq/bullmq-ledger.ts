import type { Job, JobState, Queue } from 'bullmq';
import { type Ledger, type LedgerEntry, LedgerError, otherScope, type RowState } from '../ledger.js';
import { type Backend, type RowJob, requireOpen } from './connection.js';
import { digest, rowJobId } from './job-id.js';
import { Notes } from './notes.js';

/**
 * A ledger that stores each row's entry in the row's job. Two additional queues store shared data: which row
 * each record belongs to, and which rows are in doubt.
 */
export class BullmqLedger implements Ledger {
  readonly #queue: Queue<RowJob<unknown>>;
  readonly #claims: Notes;
  readonly #doubts: Notes;
  /** The jobs this process is working on, with functions that renew their locks. */
  readonly #jobs = new Map<string, { job: Job<RowJob<unknown>>; renew: () => Promise<unknown> }>();

  constructor(rows: Queue<RowJob<unknown>>, claims: Notes, doubts: Notes) {
    this.#queue = rows;
    this.#claims = claims;
    this.#doubts = doubts;
  }

  static async open(backend: Backend, rows: Queue<RowJob<unknown>>): Promise<BullmqLedger> {
    const claims = new Notes(await backend.openQueue(`${rows.name}-claims`));
    const doubts = new Notes(await backend.openQueue(`${rows.name}-doubts`));
    return new BullmqLedger(rows, claims, doubts);
  }

  get #rows(): Queue<RowJob<unknown>> {
    return requireOpen(this.#queue);
  }

  /**
   * Keeps a job in memory so that its entry can be read and written without fetching the job.
   *
   * @param renew renews this process's lock on the job; resolves to 0 if the lock is lost
   * @returns a function that releases the job
   */
  cacheJob(job: Job<RowJob<unknown>>, renew: () => Promise<unknown>): () => void {
    this.#jobs.set(job.data.key, { job, renew });
    return () => this.#jobs.delete(job.data.key);
  }

  async bind(scope: string): Promise<void> {
    const bound = await this.#claims.putIfAbsent('scope', scope);
    if (bound !== scope) throw otherScope(`the queue "${this.#rows.name}"`, bound, scope);
  }

  async get(key: string): Promise<LedgerEntry | undefined> {
    return (await this.#jobOf(key))?.data.entry;
  }

  async put(entry: LedgerEntry): Promise<void> {
    if (entry.state === 'done') throw new LedgerError('use claim() to mark a row as done');
    const job = await this.#requireJob(entry.key);
    const before = job.data.entry;
    await this.#requireLock(entry.key);
    // Every `unknown` row must be in the list of in-doubt rows. A row is added before its entry becomes
    // `unknown` and removed after the entry changes again.
    if (entry.state === 'unknown') await this.#doubts.putIfAbsent(doubtId(entry), entry.key);
    await job.updateData({ ...job.data, entry });
    if (before?.state === 'unknown' && entry.state !== 'unknown') await this.#settleDoubt(before);
  }

  async claim(entry: LedgerEntry & { recordId: string }): Promise<boolean> {
    const owner = await this.#claims.putIfAbsent(claimId(entry.recordId), entry.key);
    if (owner !== entry.key) return false;
    const job = await this.#requireJob(entry.key);
    const before = job.data.entry;
    // The row itself is no longer needed, and a million rows would fill Redis's memory.
    await job.updateData({ key: entry.key, entry: { group: before?.group, ...entry, state: 'done' } });
    if (before?.state === 'unknown') await this.#settleDoubt(before);
    return true;
  }

  async isClaimed(recordId: string, key: string): Promise<boolean> {
    return ((await this.#claims.get(claimId(recordId))) ?? key) !== key;
  }

  inDoubt(group: string): Promise<string[]> {
    return this.#doubts.list(`doubt-${digest(group)}`);
  }

  async *entries(state?: RowState): AsyncGenerator<LedgerEntry, void, undefined> {
    const types = ['completed', 'failed', 'active', 'delayed', 'waiting'] as const;
    const seen = new Set<string>();
    for (const type of types) {
      for (let start = 0; ; start += pageSize) {
        const jobs = await this.#rows.getJobs([type], start, start + pageSize - 1, true);
        for (const job of jobs) {
          const { entry } = job.data;
          // A job's state can change while other jobs are being listed.
          if (!entry || (state && entry.state !== state) || seen.has(entry.key)) continue;
          if (type !== 'completed') seen.add(entry.key);
          yield entry;
        }
        // A page can contain fewer jobs than requested if a job is removed at the same time.
        if (jobs.length === 0) break;
      }
    }
  }

  async flush(): Promise<void> {}

  /** Deletes what the ledger stores outside the rows' jobs. */
  async deleteNotes(): Promise<void> {
    await this.#claims.deleteAll();
    await this.#doubts.deleteAll();
  }

  async close(): Promise<void> {
    await Promise.all([this.#claims.close(), this.#doubts.close()]);
  }

  /**
   * Locks a row's group across all machines, unless another row in the group holds the lock.
   *
   * @returns `in` if the row now holds the lock, `busy` if a worker is processing another row, or `blocked`
   * if another row must be processed first
   */
  async enter(group: string, key: string): Promise<'in' | 'busy' | 'blocked'> {
    const id = groupId(group);
    const holder = await this.#doubts.putIfAbsent(id, key);
    if (holder === key) return 'in';
    const state = await this.#rows.getJobState(rowJobId(holder));
    // A row releases its group before its job ends. If the holder's job has ended or doesn't exist, nothing
    // else will release the group.
    if (!hasEnded(state)) return state === 'active' ? 'busy' : 'blocked';
    const takeoverId = `takeover-${digest(group)}`;
    const successor = await this.#doubts.putIfAbsent(takeoverId, key);
    if (successor !== key) {
      // If the successor's worker was killed during the takeover, the next attempt can succeed.
      if (hasEnded(await this.#rows.getJobState(rowJobId(successor))))
        await this.#doubts.remove(takeoverId, successor);
      return 'busy';
    }
    await this.#doubts.remove(id, holder);
    const isIn = (await this.#doubts.putIfAbsent(id, key)) === key;
    await this.#doubts.remove(takeoverId, key);
    return isIn ? 'in' : 'busy';
  }

  async leave(group: string, key: string): Promise<void> {
    await this.#doubts.remove(groupId(group), key);
  }

  async #settleDoubt(entry: LedgerEntry): Promise<void> {
    await this.#doubts.remove(doubtId(entry), entry.key);
  }

  async #jobOf(key: string): Promise<Job<RowJob<unknown>> | undefined> {
    return this.#jobs.get(key)?.job ?? (await this.#rows.getJob(rowJobId(key)));
  }

  /**
   * Checks that this process still owns the row. If the process was suspended, another worker may own the row
   * now.
   */
  async #requireLock(key: string): Promise<void> {
    const active = this.#jobs.get(key);
    if (active && (await active.renew()) === 0)
      throw new LedgerError(`row "${key}" was assigned to another worker`);
  }

  async #requireJob(key: string): Promise<Job<RowJob<unknown>>> {
    const job = await this.#jobOf(key);
    if (!job) throw new LedgerError(`row "${key}" isn't in the queue "${this.#rows.name}"`);
    return job;
  }
}

const pageSize = 500;

const hasEnded = (state: JobState | 'unknown') => ['completed', 'failed', 'unknown'].includes(state);

const claimId = (recordId: string) => `claim-${digest(recordId)}`;
const groupId = (group: string) => `group-${digest(group)}`;
const doubtId = ({ group = '', key }: LedgerEntry) => `doubt-${digest(group)}-${digest(key)}`;
