import { type FileHandle, open, truncate } from 'node:fs/promises';
import { type FileLock, lockFile } from '../../shared/file-lock.js';
import { removeLeftovers, syncFolder } from '../../shared/files.js';
import { assertForgettable, type Ledger, LedgerError, otherScope } from '../ledger.js';
import type { LedgerEntry, RowState } from '../ledger-entry.js';
import { Checkpoint } from './checkpoint.js';
import {
  compact,
  doneEntriesIn,
  firstLines,
  isWorthCompacting,
  type LedgerContent,
  type LedgerMetadata,
  readLedger,
} from './content.js';

/**
 * Opens or creates a ledger file. The file is append-only NDJSON, with one line for each change to a row. It
 * survives crashes and power failures at any point. If it contains many outdated lines, it's compacted when
 * opened.
 *
 * @param path the ledger file. While it's open, `<path>.lock` prevents other processes from using it, even in
 * other containers or through symbolic links. If a process on another machine stops responding, you can open
 * the ledger after about 15 seconds. After that, the unresponsive process stops before its next write.
 * @throws LedgerError if the file is in use, damaged, or not a ledger
 *
 * @example
 * ```ts
 * const ledger = await fileLedger('tickets.ledger');
 * for await (const { key, recordId } of ledger.entries('done')) console.log(key, recordId);
 * await ledger.close();
 * ```
 */
export async function fileLedger(path: string): Promise<FileLedger> {
  const lock = await lockFile(path, { createError: (...error) => new LedgerError(...error) });
  try {
    return await openLedger(lock);
  } catch (error) {
    await lock.release();
    if (error instanceof LedgerError) throw error;
    throw new LedgerError(`${lock.path} can't be opened: ${(error as Error).message}`, { cause: error });
  }
}

/** A ledger in a file. */
export interface FileLedger extends Ledger {
  /** The metadata last passed to `setMetadata`, or undefined if there is none. */
  readonly metadata: LedgerMetadata | undefined;
  /** Stores data with the ledger, for example the name of the imported file. Replaces earlier metadata. */
  setMetadata(metadata: LedgerMetadata): Promise<void>;
}

async function openLedger(lock: FileLock): Promise<FileLedger> {
  const { path } = lock;
  await removeLeftovers(path);
  const checkpoint = await Checkpoint.read(path);
  let file = await open(path, 'a');
  try {
    const mode = (await file.stat()).mode & 0o777;
    const found = await readLedger(path, checkpoint);
    let { content } = found;
    await checkpoint.start(mode);
    // Truncate the file by its path, because Windows can't truncate a file that is open for appending.
    await truncate(path, found.length);
    if (found.length === 0) {
      const text = firstLines(content);
      await file.appendFile(text);
      checkpoint.add(text);
    }
    await file.sync();
    await syncFolder(path);
    await checkpoint.commit();
    if (isWorthCompacting(content)) {
      await compact(path, content, checkpoint, mode);
      await file.close();
      file = await open(path, 'a');
      // Read the file again, because compaction changes the line numbers.
      ({ content } = await readLedger(path, { add: () => {} }));
    }
    return new LockedLedger(lock, content, checkpoint, file);
  } catch (error) {
    await checkpoint.close();
    await file.close().catch(() => {});
    throw error;
  }
}

class LockedLedger implements FileLedger {
  readonly #lock: FileLock;
  readonly #content: LedgerContent;
  readonly #log: AppendLog;

  constructor(lock: FileLock, content: LedgerContent, checkpoint: Checkpoint, file: FileHandle) {
    this.#lock = lock;
    this.#content = content;
    this.#log = new AppendLog(file, lock, checkpoint);
  }

  get metadata(): LedgerMetadata | undefined {
    return this.#content.metadata;
  }

  async setMetadata(metadata: LedgerMetadata): Promise<void> {
    this.#content.metadata = metadata;
    await this.#log.append(JSON.stringify({ metadata }));
  }

