import type { Job } from 'bullmq';
import { stopwatch } from '../../shared/stopwatch.js';
import { LedgerError } from '../ledger.js';
import type { RowJob } from './row-job.js';

/** A job that this process is working on. */
interface HeldJob {
  job: Job<RowJob<unknown>>;
  token: string;
  /** How long the job's lock lasts after each renewal, in milliseconds. */
  lockDuration: number;
  /** Waits until the workers' pause is over. */
  onPause: (milliseconds: number) => Promise<void>;
}

type RenewedJob = HeldJob & {
  /** Returns the number of milliseconds since the job's lock was last renewed. */
  sinceRenewal: () => number;
};

/** The jobs that this process is working on, by row key. Their locks must be renewed. */
export class HeldJobs {
  readonly #jobs = new Map<string, RenewedJob>();

  /**
   * Marks a job as held by this process. Its entry can then be read without fetching the job, and can be
   * written only while this process has the job's lock.
   *
   * @returns a function that releases the job
   */
  hold(held: HeldJob): () => void {
    const { key } = held.job.data;
    this.#jobs.set(key, { ...held, sinceRenewal: stopwatch() });
    return () => this.#jobs.delete(key);
  }

  get(key: string): RenewedJob | undefined {
    return this.#jobs.get(key);
  }

  /**
   * Checks that this process still owns the row. If the process was suspended, another worker may own the row
   * now.
   *
   * @throws LedgerError if another worker owns the row
   */
  async confirmOwnership(key: string): Promise<void> {
    const held = this.#jobs.get(key);
    while (held && held.sinceRenewal() > held.lockDuration / 2) if (!(await renew(held))) throw lost(key);
  }

  /**
   * Renews this process's locks one by one. BullMQ would renew them in a single statement, which can deadlock
   * on Postgres with BullMQ's search for unresponsive workers.
   */
  async renewLocks(): Promise<void> {
    for (const held of [...this.#jobs.values()]) {
      // If the lock can't be renewed, the row's next write fails.
      if (held.sinceRenewal() >= held.lockDuration / 4) await renew(held).catch(() => {});
    }
  }
}

/** @returns whether this process still has the job's lock */
async function renew(held: RenewedJob): Promise<boolean> {
  const sinceRenewal = stopwatch();
  const isRenewed = (await held.job.extendLock(held.token, held.lockDuration)) !== 0;
  if (isRenewed) held.sinceRenewal = sinceRenewal;
  return isRenewed;
}

export const lost = (key: string) => new LedgerError(`row "${key}" was assigned to another worker`);
