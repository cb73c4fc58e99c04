import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LedgerError } from '../ledger.js';

/** Who holds a lock: a process of a machine. */
interface Holder {
  pid: number;
  host: string;
  /** When the process started, where the system tells: process ids are used again. */
  started?: string | undefined;
  id: string;
}

/**
 * Locks a file against other processes and other users of it in this one. The lock of a process that no
 * longer runs is taken over.
 *
 * @returns what releases the lock
 * @throws LedgerError if the file is in use
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), id: randomUUID() };
  const draft = `${lock}.${own.id}`;
  await writeFile(draft, JSON.stringify(own));
  try {
    // A link appears with its content, unlike a file that is created and then written.
    if (!(await tryTo(link(draft, lock)))) await takeOver(path, lock, draft);
  } finally {
    await rm(draft, { force: true });
  }
  return async () => {
    if ((await holderOf(lock))?.id === own.id) await rm(lock, { force: true });
  };
}

/** Only one process at a time replaces a lock: without that, two could replace each other's. */
async function takeOver(path: string, lock: string, draft: string): Promise<void> {
  const guard = `${lock}.takeover`;
  const seen = await tryTo(stat(guard));
  if (seen && Date.now() - seen.mtimeMs > 10_000) await rm(guard, { force: true });
  const holder = await holderOf(lock);
  if (isAlive(holder) || !(await tryTo(writeFile(guard, '', { flag: 'wx' }).then(() => true)))) {
    throw inUse(path, holder);
  }
  try {
    const current = await holderOf(lock);
    if (isAlive(current)) throw inUse(path, current);
    await rename(draft, lock);
  } finally {
    await rm(guard, { force: true });
  }
}

function isAlive(holder: Holder | undefined): boolean {
  if (!holder) return false;
  // Nobody here can tell whether a process of another machine still runs.
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
    `${path} is in use by ${holder ? `process ${holder.pid} on ${holder.host}` : 'another process'}; if that process no longer runs, delete ${path}.lock`,
  );

async function holderOf(lock: string): Promise<Holder | undefined> {
  const text = await tryTo(readFile(lock, 'utf8'));
  try {
    return text ? (JSON.parse(text) as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** The start of a process in ticks since the machine booted; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    // The command's name, in parentheses, may hold anything.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The promise's value, true for none; false where a file exists or is missing. */
async function tryTo<Value>(
  promise: Promise<Value>,
): Promise<Exclude<Value, void> | (Value extends void ? true : never) | undefined> {
  try {
    return ((await promise) ?? true) as never;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return undefined;
    throw error;
  }
}
