/** The number of chunks to merge into one. */
const groupSize = 1024;

/**
 * Collects the chunks of a body. It merges them in groups, because a chunk takes hundreds of bytes of memory,
 * even if it contains a single byte.
 */
export class Chunks {
  readonly #merged: Uint8Array[] = [];
  #recent: Uint8Array[] = [];

  add(chunk: Uint8Array): void {
    if (this.#recent.push(chunk) < groupSize) return;
    this.#merged.push(concat(this.#recent));
    this.#recent = [];
  }

  toArray(): readonly Uint8Array[] {
    return this.#merged.length ? [...this.#merged, ...this.#recent] : this.#recent;
  }
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}
