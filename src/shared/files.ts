import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface Line {
  bytes: Buffer;
  /** The number of bytes read so far, not counting an incomplete line. */
  end: number;
  /** Whether the line ends with a line break. */
  complete: boolean;
}

/**
 * Reads a file line by line, in constant memory. The last item is whatever follows the final newline: usually an
 * empty string, otherwise a partial line.
 */
export async function* readLines(path: string): AsyncGenerator<Line, void, undefined> {
  const parts: Buffer[] = [];
  let end = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, at);
      const bytes = parts.length ? Buffer.concat([...parts.splice(0), last]) : last;
      end += bytes.length + 1;
      yield { bytes, end, complete: true };
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield { bytes: Buffer.concat(parts), end, complete: false };
}

/**
 * Replaces a file atomically: writes a temporary file next to it, flushes it to disk, and renames it. By default,
 * only the owner can read the file, because it may contain tokens.
 *
 * The temporary file has an unpredictable name and must not exist yet. Otherwise, another user could redirect
 * the write with a symbolic link. `write-file-atomic` doesn't prevent this because its file names are
 * predictable.
 *
 * @param beforeRename throws an error if the file may no longer be replaced
 */
export async function replaceFile(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  { mode, beforeRename }: { mode?: number; beforeRename?: () => void | Promise<void> } = {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      if (mode !== undefined) await file.chmod(mode);
      let pending = '';
      for await (const text of texts) {
        pending += text;
        if (pending.length < 1 << 18) continue;
        await file.writeFile(pending);
        pending = '';
      }
      await file.writeFile(pending);
      await file.sync();
    } finally {
      await file.close();
    }
    await beforeRename?.();
    await rename(temporary, path);
  } catch (error) {
    // Free the disk space, because a full disk may be why the write failed.
    await rm(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(path);
}

/** Removes temporary files left behind by a killed process. Lock the file before calling this. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  const isLeftover = (other: string) =>
    other.startsWith(`${name}.`) && /^[\da-f-]{36}\.tmp$/.test(other.slice(name.length + 1));
  for (const other of await readdir(folder).catch(() => [])) {
    if (isLeftover(other)) await rm(join(folder, other)).catch(() => {});
  }
}

/** Flushes the path's folder to disk, so that files created or renamed in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows can't open folders and doesn't need to sync them.
  }
}
