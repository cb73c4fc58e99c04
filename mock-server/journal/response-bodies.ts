import type { OpenRecord } from './entry.js';

/** Bytes beyond which a response's body isn't kept. */
const maxBodySize = 2 ** 16;

/** Bytes that all kept bodies may have. */
const maxTotalSize = 2 ** 20;

/** Keeps the bodies of the latest responses in their journal entries, and removes them from older entries. */
export class ResponseBodies {
  /** Oldest first. */
  readonly #records = new Set<OpenRecord>();
  #size = 0;

  /** Keeps the body of a request that has just got its response, unless it is too large. */
  keep(record: OpenRecord): void {
    const size = record.responseText?.length ?? 0;
    if (size > maxBodySize) record.responseText = undefined;
    if (record.responseText === undefined) return;
    this.#records.add(record);
    this.#size += size;
    for (const oldest of this.#records) {
      if (this.#size <= maxTotalSize) return;
      this.forget(oldest);
    }
  }

  forget(record: OpenRecord): void {
    if (!this.#records.delete(record)) return;
    this.#size -= record.responseText?.length ?? 0;
    record.responseText = undefined;
  }
}
