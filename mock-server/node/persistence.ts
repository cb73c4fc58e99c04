import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { type FileLock, lockFile } from '../../src/shared/file-lock.js';
import { removeLeftovers, replaceFile } from '../../src/shared/files.js';
import { isObject, parseJson } from '../../src/shared/json.js';
import type { MockServer } from '../mock-server.js';
import { requireDump } from '../state/dump-schema.js';
import { applyChanges, type StateChanges } from '../state/state-changes.js';
import type { StateDump } from '../state/state-dump.js';

/**
 * Stores a server's state in a file that's locked while the server runs. The file contains the entire state
 * and, while the server is running, a line for each later change. If a client received a response to a
 * change, the file contains that change, even after a crash.
 */
export class Persistence {
  readonly #lock: FileLock;
  readonly #mock: MockServer;
  /** The version of the state in the file. Undefined if the last write failed. */
  #written: string | undefined;
  #writing = Promise.resolve();
  #next: Promise<void> | undefined;
  /** The file's size in bytes after the last write. */
  #size = 0;
  /** The size of the entire state in bytes when it was last written. */
  #stateSize = 0;

  /**
   * Locks the file and creates a server with the file's state.
   *
   * @param create creates the server. `state` is undefined if the file doesn't exist.
   * @throws Error with a one-line message if another server is using the file, or if the file doesn't contain
   * a valid state
   */
  static async open(
    path: string,
    create: (state: StateDump | undefined) => MockServer,
  ): Promise<{ persistence: Persistence; mock: MockServer }> {
    const lock = await lockFile(path);
    try {
      const mock = create(await readState(lock.path));
      await removeLeftovers(lock.path);
      const persistence = new Persistence(lock, mock);
      await persistence.#save();
      return { persistence, mock };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private constructor(lock: FileLock, mock: MockServer) {
    this.#lock = lock;
    this.#mock = mock;
  }

  /**
   * Responds to a request after its changes have been written to the file.
   *
   * If the file can't be written, for example because the disk is full, requests that don't change anything
   * still succeed. The next successful write includes all earlier changes.
   *
   * @throws Error if the request's changes couldn't be written
   */
  async saving(method: string, respond: () => Promise<Response>): Promise<Response> {
    const before = this.#version();
    const [result] = await Promise.allSettled([respond()]);
    const mayHaveChanged = method !== 'GET' && this.#version() !== before;
    try {
      // Save even after an error, because the request may have changed something before it failed.
      await (mayHaveChanged ? this.#save() : this.#writing);
    } catch (error) {
      if (mayHaveChanged && result.status === 'fulfilled') throw error;
    }
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  /** Writes the entire state, unless the file already contains it, and unlocks the file. */
  async close(): Promise<void> {
    try {
      await this.#save();
      if (this.#size > this.#stateSize) await this.#write({ entirely: true });
    } finally {
      await this.#lock.release();
    }
  }

  /** Waits until the file contains the current state or a newer one. Concurrent changes share a write. */
  async #save(): Promise<void> {
    if (this.#version() === this.#written) return this.#writing;
    this.#next ??= this.#writing.catch(() => {}).then(() => this.#write());
    return this.#next;
  }

  /**
   * Returns a string that changes whenever the exported state changes. Includes the clock, which the revision
   * doesn't cover.
   */
  #version(): string {
    const { revision, clock } = this.#mock;
    return `${revision} ${JSON.stringify(clock.capture())}`;
  }

  #write({ entirely = this.#written === undefined } = {}): Promise<void> {
    this.#next = undefined;
    this.#written = this.#version();
    const changes = entirely ? undefined : this.#mock.takeChanges();
    this.#writing = this.#store(changes && `${JSON.stringify(changes)}\n`).catch((cause: Error) => {
      this.#written = undefined;
      throw new Error(`${this.#lock.path} can't be written: ${cause.message}`, { cause });
    });
    return this.#writing;
  }

  async #store(line: string | undefined): Promise<void> {
    if (line !== undefined && (await this.#append(Buffer.from(line)))) return;
    this.#mock.takeChanges();
    const state = `${this.#mock.exportJson()}\n`;
    await replaceFile(this.#lock.path, [state], { beforeRename: () => this.#lock.assertHeld() });
    this.#size = Buffer.byteLength(state);
    this.#stateSize = this.#size;
  }

  /**
   * Appends a line to the file. Returns false if the entire state must be written instead, because the file
   * is too large or was changed by another program.
   */
  async #append(line: Buffer): Promise<boolean> {
    const size = this.#size + line.length;
    if (size > 2 * this.#stateSize + maxLogSize) return false;
    const flags = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    const file = await open(this.#lock.path, flags).catch(() => undefined);
    if (!file) return false;
    try {
      if ((await file.stat()).size !== this.#size) return false;
      this.#lock.assertHeld();
      await file.appendFile(line);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#size = size;
    return true;
  }
}

/** How large the changes must be, in bytes, before the file can be rewritten. */
const maxLogSize = 2 ** 20;

/**
 * Reads a state, and all later changes, from a file. Returns undefined if the file doesn't exist.
 *
 * @throws Error with a one-line message if the file can't be read or doesn't contain valid state
 */
export async function readState(path: string): Promise<StateDump | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} can't be read: ${(error as Error).message}`);
  }
  try {
    const state = parseState(text);
    requireDump(state);
    return state;
  } catch (error) {
    // Reduce the message to one line, because `JSON.parse` quotes the file's contents in its errors.
    const message = (error as Error).message.replace(/\s+/g, ' ');
    throw new Error(`${path} doesn't contain valid state: ${message}`);
  }
}

const parseState = (text: string): unknown =>
  parseJson(text, (error) => {
    // If the server was killed, the file has a line for each change since it was last rewritten. Drop an
    // incomplete last line, because the client didn't get a response for that change.
    const [first = '', ...log] = text.split('\n').slice(0, -1);
    const state = parseJson(first, () => {
      throw error;
    });
    requireDump(state);
    return applyChanges(state, log.map(parseChanges));
  });

/** Parses a line of changes. Every line after the first one contains changes. */
function parseChanges(line: string, index: number): StateChanges {
  const changes = parseJson(line, () => undefined);
  if (isChanges(changes)) return changes;
  throw new Error(`line ${index + 2} is damaged`);
}

/** Checks only what `applyChanges` needs, because the resulting state is checked as a whole. */
function isChanges(value: unknown): value is StateChanges {
  if (!isObject(value)) return false;
  const { clock, ids, ordinal, ...lists } = value;
  return (
    isObject(clock) &&
    isObject(ids) &&
    typeof ordinal === 'number' &&
    Object.values(lists).every((rows) => Array.isArray(rows) && rows.every(isObject))
  );
}
