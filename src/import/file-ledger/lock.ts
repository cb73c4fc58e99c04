import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LedgerError } from '../ledger.js';

/** The process that holds a lock, and the machine it runs on. */
interface Holder {
  pid: number;
  host: string;
  /**
   * The process's start time, if the system provides it. The process ID alone isn't enough because systems
   * reuse IDs.
   */
  started?: string | undefined;
  id: string;
}

/**
 * Prevents other processes, and other code in this process, from using a file. Replaces a lock left
 * by a process that has exited.
 *
 * @returns a function that releases the lock
 * @throws LedgerError if the file is in use
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    id: randomUUID(),
  };
  const draft = `${lock}.${holder.id}`;
  await writeFile(draft, JSON.stringify(holder));
  try {
    // A hard link appears with its content, whereas a new file would be empty until it is written to.
    if (!(await isCreated(link(draft, lock)))) await takeOver(path, lock, draft);
  } finally {
    await remove(draft);
  }
  return async () => {
    if (holderIn(await read(lock))?.id === holder.id) await remove(lock);
  };
}

/**
 * Only one process at a time can replace a lock. Otherwise, two processes could replace each other's locks.
 */
async function takeOver(path: string, lock: string, draft: string): Promise<void> {
  const guard = `${lock}.takeover`;
  const seen = await ifExists(stat(guard));
  if (seen && Date.now() - seen.mtimeMs > 10_000) await remove(guard);
  const holder = holderIn(await read(lock));
  if (isAlive(holder) || !(await isCreated(writeFile(guard, '', { flag: 'wx' })))) {
    throw inUse(path, holder);
  }
  try {
    const text = await read(lock);
    const current = holderIn(text);
    // If the lock was deleted in the meantime, another process may be creating one.
    if (text === undefined || isAlive(current)) throw inUse(path, current);
    await rename(draft, lock);
  } finally {
    await remove(guard);
  }
}

function isAlive(holder: Holder | undefined): boolean {
  if (!holder) return false;
  // A process on another machine can't be checked, so it's treated as running.
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(holder.pid);
  return !holder.started || !started || holder.started === started;
}

const inUse = (path: string, holder: Holder | undefined) =>
  new LedgerError(
    `${path} is in use by ${holder ? `process ${holder.pid} on ${holder.host}` : 'another process'}; if that process is no longer running, delete ${path}.lock`,
  );

const read = (lock: string): Promise<string | undefined> => ifExists(readFile(lock, 'utf8'));

function holderIn(text: string | undefined): Holder | undefined {
  try {
    return JSON.parse(text ?? '') as Holder;
  } catch {
    return undefined;
  }
}

/** Deletes a file, if it exists. */
const remove = (file: string) => rm(file, { force: true });

/** Returns a process's start time in clock ticks since boot, or undefined without `/proc`. */
function startOf(pid: number): string | undefined {
  try {
    // The command name, in parentheses, can contain any character.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Returns the result of a file operation, or undefined if the file doesn't exist. */
const ifExists = <Value>(operation: Promise<Value>): Promise<Value | undefined> =>
  operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Returns whether a file was created, or false if it already exists. */
const isCreated = (operation: Promise<void>): Promise<boolean> =>
  operation.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
