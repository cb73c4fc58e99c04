import type { Epoch, Versioned } from './epoch.js';
import { OrderedLists } from './ordered-lists.js';
import { SlotMap } from './slot-map.js';

/**
 * Lists of records. Each list has a string as its key and is sorted by a number derived from each record. For
 * example, a tag's documents are sorted by creation order, and a board's tickets by due date.
 */
export class SortedIndex implements Versioned {
  readonly #keys = new SlotMap();
  readonly #lists: OrderedLists;
  readonly #rankOf: (item: number) => number;

  /** @param rankOf returns the number to sort by, which must not change while a record is in a list */
  constructor(epoch: Epoch, rankOf: (item: number) => number) {
    this.#lists = new OrderedLists(epoch);
    this.#rankOf = rankOf;
  }

  add(key: string, item: number): void {
    const slot = this.#keys.assign(key);
    this.#lists.insert(slot, this.#find(slot, item), item);
  }

  remove(key: string, item: number): void {
    const slot = this.#keys.assign(key);
    this.#lists.remove(slot, this.#find(slot, item));
  }

  length(key: string): number {
    const slot = this.#keys.find(key);
    return slot === undefined ? 0 : this.#lists.length(slot);
  }

  slice(key: string, from?: number, count?: number): number[] {
    const slot = this.#keys.find(key);
    return slot === undefined ? [] : this.#lists.slice(slot, from, count);
  }

  /** Counts the records in a list whose number is below the limit. */
  countBelow(key: string, limit: number): number {
    const slot = this.#keys.find(key);
    return slot === undefined ? 0 : this.#lists.lowerBound(slot, (item) => this.#rankOf(item) < limit);
  }

  capture(): unknown {
    return { keys: this.#keys.capture(), lists: this.#lists.capture() };
  }

  restore(captured: unknown): void {
    const { keys, lists } = captured as { keys: unknown; lists: unknown };
    this.#keys.restore(keys);
    this.#lists.restore(lists);
  }

  /**
   * Finds an item's index, or the index at which to insert it. Items with equal numbers are sorted by slot.
   */
  #find(slot: number, item: number): number {
    const rank = this.#rankOf(item);
    return this.#lists.lowerBound(slot, (other) => {
      const otherRank = this.#rankOf(other);
      return otherRank < rank || (otherRank === rank && other < item);
    });
  }
}
