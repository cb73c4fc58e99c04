import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { realPathOf, specialFileAt } from './files.js';
import { currentHolder, describeHolder, type LockHolder, parseHolder, statusOf } from './lock-holder.js';

/** An exclusive lock on a file. */
export interface FileLock {
  /** The file's path with symbolic links resolved. Always use this path to access the file. */
  readonly path: string;
  /**
   * Returns whether this process still holds the lock. A process that was paused, or cut off from the disk,
   * may have lost it.
   */
  isHeld(): boolean;
  /**
   * Call this right before each write, and before each request that relies on the lock.
   *
   * @throws an error that names the new holder if this process no longer holds the lock
   */
  assertHeld(): void;
  release(): Promise<void>;
}

export interface FileLockOptions {
  /** Creates the errors to throw. By default, they are plain `Error`s. */
  createError?: (message: string, options?: ErrorOptions) => Error;
  timing?: LockTiming;
}

/** All times are in milliseconds. */
export interface LockTiming {
  /** How often the holder writes its heartbeat. */
  heartbeat: number;
  /** How often another process checks for a heartbeat. */
  poll: number;
  /** After this many polls without a heartbeat, another process takes over the lock. */
  polls: number;
}

const defaultTiming: LockTiming = { heartbeat: 2000, poll: 500, polls: 30 };

/** The maximum number of attempts to take the lock while other processes take or release it. */
const maxAttempts = 10;

/**
 * Prevents other processes, and other code in this process, from using a file.
 *
 * The lock is the `<path>.lock` folder, which contains one file. The file's name is the holder's unique ID.
 * The file describes the holder's process and contains a heartbeat. A process takes the lock with a single
 * rename, which fails if another process was faster. So there is never more than one holder:
 *
 * - To take a free lock, a process renames a finished folder to `<path>.lock`.
 * - To take over a lock, it renames the holder's file to its own ID. This is how the holder notices that it
 *   has lost the lock.
 *
 * If the holder's process has exited, another process can take over the lock immediately. If the holder is on
 * another machine or in another PID namespace, its heartbeat must stop first. Heartbeats are counted, not
 * timed, so clocks and timestamps don't matter.
 *
 * @throws an error that names the holder if the file is in use
 * @throws an error if the path is a folder, pipe, device, or socket
 */
