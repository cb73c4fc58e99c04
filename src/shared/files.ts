import { randomUUID } from 'node:crypto';
import { open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Replaces a file atomically: writes a temporary file next to it, flushes it to disk, and renames it. By
 * default, only the owner can read the file, because it may contain tokens.
 *
 * The temporary file has an unpredictable name and must not exist yet. Otherwise, another user could redirect
 * the write with a symbolic link. `write-file-atomic` doesn't prevent this because its file names are
 * predictable.
 *
 * @param path the file to replace. If it's a symbolic link, the link itself is replaced.
 * @param beforeRename called right before the file is replaced. It can throw an error to prevent the
 * replacement.
 * @throws an error if the path is a folder, pipe, device, or socket
 */
export async function replaceFile(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  { mode, beforeRename }: { mode?: number; beforeRename?: () => void | Promise<void> } = {},
): Promise<void> {
  const special = await specialFileAt(path);
  if (special) throw new Error(`it's ${special}`);
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
    // The write may have failed because the disk is full, so free the space.
    await rm(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(path);
}

/** Resolves symbolic links, including those in parent folders. The file doesn't need to exist yet. */
export async function realPathOf(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = dirname(absolute);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) return absolute;
    const folder = await realPathOf(parent);
    const file = join(folder, basename(absolute));
    const target = await readlink(file).catch(() => undefined);
    return target === undefined ? file : realPathOf(resolve(folder, target));
  }
}

/**
 * If a path doesn't refer to a regular file, returns a description of what it refers to, such as `a folder`.
 * Replacing such a path could delete a device, for example.
 */
export async function specialFileAt(
  path: string,
): Promise<'a folder' | 'a pipe, device, or socket' | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile()) return undefined;
  return found.isDirectory() ? 'a folder' : 'a pipe, device, or socket';
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
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch {
    // On Windows, folders can't be opened and don't need to be synced.
  }
}
