import { randomUUID } from 'node:crypto';
import { open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './files.js';

/**
 * Replaces a file atomically: writes a temporary file next to it, flushes it to disk, and renames it. Only
 * the owner can read the file, because it may contain tokens.
 *
 * The temporary file has an unpredictable name and must not exist yet. Otherwise, another user could redirect
 * the write with a symbolic link. `write-file-atomic` doesn't prevent this because its file names are
 * predictable.
 *
 * @param beforeRename throws an error if the file may no longer be replaced
 */
export async function replaceFile(
  path: string,
  content: Buffer | string | AsyncIterable<string>,
  beforeRename: () => void = () => {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      // The types lack iterables, although Node.js accepts them.
      await file.writeFile(content as Buffer);
      await file.sync();
    } finally {
      await file.close();
    }
    beforeRename();
    await rename(temporary, path);
  } catch (error) {
    // If the disk is full, deleting the temporary file frees up space.
    await unlink(temporary).catch(() => {});
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
    if (isLeftover(other)) await unlink(join(folder, other)).catch(() => {});
  }
}
