import { concat } from '../../src/shared/chunks.js';

/**
 * Serializes pages of records to JSON and caches each record's bytes. Clients often request a list again
 * after only a few records have changed. Without the cache, `JSON.stringify` and UTF-8 encoding would take
 * most of the time (`npm run bench -- mock-fetch`).
 *
 * Pass only records that a rule has just built. To detect changes, the cache compares their fields by
 * identity, including nested values such as a ticket's labels. This is safe because rows are replaced, never
 * modified.
 */
export class RecordJsonCache {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /**
   * @param envelope wraps the items in the response envelope. It's called with a placeholder string as the
   * only item.
   * @returns the page as UTF-8 bytes
   */
  page(
    records: readonly CacheableRecord[],
    envelope: (items: readonly unknown[]) => unknown,
  ): Uint8Array<ArrayBuffer> {
    const [before, after] = JSON.stringify(envelope([placeholder])).split(JSON.stringify(placeholder));
    const pieces = [encode(before)];
    const comma = encode(',');
    for (const [index, record] of records.entries()) {
      if (index > 0) pieces.push(comma);
      pieces.push(this.#bytesOf(record));
    }
    pieces.push(encode(after));
    return concat(pieces);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #bytesOf(record: CacheableRecord): Uint8Array<ArrayBuffer> {
    const cached = this.#entries.get(record.id);
    if (cached && isSame(cached, record)) return cached.bytes;
    const bytes = encode(JSON.stringify(record));
    if (bytes.length > maxRecordBytes) return bytes;
    this.#size += bytes.length - (cached?.bytes.length ?? 0);
    if (this.#size > maxBytes) {
      this.clear();
      this.#size = bytes.length;
    }
    this.#entries.set(record.id, { record, fields: Object.keys(record).length, bytes });
    return bytes;
  }
}

export interface CacheableRecord {
  id: string;
}

interface Entry {
  record: CacheableRecord;
  fields: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The maximum size of the cache, in bytes, which is enough for about 20,000 tickets. */
const maxBytes = 2 ** 24;

/** The maximum size of a cached record, in bytes. */
const maxRecordBytes = 2 ** 16;

/** Marks where the records go in the envelope. URLs and numbers can't contain this character. */
const placeholder = '\0';

const encode = (text = ''): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function isSame({ record, fields }: Entry, other: CacheableRecord): boolean {
  let same = 0;
  for (const name in other) {
    if (record[name as keyof CacheableRecord] !== other[name as keyof CacheableRecord]) return false;
    same += 1;
  }
  return same === fields;
}
