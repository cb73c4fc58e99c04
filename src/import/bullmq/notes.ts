import type { Queue } from 'bullmq';
import { requireOpen } from './connection.js';

/** A note's data: a row key, or the import's scope. */
interface Note {
  value: string;
}

/**
 * Stores small values shared by all workers. The first worker to write a value wins. Values are stored as
 * jobs, because BullMQ adds a job with a given ID only once. The jobs are never processed.
 */
export class Notes {
  readonly #queue: Queue<Note>;

  constructor(queue: Queue<Note>) {
    this.#queue = queue;
  }

  get #open(): Queue<Note> {
    return requireOpen(this.#queue);
  }

  /** @returns the existing value, or the new value if none existed */
  async putIfAbsent(id: string, value: string): Promise<string> {
    for (;;) {
      await this.#open.add('note', { value }, { jobId: id });
      // The value is undefined if another worker removed the note between the two calls.
      const stored = await this.get(id);
      if (stored !== undefined) return stored;
    }
  }

  async get(id: string): Promise<string | undefined> {
    return (await this.#open.getJob(id))?.data.value;
  }

  /** Removes the note if it has this value. */
  async remove(id: string, value: string): Promise<void> {
    const job = await this.#open.getJob(id);
    if (job?.data.value === value) await this.#open.remove(id);
  }

  /** Returns the values of all notes whose IDs have this prefix. */
  async list(prefix: string): Promise<string[]> {
    const jobs = await this.#open.getWaiting();
    return jobs.filter((job) => (job.id as string).startsWith(prefix)).map((job) => job.data.value);
  }

  /** Deletes all notes. */
  deleteAll(): Promise<void> {
    return this.#open.obliterate();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}
