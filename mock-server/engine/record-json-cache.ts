/**
 * Serializes pages of records to JSON and caches the bytes of each record. Lists are requested often while
 * few of their records change. Without the cache, a list takes most of its time in `JSON.stringify` and UTF-8
 * encoding (`npm run bench -- standalone`).
 *
 * Pass only records that a rule has just built: fields are compared one by one, and nested values, such as a
 * ticket's labels, by identity. That is safe because rows are replaced and never changed.
 */
export class RecordJsonCache {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /**
   * @param envelope puts the items into the response's envelope; it is called with a placeholder, a list of
   * one string
   * @returns UTF-8
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
    return concatenate(pieces);
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
  /** The number of fields. */
  fields: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Enough for about 20,000 tickets. */
const maxBytes = 2 ** 24;

/** A longer record isn't cached. */
const maxRecordBytes = 2 ** 16;

/** The placeholder for the records. URLs and numbers can't contain it. */
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

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}
