import { randomUUID } from 'node:crypto';
import { open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileLock } from '../../../src/shared/file-lock.js';
import { syncFolder } from '../../../src/shared/files.js';

/**
 * Replaces a locked file atomically: writes a temporary file next to it, flushes it to disk, and renames it. Only
 * the owner can read the file, because it contains tokens.
 *
 * The temporary file has an unpredictable name and must not exist yet. Otherwise, another user could redirect
 * the write with a symbolic link. `write-file-atomic` doesn't prevent this because its file names are
 * predictable.
 */
export async function replaceFile(
  lock: Pick<FileLock, 'path' | 'assertHeld'>,
  content: Buffer | string,
): Promise<void> {
  const { path } = lock;
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    lock.assertHeld();
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
