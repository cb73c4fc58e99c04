import type { Queue } from 'bullmq';

/** What a note holds: the key of the row that it belongs to, or the import's scope. */
interface Note {
  value: string;
}

/**
 * Small values that all workers share, each written by the first that tries to. They are jobs that nobody
 * works on: BullMQ adds a job with a given id only once, on Redis and on Postgres alike.
 */
export class Notes {
  readonly #queue: Queue<Note>;

  constructor(queue: Queue<Note>) {
    this.#queue = queue;
  }

  /** @returns the value that is there: this one, or one that was there before */
  async putIfAbsent(id: string, value: string): Promise<string> {
    for (;;) {
      await this.#queue.add('note', { value }, { jobId: id });
      // Gone between the two if another worker has just removed its own.
      const there = await this.get(id);
      if (there !== undefined) return there;
    }
  }

  async get(id: string): Promise<string | undefined> {
    return (await this.#queue.getJob(id))?.data.value;
  }

  /** Removes a note if it has this value. */
  async remove(id: string, value: string): Promise<void> {
    const job = await this.#queue.getJob(id);
    if (job?.data.value === value) await this.#queue.remove(id);
  }

  /** The values of the notes whose id begins so. */
  async list(prefix: string): Promise<string[]> {
    const jobs = await this.#queue.getJobs(['waiting'], 0, -1);
    return jobs.filter((job) => job?.id?.startsWith(prefix)).map((job) => job.data.value);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
