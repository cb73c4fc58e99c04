import type { Epoch, Versioned } from './epoch.js';

const bits = 5;
const width = 1 << bits;
const mask = width - 1;

/**
 * A sparse array whose old versions stay readable: a tree of 32 branches a node, of which a change
 * copies one path at most, and nothing where the path was already copied since the last snapshot.
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
    let node = this.#own(this.#root);
    while (index >>> this.#shift >= width) {
      node = { epoch: this.#epoch.current, items: [node] };
      this.#shift += bits;
    }
    this.#root = node;
    for (let shift = this.#shift; shift > 0; shift -= bits) {
      const branch = (index >>> shift) & mask;
      const child = this.#own(node.items[branch] as Node<Value> | undefined);
      node.items[branch] = child;
      node = child;
    }
    node.items[index & mask] = value;
  }

  /** The values that are set, by index. */
  *values(): Generator<Value> {
    if (this.#root) yield* walk(this.#root, this.#shift);
  }

  capture(): unknown {
    return { root: this.#root, shift: this.#shift };
  }

  restore(captured: unknown): void {
    const { root, shift } = captured as { root: Node<Value> | undefined; shift: number };
    this.#root = root;
    this.#shift = shift;
  }

  #own(node: Node<Value> | undefined): Node<Value> {
    const epoch = this.#epoch.current;
    if (!node) return { epoch, items: [] };
    return node.epoch === epoch ? node : { epoch, items: node.items.slice() };
  }
}

interface Node<Value> {
  epoch: number;
  items: (Node<Value> | Value | undefined)[];
}

function* walk<Value>(node: Node<Value>, shift: number): Generator<Value> {
  for (const item of node.items) {
    if (item === undefined) continue;
    if (shift > 0) yield* walk(item as Node<Value>, shift - bits);
    else yield item as Value;
  }
}
