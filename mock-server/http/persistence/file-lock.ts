import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Keeps other servers from using the same file and overwriting this server's changes. */
export interface FileLock {
  release(): Promise<void>;
}

/**
 * The locks held by this process. A process ID doesn't identify the owner, because processes in different
 * containers often have the same ID.
 */
const ownLocks = new Set<string>();

/**
 * Locks a file by creating `<path>.lock`. Replaces a lock left by a process that has exited.
 *
 * @throws Error if another server is using the file
 */
export async function lockFile(path: string): Promise<FileLock> {
  const lock = `${path}.lock`;
  const content = `${JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() })}\n`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await tryCreate(lock, content)) {
      ownLocks.add(content);
      return { release: () => release(lock, content) };
    }
    const owner = await readIfExists(lock);
    if (owner === undefined) continue;
    if (!isStale(owner)) throw inUse(path, lock, owner);
    await removeStale(lock, owner);
  }
  throw new Error(`${path} can't be locked because other servers are starting at the same time`);
}

/** Creates the lock and its content atomically, so no process reads a partial lock. */
async function tryCreate(lock: string, content: string): Promise<boolean> {
  const temporary = `${lock}.${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await link(temporary, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`${lock} can't be created: ${(error as Error).message}`);
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

/** Removes a stale lock unless another server has already replaced it. */
async function removeStale(lock: string, owner: string): Promise<void> {
  const temporary = `${lock}.${randomUUID()}`;
  await rename(lock, temporary).catch(() => {});
  if ((await readIfExists(temporary)) !== owner) await link(temporary, lock).catch(() => {});
  await unlink(temporary).catch(() => {});
}

function isStale(owner: string): boolean {
  if (ownLocks.has(owner)) return false;
  const { pid, host } = parse(owner);
  if (typeof pid !== 'number' || host !== hostname()) return false;
  return pid === process.pid || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process is running but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function inUse(path: string, lock: string, owner: string): Error {
  const { pid, host } = parse(owner);
  return new Error(
    `${path} is in use by another server (process ${pid ?? 'unknown'} on ${host ?? 'an unknown host'}); ` +
      `if that server is no longer running, delete ${lock}`,
  );
}

function parse(owner: string): { pid?: unknown; host?: unknown } {
  try {
    return JSON.parse(owner) ?? {};
  } catch {
    return {};
  }
}

async function release(lock: string, content: string): Promise<void> {
  ownLocks.delete(content);
  if ((await readIfExists(lock)) === content) await unlink(lock).catch(() => {});
}

/** Returns an empty string if the file exists but can't be read, for example because another user owns it. */
const readIfExists = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : ''));
