/**
 * Decides which nodes of the persistent structures may be changed in place. Each node carries the epoch in
 * which it was created. A snapshot starts a new epoch, and a node of an older epoch is copied before it is
 * changed, so taking a snapshot only requires keeping the roots.
 */
export class Epoch {
  current = 0;
  /** Counts the changes to all structures. */
  changes = 0;

  advance(): void {
    this.current += 1;
  }
}

/** A part of the state that snapshots save and restore. */
export interface Versioned {
  /** @returns the argument for `restore`, which stays valid however the part changes later */
  capture(): unknown;
  restore(captured: unknown): void;
}
