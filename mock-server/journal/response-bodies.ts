import type { JournalEntry } from './entry.js';

/**
 * The maximum size of a stored response body: in UTF-16 code units for a string, and in bytes otherwise.
 * Encoding every string to count its bytes isn't worth the cost.
 */
export const maxBodySize = 2 ** 16;

/** The maximum total size of all stored response bodies, in the same units. */
const maxTotalSize = 2 ** 20;

/** Keeps the latest response bodies in the journal and removes older ones. */
export class ResponseBodies {
  /** Oldest first. */
  readonly #records = new Set<JournalEntry>();
  #size = 0;

  /** Keeps a request's response body unless it's too large. */
  retain(record: JournalEntry): void {
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

  forget(record: JournalEntry): void {
    if (!this.#records.delete(record)) return;
    this.#size -= record.responseText?.length ?? 0;
    record.responseText = undefined;
  }
}
