import type { Epoch, Versioned } from './epoch.js';

const bits = 5;
const width = 1 << bits;
const mask = width - 1;

/**
 * A sparse array that keeps its old versions for snapshots. It's a tree with 32 branches per node. Setting a
 * value copies only the path from the root to the value, and only once per snapshot.
 */
export class PersistentVector<Value> implements Versioned {
  #root: Node<Value> | undefined;
  #shift = 0;
  readonly #epoch: Epoch;

  constructor(epoch: Epoch) {
    this.#epoch = epoch;
  }

  get(index: number): Value | undefined {
    let node = this.#root;
    if (!node || index >>> this.#shift >= width) return undefined;
    for (let shift = this.#shift; shift > 0; shift -= bits) {
      node = node.items[(index >>> shift) & mask] as Node<Value> | undefined;
      if (!node) return undefined;
    }
    return node.items[index & mask] as Value | undefined;
  }

  set(index: number, value: Value | undefined): void {
    this.#epoch.changes += 1;
    let node = this.#writableNode(this.#root);
    while (index >>> this.#shift >= width) {
      node = { epoch: this.#epoch.current, items: [node] };
      this.#shift += bits;
    }
    this.#root = node;
    for (let shift = this.#shift; shift > 0; shift -= bits) {
      const branch = (index >>> shift) & mask;
      const child = this.#writableNode(node.items[branch] as Node<Value> | undefined);
      node.items[branch] = child;
      node = child;
    }
    node.items[index & mask] = value;
  }

  /** Iterates over the values in index order. Skips indexes without a value. */
  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  /** Iterates over the values with their indexes. Skips indexes without a value. */
  *entries(): Generator<[index: number, value: Value]> {
    if (this.#root) yield* walk(this.#root, this.#shift, 0);
  }

  capture(): unknown {
    return { root: this.#root, shift: this.#shift };
  }

  restore(captured: unknown): void {
    const { root, shift } = captured as { root: Node<Value> | undefined; shift: number };
    this.#root = root;
    this.#shift = shift;
    this.#epoch.changes += 1;
  }

  #writableNode(node: Node<Value> | undefined): Node<Value> {
    const epoch = this.#epoch.current;
    if (!node) return { epoch, items: [] };
    return node.epoch === epoch ? node : { epoch, items: node.items.slice() };
  }
}

interface Node<Value> {
  epoch: number;
  items: (Node<Value> | Value | undefined)[];
}

function* walk<Value>(node: Node<Value>, shift: number, first: number): Generator<[number, Value]> {
  for (const [branch, item] of node.items.entries()) {
    if (item === undefined) continue;
    const index = first + branch * 2 ** shift;
    if (shift > 0) yield* walk(item as Node<Value>, shift - bits, index);
    else yield [index, item as Value];
  }
}
