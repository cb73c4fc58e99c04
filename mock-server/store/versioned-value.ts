import type { Epoch, Versioned } from './epoch.js';

/** An immutable value included in snapshots, such as the seed data's settings. */
export class VersionedValue<Value> implements Versioned {
  readonly #epoch: Epoch;
  #value: Value;

  constructor(epoch: Epoch, value: Value) {
    this.#epoch = epoch;
    this.#value = value;
  }

  get(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#epoch.changes += 1;
    this.#value = value;
  }

  capture(): unknown {
    return this.#value;
  }

  restore(captured: unknown): void {
    this.#value = captured as Value;
  }
}
