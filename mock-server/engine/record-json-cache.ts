/**
 * Writes pages of records as JSON, and keeps the bytes of each record for as long as its fields are the
 * same. A list is asked for again and again while few of its records change, and without this most of its
 * time is `JSON.stringify` and the encoding of its text (`npm run bench -- standalone`).
 *
 * Only for records as a rule has just made them: fields are compared one by one, and what lies within a
 * field (a ticket's labels) by identity, since rows are replaced and never changed.
 */
export class RecordJsonCache {
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /**
   * @param envelope puts a list into what is around it; called with a list of one text
   * @returns UTF-8
   */
  page(
    records: readonly Keepable[],
    envelope: (items: readonly unknown[]) => unknown,
  ): Uint8Array<ArrayBuffer> {
    const [before, after] = JSON.stringify(envelope([place])).split(JSON.stringify(place));
    const pieces = [encode(before)];
    const comma = encode(',');
    for (const [index, record] of records.entries()) {
      if (index > 0) pieces.push(comma);
      pieces.push(this.#bytesOf(record));
    }
    pieces.push(encode(after));
    return joined(pieces);
  }

  clear(): void {
    this.#kept.clear();
    this.#size = 0;
  }

  #bytesOf(record: Keepable): Uint8Array<ArrayBuffer> {
    const kept = this.#kept.get(record.id);
    if (kept && isSame(kept, record)) return kept.bytes;
    const bytes = encode(JSON.stringify(record));
    if (bytes.length > longest) return bytes;
    this.#size += bytes.length - (kept?.bytes.length ?? 0);
    if (this.#size > most) {
      this.clear();
      this.#size = bytes.length;
    }
    this.#kept.set(record.id, { record, fields: Object.keys(record).length, bytes });
    return bytes;
  }
}

export interface Keepable {
  id: string;
}

interface Kept {
  record: Keepable;
  /** How many it has. */
  fields: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that are kept: some 20,000 tickets. */
const most = 2 ** 24;

/** Bytes of the longest record that is kept. */
const longest = 2 ** 16;

/** Stands where the records go: no URL holds it, and no figure. */
const place = '\0';

const encode = (text = ''): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function isSame({ record, fields }: Kept, other: Keepable): boolean {
  let same = 0;
  for (const name in other) {
    if (record[name as keyof Keepable] !== other[name as keyof Keepable]) return false;
    same += 1;
  }
  return same === fields;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}
