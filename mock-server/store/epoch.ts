/**
 * Determines which nodes of the persistent data structures can be modified in place. Each node stores the
 * epoch in which it was created, and a snapshot starts a new epoch. Nodes from older epochs are copied before
 * they are modified, so a snapshot needs only the root nodes.
 */
export class Epoch {
  current = 0;
  /** The number of changes across all data structures. */
  changes = 0;
  /** The changes since each log was last read. */
  readonly #logs = new Map<ChangeLog, ChangedRows | undefined>();

  advance(): void {
    this.current += 1;
  }

  noteRow(table: object, id: string): void {
    for (const rows of this.#logs.values()) {
      if (rows) rows.set(table, (rows.get(table) ?? new Set()).add(id));
    }
  }

  /** Records a change that isn't the addition or replacement of a row. */
  noteOtherChange(): void {
    for (const log of this.#logs.keys()) this.#logs.set(log, undefined);
  }

  /** Starts logging the rows that are added or replaced. */
  logChanges(): ChangeLog {
    const log: ChangeLog = {
      take: () => {
        const rows = this.#logs.get(log);
        this.#logs.set(log, new Map());
        return rows;
      },
      stop: () => void this.#logs.delete(log),
    };
    return log;
  }
}

/** A log of the rows that were added or replaced. */
export interface ChangeLog {
  /**
   * Returns the rows that changed since the previous call. Returns undefined if this is the first call, or if
   * something else changed.
   */
  take(): ChangedRows | undefined;
  stop(): void;
}

/** The IDs of the changed rows, keyed by table. */
export type ChangedRows = Map<object, Set<string>>;

/** A part of the state that snapshots save and restore. */
export interface Versioned {
  /** @returns a value for `restore` that stays valid after later changes */
  capture(): unknown;
  restore(captured: unknown): void;
}
