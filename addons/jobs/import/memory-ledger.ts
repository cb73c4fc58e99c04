import { assertForgettable, assertNotDone, InDoubtRows, type Ledger, otherScope } from './ledger.js';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * Creates an in-memory ledger, which is lost when the process ends. Use it for tests and for imports that you
 * can restart in an empty project.
 */
export function memoryLedger(): Ledger {
  const entries = new Map<string, LedgerEntry>();
  const owners = new Map<string, string>();
  const inDoubt = new InDoubtRows();
  let boundTo: string | undefined;
  const set = (entry: LedgerEntry) => {
    inDoubt.replace(entries.get(entry.key), entry);
    entries.set(entry.key, entry);
  };
  const isClaimed = (recordId: string, key: string) => (owners.get(recordId) ?? key) !== key;
  return {
    async bind(scope) {
      boundTo ??= scope;
      if (scope !== boundTo) throw otherScope('the ledger', boundTo, scope);
    },
    get: (key) => entries.get(key),
    async put(entry) {
      assertNotDone(entry);
      set(entry);
    },
    async claim(entry) {
      if (isClaimed(entry.recordId, entry.key)) return false;
      owners.set(entry.recordId, entry.key);
      set({ ...entry, state: 'done' });
      return true;
    },
    isClaimed,
    inDoubt: (group) => inDoubt.in(group),
    async forget(key) {
      const entry = entries.get(key);
      assertForgettable(entry);
      if (entry) set({ key, state: 'pending' });
    },
    async *entries(state) {
      for (const entry of [...entries.values()]) if (!state || entry.state === state) yield entry;
    },
    async flush() {},
    async close() {},
  };
}