  async bind(scope: string): Promise<void> {
    if (this.#content.scope === scope) return;
    if (this.#content.scope !== undefined) throw otherScope(this.#lock.path, this.#content.scope, scope);
    this.#content.scope = scope;
    await this.#log.append(JSON.stringify({ scope }));
  }

  /** Another process may have taken over the ledger while this process was suspended. */
  confirmOwnership(): void {
    this.#lock.assertHeld();
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
    // Don't wait for the line to be written to disk. If it's lost, the next run finds the record again.
    this.#write({ ...entry, state: 'done' }).catch(() => {});
    return true;
  }

  isClaimed(recordId: string, key: string): boolean {
    return this.#content.isClaimed(recordId, key);
  }

  inDoubt(group: string): string[] {
    return this.#content.inDoubt.in(group);
  }

  async forget(key: string): Promise<void> {
    const entry = this.get(key);
    assertForgettable(entry);
    if (entry) await this.#write({ key, state: 'pending' });
  }

  async *entries(state?: RowState): AsyncGenerator<LedgerEntry, void, undefined> {
    if (state === undefined || state === 'done') yield* doneEntriesIn(this.#lock.path, this.#content);
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
    // Update the in-memory state before anything asynchronous happens so that two rows can't claim the same
    // record.
    this.#content.apply(entry);
    return this.#log.append(JSON.stringify(entry));
  }
}

interface Batch {
  text: string;
  written: Promise<void>;
  settle(failure?: unknown): void;
}

/**
 * Appends lines to a file. Lines that arrive during a write are written and flushed to disk together, so that
 * many rows share the cost of a single flush.
 */
export class AppendLog {
  readonly #file: FileHandle;
  readonly #lock: Pick<FileLock, 'path' | 'assertHeld'>;
  readonly #checkpoint: Checkpoint;
  #batch: Batch | undefined;
  #running: Promise<void> | undefined;
  #failure: LedgerError | undefined;

  constructor(file: FileHandle, lock: Pick<FileLock, 'path' | 'assertHeld'>, checkpoint: Checkpoint) {
    this.#file = file;
    this.#lock = lock;
    this.#checkpoint = checkpoint;
  }

  /** Resolves when the line is on disk. */
  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#batch ??= newBatch();
    this.#batch.text += `${line}\n`;
    const { written } = this.#batch;
    this.#running ??= this.#run();
    return written;
  }

  /** @throws LedgerError if a line couldn't be written */
  async flush(): Promise<void> {
    await this.#running;
    if (this.#failure) throw this.#failure;
  }

  /** Waits until all lines are written and then closes the file. */
  async close(): Promise<void> {
    await this.#running;
    const failure = this.#failure;
    this.#failure ??= new LedgerError(`${this.#lock.path} is closed`);
    await this.#checkpoint.close();
    await this.#file.close();
    if (failure) throw failure;
  }

  async #run(): Promise<void> {
    while (this.#batch) {
      const batch = this.#batch;
      this.#batch = undefined;
      try {
        if (this.#failure) throw this.#failure;
        this.#lock.assertHeld();
        await this.#file.appendFile(batch.text);
        await this.#file.datasync();
        this.#checkpoint.add(batch.text);
        await this.#checkpoint.commit();
        batch.settle();
      } catch (cause) {
        // The file may end with an incomplete line, and appending to that line would corrupt the file.
        const message = `${this.#lock.path} can't be written: ${(cause as Error).message}`;
        this.#failure ??= new LedgerError(message, { cause });
        batch.settle(this.#failure);
      }
    }
    this.#running = undefined;
  }
}

function newBatch(): Batch {
  const batch: Batch = { text: '', written: Promise.resolve(), settle: () => {} };
  batch.written = new Promise((resolve, reject) => {
    batch.settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  // Prevent an unhandled rejection. The error isn't lost, because the next append fails with the same error.
  batch.written.catch(() => {});
  return batch;
}
