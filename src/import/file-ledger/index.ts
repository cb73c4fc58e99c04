import { open, truncate } from 'node:fs/promises';
import { type FileLock, lockFile } from '../../shared/file-lock.js';
import { type Ledger, type LedgerEntry, LedgerError, otherScope, type RowState } from '../ledger.js';
import { AppendLog } from './append-log.js';
import { compact, isWorthCompacting, removeDraft, syncFolder } from './compact.js';
import { entriesIn, header, type LedgerContent, readLedger } from './content.js';

/**
 * Opens or creates a ledger file. The file is append-only NDJSON, with one line for each change to a row. It
 * survives crashes and power failures at any point, and it is compacted when opened.
 *
 * @param path the ledger file. While it is open, `<path>.lock` prevents other processes from using it, also
 * from other containers and through symbolic links. If a process elsewhere stops responding, the next one takes
 * over the ledger after about 15 seconds, and the first one can't write anymore.
 * @throws LedgerError if the file is in use, damaged, or not a ledger
 *
 * @example
 * ```ts
 * const ledger = await fileLedger('tickets.ledger');
 * for await (const { key, recordId } of ledger.entries('done')) console.log(key, recordId);
 * await ledger.close();
 * ```
 */
export async function fileLedger(path: string): Promise<Ledger> {
  const lock = await lockFile(path, { createError: (...error) => new LedgerError(...error) });
  const file = lock.path;
  try {
    await removeDraft(file);
    const content = await load(file);
    if (isWorthCompacting(content)) await compact(file, content);
    const log = new AppendLog(await open(file, 'a'), file, () => lock.assertHeld());
    return new FileLedger(lock, content, log);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function load(path: string): Promise<LedgerContent> {
  const file = await open(path, 'a');
  try {
    const { content, length } = await readLedger(path);
    // Windows can't truncate a file that is open for appending.
    await truncate(path, length);
    if (length === 0) await file.appendFile(`${header}\n`);
    await file.sync();
    await syncFolder(path);
    return content;
  } finally {
    await file.close();
  }
}

class FileLedger implements Ledger {
  readonly #lock: FileLock;
  readonly #content: LedgerContent;
  readonly #log: AppendLog;

  constructor(lock: FileLock, content: LedgerContent, log: AppendLog) {
    this.#lock = lock;
    this.#content = content;
    this.#log = log;
  }

  async bind(scope: string): Promise<void> {
    if (this.#content.scope === scope) return;
    if (this.#content.scope !== undefined) throw otherScope(this.#lock.path, this.#content.scope, scope);
    this.#content.scope = scope;
    await this.#log.append(JSON.stringify({ scope }));
  }

  get(key: string): LedgerEntry | undefined {
    return this.#content.get(key);
  }

  put(entry: LedgerEntry): Promise<void> {
    if (entry.state === 'done') return Promise.reject(new LedgerError('use claim() to mark a row as done'));
    return this.#write(entry);
  }

  async claim(entry: LedgerEntry & { recordId: string }): Promise<boolean> {
    if (this.isClaimed(entry.recordId, entry.key)) return false;
    // This doesn't wait for the disk. If the line is lost, the next run finds the record again.
    this.#write({ ...entry, state: 'done' }).catch(() => {});
    return true;
  }

  isClaimed(recordId: string, key: string): boolean {
    return this.#content.isClaimed(recordId, key);
  }

  inDoubt(group: string): string[] {
    return this.#content.inDoubt(group);
  }

  async *entries(state?: RowState): AsyncGenerator<LedgerEntry, void, undefined> {
    if (state === undefined || state === 'done') {
      for await (const entry of entriesIn(this.#lock.path)) if (entry.state === 'done') yield entry;
    }
    for (const entry of [...this.#content.open.values()]) if (!state || entry.state === state) yield entry;
  }

  flush(): Promise<void> {
    return this.#log.flush();
  }

  async close(): Promise<void> {
    try {
      await this.#log.close();
    } finally {
      await this.#lock.release();
    }
  }

  #write(entry: LedgerEntry): Promise<void> {
    // The in-memory state is updated synchronously after the check, so two rows can't claim the same record.
    this.#content.apply(entry);
    return this.#log.append(JSON.stringify(entry));
  }
}
