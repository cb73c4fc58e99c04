import type { Versioned } from './epoch.js';

/**
 * Assigns a small number, called a slot, to every string. Indexes and vectors store slots instead of strings.
 *
 * Restoring a snapshot removes the strings that were added after it was taken. Otherwise, a server that's
 * reset between tests would accumulate the IDs of all its past records.
 */
export class SlotMap implements Versioned {
  #entries: Entries = newEntries();

  get size(): number {
    return this.#entries.texts.length;
  }

  find(text: string): number | undefined {
    return this.#entries.slots.get(text);
  }

  textOf(slot: number): string {
    return this.#entries.texts[slot] as string;
  }

  /** Returns a string's slot. If it has none, assigns the next free slot. */
  assign(text: string): number {
    const { slots, texts } = this.#entries;
    let slot = slots.get(text);
    if (slot === undefined) {
      slot = texts.length;
      slots.set(text, slot);
      texts.push(text);
    }
    return slot;
  }

  capture(): unknown {
    const { size } = this;
    // `load()` needs a snapshot of the empty server. That snapshot must not keep the initial seed data in
    // memory.
    if (size === 0) return { entries: newEntries(), size } satisfies Captured;
    this.#entries.captured = Math.max(this.#entries.captured, size);
    return { entries: this.#entries, size } satisfies Captured;
  }

  restore(captured: unknown): void {
    const snapshot = captured as Captured;
    const { entries, size } = snapshot;
    // A newer snapshot needs the strings that truncating would remove, so make a copy for this one.
    if (entries.captured > size) snapshot.entries = copyOf(entries, size);
    else truncate(entries, size);
    this.#entries = snapshot.entries;
  }
}

interface Entries {
  readonly slots: Map<string, number>;
  readonly texts: string[];
  /** The number of entries that the largest snapshot needs. */
  captured: number;
}

interface Captured {
  entries: Entries;
  readonly size: number;
}

const newEntries = (): Entries => ({ slots: new Map(), texts: [], captured: 0 });

function copyOf({ texts }: Entries, size: number): Entries {
  const copy = texts.slice(0, size);
  return { slots: new Map(copy.map((text, slot) => [text, slot])), texts: copy, captured: size };
}

function truncate({ slots, texts }: Entries, size: number): void {
  while (texts.length > size) slots.delete(texts.pop() as string);
}
