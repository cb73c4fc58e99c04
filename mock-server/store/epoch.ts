/**
 * Says which nodes of the state's structures may be changed in place. A node carries the epoch it
 * was made in; after a snapshot the epoch is a later one, so every older node is copied before it
 * is changed, and a snapshot costs no more than keeping the roots.
 */
export class Epoch {
  current = 0;
  /** Counts changes of the structures. */
  changes = 0;

  advance(): void {
    this.current += 1;
  }
}

/** A part of the state that a snapshot keeps and a restore puts back. */
export interface Versioned {
  /** @returns what `restore` needs; valid for ever, however the part changes later */
  capture(): unknown;
  restore(captured: unknown): void;
}
