import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MockServer } from '../mock-server.js';
import { requireDump } from '../state/require-dump.js';
import type { StateDump } from '../state/state-dump.js';

/**
 * Keeps a server's state in a file. The file is replaced as a whole: written beside, flushed to the
 * disk, renamed. Whatever kills the process, the file holds one complete state.
 */
export class Persistence {
  readonly #path: string;
  readonly #mock: MockServer;
  #written: number;
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string, mock: MockServer) {
    this.#path = path;
    this.#mock = mock;
    this.#written = Number.NaN;
  }

  /**
   * Waits until the file holds what the state is now, or something later. Changes that come while
   * the file is written share the next writing.
   */
  async save(): Promise<void> {
    if (this.#mock.revision === this.#written) return this.#writing;
    if (!this.#writing) return this.#begin();
    this.#next ??= this.#writing.catch(() => {}).then(() => this.#begin());
    return this.#next;
  }

  /**
   * Responds to a request, and waits until the file holds what it changed. Requests that only read keep
   * working while the file can't be written.
   */
  async saving(respond: () => Promise<Response>): Promise<Response> {
    try {
      return await respond();
    } finally {
      await this.save();
    }
  }

  async #begin(): Promise<void> {
    this.#next = undefined;
    this.#written = this.#mock.revision;
    this.#writing = replaceFile(this.#path, JSON.stringify(this.#mock.export()));
    try {
      await this.#writing;
    } catch (error) {
      this.#written = Number.NaN;
      throw error;
    } finally {
      this.#writing = undefined;
    }
  }
}

/**
 * @returns the state that a file holds; undefined where there is no file
 * @throws Error of one line for a file that holds something else
 */
export async function readState(path: string): Promise<StateDump | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    const state: unknown = JSON.parse(text);
    requireDump(state);
    return state;
  } catch (error) {
    throw holdsNoState(path, error);
  }
}

/** On one line, though what JSON.parse says quotes the file. */
export const holdsNoState = (path: string | undefined, error: unknown): Error =>
  new Error(`${path} holds no state: ${(error as Error).message.replace(/\s+/g, ' ')}`);

async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.tmp`;
  const file = await open(beside, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Makes the renaming last; where folders cannot be flushed (Windows), the file system sees to it. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {}
}