export async function lockFile(path: string, options: FileLockOptions = {}): Promise<FileLock> {
  const { createError = (message, cause) => new Error(message, cause), timing = defaultTiming } = options;
  const held = new HeldLock(await realPathOf(path), createError);
  // Reading from a pipe would never finish.
  const special = await specialFileAt(path);
  if (special) throw createError(`${held.path} can't be used: it's ${special}`);
  try {
    await held.acquire(timing);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const reason = isMissing(error)
      ? `the folder ${dirname(held.path)} doesn't exist`
      : // Remove the system call and its path from the message, because the path is an internal one.
        (error as Error).message.replace(/, \w+ '.*/s, '');
    throw createError(`${held.path} can't be locked: ${reason}`, { cause: error });
  }
  held.startHeartbeat(timing.heartbeat);
  return held;
}

/** The file in a lock's folder. */
interface LockEntry {
  id: string;
  text: string;
  /** Undefined if the holder hasn't written its data yet. */
  holder: LockHolder | undefined;
}

class HeldLock implements FileLock {
  readonly path: string;
  readonly #lock: string;
  readonly #id = randomUUID();
  readonly #own: string;
  readonly #createError: (message: string, options?: ErrorOptions) => Error;
  readonly #holder = currentHolder();
  /** The ID of the process from which this process took over the lock. */
  #previous: string | undefined;
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;
  #beating = Promise.resolve();
  #released = false;

  constructor(path: string, createError: (message: string, options?: ErrorOptions) => Error) {
    this.path = path;
    this.#lock = `${path}.lock`;
    this.#own = join(this.#lock, this.#id);
    this.#createError = createError;
  }

  async acquire(timing: LockTiming): Promise<void> {
    const draft = `${this.#lock}.${this.#id}`;
    try {
      await mkdir(draft);
      await writeFile(join(draft, this.#id), this.#content());
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        if ((await this.#take(draft)) || (await this.#takeOver(timing))) return;
      }
    } finally {
      await removeFolder(draft);
      await this.#removeLeftovers();
    }
    throw this.#createError(`${this.path} can't be locked because other processes keep locking it`);
  }

  isHeld(): boolean {
    try {
      const text = readFileSync(this.#own, 'utf8');
      // Read the content, because the name alone may come from a network file system's cache. The previous
      // holder's last heartbeat may have overwritten the content with its own ID.
      return text.includes(this.#id) || (this.#previous !== undefined && text.includes(this.#previous));
    } catch {
      return false;
    }
  }

  assertHeld(): void {
    if (this.#released) throw this.#createError(`the lock on ${this.path} was released`);
    if (!this.isHeld()) throw this.#createError(this.#describeLoss());
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#timer);
    await this.#beating;
    // Delete only this process's file, and delete the folder only if it's empty. If another process has taken
    // over the lock, leave its file in place.
    await unlink(this.#own).catch(() => {});
    await rmdir(this.#lock).catch(() => {});
  }

  startHeartbeat(interval: number): void {
    this.#timer = startTimer(() => {
      // A failed heartbeat is ignored, because the next write checks whether the lock is still held.
      this.#beating = this.#writeHolder().catch(() => {});
      void this.#beating.then(() => this.#released || this.startHeartbeat(interval));
    }, interval);
    this.#timer.unref();
  }

  /** Takes the lock if it's free, meaning that its folder doesn't exist or is empty. */
  async #take(draft: string): Promise<boolean> {
    try {
      await rename(draft, this.#lock);
      return true;
    } catch (error) {
      if (isMissing(error)) throw error;
      return false;
    }
  }

  /** Takes over the lock if its holder has exited or stopped writing heartbeats. */
  async #takeOver(timing: LockTiming): Promise<boolean> {
    const entry = await this.#readEntry();
    if (!entry) {
      // On Windows, a folder can't be renamed to the name of an existing folder, even an empty one.
      await rmdir(this.#lock).catch(() => {});
      return false;
    }
    if (!(await this.#isAbandoned(entry, timing))) {
      const holder = (await this.#readEntry())?.holder ?? entry.holder;
      throw this.#createError(`${this.path} is in use by ${describeHolder(holder)}`);
    }
    try {
      await rename(join(this.#lock, entry.id), this.#own);
      this.#previous = entry.id;
      await this.#writeHolder();
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async #isAbandoned({ id, text, holder }: LockEntry, { poll, polls }: LockTiming): Promise<boolean> {
    const status = holder ? statusOf(holder) : 'unknown';
    if (status !== 'unknown') return status === 'exited';
    // Count polls instead of measuring time, because time also passes while a machine is suspended and no
    // process can write a heartbeat.
    for (let count = 0; count < polls; count++) {
      await sleep(poll);
      const current = await readFile(join(this.#lock, id), 'utf8').catch(() => undefined);
      if (current !== text) return current === undefined;
    }
    return true;
  }

  /** Returns undefined if the lock was released in the meantime. */
  async #readEntry(): Promise<LockEntry | undefined> {
    try {
      // Don't follow a symbolic link, which could make this process rename a file in another folder.
      const names = (await lstat(this.#lock)).isDirectory() ? await readdir(this.#lock) : ['a file'];
      const id = names.find((name) => uuid.test(name));
      if (id === undefined && names.length > 0) {
        throw this.#createError(`${this.path} can't be locked because ${this.#lock} isn't a lock; delete it`);
      }
      if (id === undefined) return undefined;
      const text = await readFile(join(this.#lock, id), 'utf8');
      return { id, text, holder: parseHolder(text, id) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Writes this process's data and the next heartbeat. Never creates the file, because that would take the lock. */
  async #writeHolder(): Promise<void> {
    const file = await open(this.#own, 'r+');
    try {
      const content = this.#content();
      await file.write(content, 0);
      await file.truncate(Buffer.byteLength(content));
    } finally {
      await file.close();
    }
  }

  #content(): string {
    // Heartbeats all have the same length, so no reader sees an incomplete one.
    const beats = String(this.#beats++).padStart(12, '0');
    return `${JSON.stringify({ id: this.#id, ...this.#holder, beats })}\n`;
  }

  /** Deletes folders left behind by processes that were killed while locking the file. */
  async #removeLeftovers(): Promise<void> {
    const prefix = `${basename(this.#lock)}.`;
    for (const name of await readdir(dirname(this.#lock)).catch(() => [])) {
      const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (!uuid.test(id)) continue;
      const draft = `${this.#lock}.${id}`;
      const holder = parseHolder(await readFile(join(draft, id), 'utf8').catch(() => ''), id);
      if (holder && statusOf(holder) === 'exited') await removeFolder(draft);
    }
  }

  #describeLoss(): string {
    const lost = `the lock on ${this.path} was lost`;
    try {
      const [id = ''] = readdirSync(this.#lock);
      const holder = parseHolder(readFileSync(join(this.#lock, id), 'utf8'), id);
      return `${lost}: while this process was paused, ${describeHolder(holder)} took it over`;
    } catch {
      return `${lost}: ${this.#lock} was deleted or can't be read`;
    }
  }
}

/**
 * The real `setTimeout`, even if a test installs fake timers. Otherwise, a test that runs all timers would
 * never finish.
 */
const { setTimeout: startTimer } = globalThis;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const removeFolder = (path: string) => rm(path, { recursive: true, force: true });

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
