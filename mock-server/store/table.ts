import type { Epoch, Versioned } from './epoch.js';
import { Intern } from './intern.js';
import { PersistentVector } from './persistent-vector.js';

/** Records by id. A record is never changed, only replaced, so that old versions keep theirs. */
export class Table<Row> implements Versioned {
  readonly #slots = new Intern();
  readonly #rows: PersistentVector<Row>;
  #changed: (slot?: number) => void = () => {};

  constructor(epoch: Epoch) {
    this.#rows = new PersistentVector(epoch);
  }

  get(id: string): Row | undefined {
    const slot = this.#slots.find(id);
    return slot === undefined ? undefined : this.#rows.get(slot);
  }

  /** The record in a slot that is known to hold one. */
  at(slot: number): Row {
    return this.#rows.get(slot) as Row;
  }

  /** The number that stands for the id in indexes; the same in all versions. */
  slotOf(id: string): number {
    return this.#slots.of(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  put(id: string, row: Row): void {
    const slot = this.#slots.of(id);
    this.#rows.set(slot, row);
    this.#changed(slot);
  }

  /** Tells one listener of each slot that changes; of none in particular when all may have. */
  watch(changed: (slot?: number) => void): void {
    this.#changed = changed;
  }

  remove(id: string): void {
    const slot = this.#slots.find(id);
    if (slot === undefined) return;
    this.#rows.set(slot, undefined);
    this.#changed(slot);
  }

  values(): Generator<Row> {
    return this.#rows.values();
  }

  /** The records with their ids. */
  *entries(): Generator<[id: string, row: Row]> {
    for (const [slot, row] of this.#rows.entries()) yield [this.#slots.textOf(slot), row];
  }

  capture(): unknown {
    return this.#rows.capture();
  }

  restore(captured: unknown): void {
    this.#rows.restore(captured);
    this.#changed();
  }
}
