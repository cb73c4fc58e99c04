import { open, truncate } from 'node:fs/promises';
import { type FileLock, lockFile } from '../../../../src/shared/file-lock.js';
import { removeLeftovers, syncFolder } from '../../../../src/shared/files.js';
import { assertForgettable, assertNotDone, type Ledger, LedgerError, otherScope } from '../ledger.js';
import type { LedgerEntry } from '../ledger-entry.js';
import { AppendLog } from './append-log.js';
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
    return lockedLedger(lock, content, new AppendLog(file, lock, checkpoint));
  } catch (error) {
    await checkpoint.close();
    await file.close().catch(() => {});
    throw error;
  }
}

function lockedLedger(lock: FileLock, content: LedgerContent, log: AppendLog): FileLedger {
  const { path } = lock;
  // The in-memory state is updated before anything asynchronous happens so that two rows can't claim the same
  // record.
  const write = (entry: LedgerEntry): Promise<void> => {
    content.apply(entry);
    return log.append(JSON.stringify(entry));
  };
  return {
    get metadata() {
      return content.metadata;
    },
    async setMetadata(metadata) {
      content.metadata = metadata;
      await log.append(JSON.stringify({ metadata }));
    },
    async bind(scope) {
      if (content.scope === scope) return;
      if (content.scope !== undefined) throw otherScope(path, content.scope, scope);
      content.scope = scope;
      await log.append(JSON.stringify({ scope }));
    },
    /** Another process may have taken over the ledger while this process was suspended. */
    confirmOwnership: () => lock.assertHeld(),
    get: (key) => content.get(key),
    async put(entry) {
      assertNotDone(entry);
      await write(entry);
    },
    async claim(entry) {
      if (content.isClaimed(entry.recordId, entry.key)) return false;
      // Don't wait for the line to be written to disk. If it's lost, the next run finds the record again.
      write({ ...entry, state: 'done' }).catch(() => {});
      return true;
    },
    isClaimed: (recordId, key) => content.isClaimed(recordId, key),
    inDoubt: (group) => content.inDoubt.in(group),
    async forget(key) {
      const entry = content.get(key);
      assertForgettable(entry);
      if (entry) await write({ key, state: 'pending' });
    },
    async *entries(state) {
      if (state === undefined || state === 'done') yield* doneEntriesIn(path, content);
      for (const entry of [...content.open.values()]) if (!state || entry.state === state) yield entry;
    },
    flush: () => log.flush(),
    async close() {
      try {
        await log.close();
      } finally {
        await lock.release();
      }
    },
  };
}
