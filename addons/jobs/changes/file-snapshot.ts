import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type FileLock, lockFile } from '../../../src/shared/file-lock.js';
import { readLines, removeLeftovers, replaceFile } from '../../../src/shared/files.js';
import { type Snapshot, SnapshotEntries, type SnapshotEntry, SnapshotError } from './snapshot.js';

/**
 * Opens or creates a snapshot file. It survives crashes and power failures at any point. To limit its size,
 * the file is rewritten when it contains many outdated entries.
 *
 * A truncated file is rejected if records are missing. If only the latest deliveries are missing, their
 * changes are reported again.
 *
 * @throws SnapshotError on use if the file is damaged, in use, or not a snapshot
 *
 * @example
 * ```ts
 * const snapshot = fileSnapshot('changes.ndjson');
 * for await (const change of watchChanges({ client, project, snapshot })) console.log(change.type);
 * await snapshot.close();
 * ```
 */
export function fileSnapshot(path: string): Snapshot {
  const file = resolve(path);
  let opened: Promise<OpenSnapshot> | undefined;
  const use = () => {
    opened ??= OpenSnapshot.open(file).catch((error) => {
      // The next use tries again. By then, another process may have released the file.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    read: async () => (await use()).entries,
    write: async (entries) => (await use()).write(entries),
    async close() {
      const snapshot = await opened?.catch(() => undefined);
      opened = Promise.reject(new SnapshotError(`${file} is closed`));
      opened.catch(() => {});
      await snapshot?.close();
    },
  };
}

/**
 * The file has one line for each entry in the last rewrite, followed by one line for each later write. The
 * header contains the number of entries in the last rewrite.
 */
class OpenSnapshot {
  readonly entries: SnapshotEntries;
  readonly #lock: FileLock;
  #file: FileHandle;
  /** The number of entries in the file, including outdated ones. */
  #written: number;
  #failure: SnapshotError | undefined;
  /** Resolves when the last write has finished. */
  #lastWrite = Promise.resolve();

  private constructor(lock: FileLock, file: FileHandle, entries: SnapshotEntries, written: number) {
    this.#lock = lock;
    this.#file = file;
    this.entries = entries;
    this.#written = written;
  }

  static async open(path: string): Promise<OpenSnapshot> {
    const createError = (message: string, options?: ErrorOptions) => new SnapshotError(message, options);
    const lock = await lockFile(path, { createError });
    try {
      await removeLeftovers(lock.path);
      const { entries, written, length } = await readSnapshot(lock.path);
      if (length === 0) await rewrite(lock, entries);
      const file = await open(lock.path, appending);
      if (length > 0) await file.truncate(length);
      return new OpenSnapshot(lock, file, entries, written);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Performs writes one at a time, because a rewrite would lose lines that are appended during it. */
  write(entries: readonly SnapshotEntry[]): Promise<void> {
    const write = this.#lastWrite.then(() => this.#write(entries));
    this.#lastWrite = write.catch(() => {});
    return write;
  }

  async #write(entries: readonly SnapshotEntry[]): Promise<void> {
    if (this.#failure) throw this.#failure;
    const next = this.#written + entries.length;
    try {
      this.#lock.assertHeld();
      if (entries.length > 1000 || next > 1000 + 2 * this.entries.size) {
        // Work on a copy, because the entries must stay unchanged if the write fails.
        const rewritten = new SnapshotEntries(this.entries);
        for (const entry of entries) rewritten.apply(entry);
        await rewrite(this.#lock, rewritten);
        const file = await open(this.#lock.path, appending);
        await this.#file.close();
        this.#file = file;
        this.#written = rewritten.size;
      } else {
        // Unlike `write`, this fails if only part of the line fits on the disk.
        await this.#file.appendFile(`${lineOf(entries)}\n`);
        await this.#file.datasync();
        this.#written = next;
      }
    } catch (cause) {
      // After a failed write, the file may end with an incomplete line. Appending to that line would corrupt
      // the file.
      this.#failure = new SnapshotError(`${this.#lock.path} can't be written: ${(cause as Error).message}`, {
        cause,
      });
      throw this.#failure;
    }
    for (const entry of entries) this.entries.apply(entry);
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#file.close();
    await this.#lock.release();
  }
}

/** The flags for appending to a file that must already exist. */
const appending = constants.O_WRONLY | constants.O_APPEND;

function* linesOf(entries: SnapshotEntries): Generator<string, void, undefined> {
  yield `${headerOf(entries.size)}\n`;
  for (const entry of entries) yield `${lineOf([entry])}\n`;
}

/** Replaces the file with one line per entry. */
const rewrite = (lock: FileLock, entries: SnapshotEntries): Promise<void> =>
  replaceFile(lock.path, linesOf(entries), { beforeRename: () => lock.assertHeld() });

/**
 * Reads a snapshot file, or returns no entries if it doesn't exist.
 *
 * @returns the entries and the file's length, not counting an incomplete last line
 */
async function readSnapshot(path: string) {
  const entries = new SnapshotEntries();
  let written = 0;
  let length = 0;
  let expected = 0;
  let lines = -1;
  try {
    for await (const { bytes, end, complete } of readLines(path)) {
      const text = bytes.toString();
      if (lines < 0) expected = readHeader(path, text);
      else if (complete) {
        const line = parseLine(text);
        if (!line)
          throw new SnapshotError(`${path} is damaged: line ${lines + 2} can't be read; ${startOver}`);
        for (const entry of line) entries.apply(entry);
        written += line.length;
      }
      // Skip an incomplete last line, which a crash during a write leaves behind.
      if (complete) {
        length = end;
        lines++;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { entries, written, length };
    throw error;
  }
  if (lines < expected) {
    throw new SnapshotError(
      `${path} is truncated: it has ${Math.max(0, lines)} of ${expected} records; ${startOver}`,
    );
  }
  return { entries, written, length };
}

const headerOf = (records: number) => JSON.stringify({ snapshot: 'worktrack', version: 1, records });

/** @returns the number of entries in the last rewrite */
function readHeader(path: string, text: string): number {
  try {
    const { snapshot, version, records } = JSON.parse(text);
    if (snapshot === 'worktrack' && version === 1 && Number.isSafeInteger(records)) return records;
  } catch {}
  throw new SnapshotError(text ? `${path} isn't a snapshot` : `${path} is empty; ${startOver}`);
}

const lineOf = (entries: readonly SnapshotEntry[]) =>
  JSON.stringify(
    entries.map(({ scope, id, value }) => (value === undefined ? [scope, id] : [scope, id, value])),
  );

function parseLine(text: string): SnapshotEntry[] | undefined {
  try {
    const line = JSON.parse(text) as unknown[][];
    const entries = line.map(([scope, id, value]) => ({ scope, id, value }) as SnapshotEntry);
    const isValid = entries.every(
      ({ scope, id, value }) =>
        typeof scope === 'string' && typeof id === 'string' && ['string', 'undefined'].includes(typeof value),
    );
    return isValid ? entries : undefined;
  } catch {
    return undefined;
  }
}

const startOver = 'delete it to start from a new baseline';
