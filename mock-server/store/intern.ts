import type { Versioned } from './epoch.js';

/**
 * Assigns a small number, its slot, to every string. Indexes and vectors store slots instead of strings.
 *
 * A snapshot relies on the slots that existed when it was taken. Restoring it removes all later strings, so a
 * server that is reset between tests doesn't accumulate the IDs of all records it ever had.
 */
export class Intern implements Versioned {
  #entries: Entries = newEntries();

  get size(): number {
    return this.#entries.texts.length;
  }

  /** @returns undefined for a string without a slot */
  find(text: string): number | undefined {
    return this.#entries.slots.get(text);
  }

  textOf(slot: number): string {
    return this.#entries.texts[slot] as string;
  }

  /** Returns the slot of a string, and assigns the next free one if it has none. */
  of(text: string): number {
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
    // The snapshot of the empty server, kept for `load()`, must not keep the initial seed data in memory.
    if (size === 0) return { entries: newEntries(), size } satisfies Captured;
    this.#entries.captured = Math.max(this.#entries.captured, size);
    return { entries: this.#entries, size } satisfies Captured;
  }

  restore(captured: unknown): void {
    const kept = captured as Captured;
    const { entries, size } = kept;
    // A later snapshot still needs the later strings, so this one continues with a copy.
    if (entries.captured > size) kept.entries = copyOf(entries, size);
    else truncate(entries, size);
    this.#entries = kept.entries;
  }
}

interface Entries {
  readonly slots: Map<string, number>;
  readonly texts: string[];
  /** The number of entries that the largest snapshot relies on. */
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
