import type { Epoch, Versioned } from './epoch.js';
import { PersistentVector } from './persistent-vector.js';
import { SlotMap } from './slot-map.js';

/** Records, keyed by ID. A record is replaced, never modified, because snapshots keep old versions. */
export class Table<Row> implements Versioned {
  readonly #ids = new SlotMap();
  readonly #rows: PersistentVector<Row>;
  readonly #epoch: Epoch;

  constructor(epoch: Epoch) {
    this.#epoch = epoch;
    this.#rows = new PersistentVector(epoch);
  }

  get(id: string): Row | undefined {
    const slot = this.#ids.find(id);
    return slot === undefined ? undefined : this.#rows.get(slot);
  }

  /** Returns the record in a slot, which must not be empty. */
  at(slot: number): Row {
    return this.#rows.get(slot) as Row;
  }

  /** Returns the slot of an existing record. */
  slotOf(id: string): number {
    const slot = this.#ids.find(id);
    if (slot === undefined) throw new Error(`no record has the ID ${id}`);
    return slot;
  }

  /** Returns an ID's slot. Assigns one if necessary, so that other records can refer to a record added later. */
  assignSlot(id: string): number {
    return this.#ids.assign(id);
  }

  /** The number of assigned slots, including those of removed records. */
  get slots(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  put(id: string, row: Row): void {
    this.#rows.set(this.#ids.assign(id), row);
    this.#epoch.noteRow(this, id);
  }

  remove(id: string): void {
    const slot = this.#ids.find(id);
    if (slot === undefined) return;
    this.#rows.set(slot, undefined);
    this.#epoch.noteOtherChange();
  }

  /** Iterates over the IDs of the records. */
  *ids(): Generator<string> {
    for (const [slot] of this.#rows.entries()) yield this.#ids.textOf(slot);
  }

  values(): Generator<Row> {
    return this.#rows.values();
  }

  capture(): unknown {
    return { ids: this.#ids.capture(), rows: this.#rows.capture() };
  }

  restore(captured: unknown): void {
    const { ids, rows } = captured as { ids: unknown; rows: unknown };
    this.#ids.restore(ids);
    this.#rows.restore(rows);
    this.#epoch.noteOtherChange();
  }
}
