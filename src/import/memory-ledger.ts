import { assertForgettable, InDoubtRows, type Ledger, LedgerError, otherScope } from './ledger.js';
import type { LedgerEntry, RowState } from './ledger-entry.js';

/**
 * Creates an in-memory ledger, which is lost when the process ends. Use it for tests and for imports that you
 * can restart in an empty project.
 */
export function memoryLedger(): Ledger {
  return new MemoryLedger();
}

class MemoryLedger implements Ledger {
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #owners = new Map<string, string>();
  readonly #inDoubt = new InDoubtRows();
  #scope: string | undefined;

  async bind(scope: string): Promise<void> {
    this.#scope ??= scope;
    if (scope !== this.#scope) throw otherScope('the ledger', this.#scope, scope);
  }

  get(key: string): LedgerEntry | undefined {
    return this.#entries.get(key);
  }

  async put(entry: LedgerEntry): Promise<void> {
    if (entry.state === 'done') throw new LedgerError('use claim() to mark a row as done');
    this.#set(entry);
  }

  async claim(entry: LedgerEntry & { recordId: string }): Promise<boolean> {
    if (this.isClaimed(entry.recordId, entry.key)) return false;
    this.#owners.set(entry.recordId, entry.key);
    this.#set({ ...entry, state: 'done' });
    return true;
  }

  isClaimed(recordId: string, key: string): boolean {
    return (this.#owners.get(recordId) ?? key) !== key;
  }

  inDoubt(group: string): string[] {
    return this.#inDoubt.in(group);
  }

  async forget(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    assertForgettable(entry);
    if (entry) this.#set({ key, state: 'pending' });
  }

  async *entries(state?: RowState): AsyncGenerator<LedgerEntry, void, undefined> {
    for (const entry of [...this.#entries.values()]) if (!state || entry.state === state) yield entry;
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}

  #set(entry: LedgerEntry): void {
    this.#inDoubt.replace(this.#entries.get(entry.key), entry);
    this.#entries.set(entry.key, entry);
  }
}
