export interface SnapshotEntry {
  /** The part of the feed that the record belongs to, for example `ticket:prj_1`. */
  scope: string;
  /** The record's ID, or an empty string for the entry that marks a scope as completely read. */
  id: string;
  /** The record's compared fields as JSON, or undefined to remove the entry. */
  value: string | undefined;
}

/**
 * Stores the last delivered version of each record in a feed, so that the next sweep can detect changes.
 *
 * Implement this interface to store the snapshot elsewhere, such as in your own database. Only one feed can
 * use a snapshot at a time. To test your implementation, use `snapshotContract` from `worktrack/jobs`.
 */
export interface Snapshot {
  /**
   * Returns all entries, in any order. Called before each sweep.
   *
   * @throws SnapshotError if the snapshot is damaged or in use
   */
  read(): Promise<Iterable<Readonly<SnapshotEntry>>>;
  /** Writes the entries atomically and durably: after a crash, either all are stored or none. */
  write(entries: readonly SnapshotEntry[]): Promise<void>;
  /** Releases the snapshot. You can't use it afterward. */
  close(): Promise<void>;
}

/** Thrown if a snapshot is damaged or in use, or if it can't be written. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/** Entries in memory, by scope and ID. Used by all snapshots that keep a copy of their entries in memory. */
export class SnapshotEntries {
  readonly #scopes = new Map<string, Map<string, string>>();
  #size = 0;

  constructor(entries: Iterable<Readonly<SnapshotEntry>> = []) {
    for (const entry of entries) this.apply(entry);
  }

  get size(): number {
    return this.#size;
  }

  apply({ scope, id, value }: SnapshotEntry): void {
    let records = this.#scopes.get(scope);
    if (!records) {
      records = new Map();
      this.#scopes.set(scope, records);
    }
    this.#size -= records.size;
    if (value === undefined) records.delete(id);
    else records.set(id, value);
    this.#size += records.size;
    if (!records.size) this.#scopes.delete(scope);
  }

  /** The values of a scope's records by ID. Includes the scope's own entry, whose ID is an empty string. */
  of(scope: string): ReadonlyMap<string, string> {
    return this.#scopes.get(scope) ?? new Map();
  }

  get scopes(): string[] {
    return [...this.#scopes.keys()];
  }

  *[Symbol.iterator](): Generator<SnapshotEntry, void, undefined> {
    for (const [scope, records] of this.#scopes) {
      for (const [id, value] of records) yield { scope, id, value };
    }
  }
}

/**
 * Creates a snapshot that is lost when the process ends. The next run starts from a new baseline.
 *
 * @example
 * ```ts
 * for await (const change of watchChanges({ client, project, snapshot: memorySnapshot() })) { … }
 * ```
 */
export function memorySnapshot(): Snapshot {
  const entries = new SnapshotEntries();
  return {
    async read() {
      return entries;
    },
    async write(changes) {
      for (const entry of changes) entries.apply(entry);
    },
    async close() {},
  };
}
