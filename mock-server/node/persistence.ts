import { existsSync, rmSync } from 'node:fs';
import { SqliteFile } from '../../src/shared/sqlite.js';
import type { MockServer } from '../mock-server.js';
import type { StateDump } from '../state/state-dump.js';
import { readState, stateFormat, stateWriter } from './state-rows.js';

/**
 * Stores a server's state in a SQLite file. If a client received a response to a change, the file contains that
 * change, even after a crash.
 */
export class Persistence {
  readonly #file: SqliteFile;
  readonly #writer: ReturnType<typeof stateWriter>;
  readonly #mock: MockServer;
  /** The version of the state in the file. Undefined if the entire state must be written. */
  #written: string | undefined;
  #writing = Promise.resolve();

  /**
   * Opens the file and creates a server with its state.
   *
   * @param create creates the server. `state` is undefined if the file doesn't exist.
   * @throws Error with a one-line message if another server is using the file, or if it isn't a state file
   */
  static async open(path: string, create: (state: StateDump | undefined) => MockServer) {
    const isNew = !existsSync(path);
    const file = new SqliteFile(path, stateFormat);
    try {
      const persistence = new Persistence(file, create(readState(file)));
      await persistence.#save();
      return { persistence, mock: persistence.#mock };
    } catch (error) {
      file.close();
      if (isNew) rmSync(path, { force: true });
      throw error;
    }
  }

  private constructor(file: SqliteFile, mock: MockServer) {
    this.#file = file;
    this.#writer = stateWriter(file);
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

  /** Writes what has changed since the last write, and unlocks the file. */
  async close(): Promise<void> {
    try {
      if (this.#version() !== this.#written) await this.#save();
    } finally {
      this.#file.close();
    }
  }

  /** Returns a string that changes whenever the exported state changes. The revision doesn't cover the clock. */
  #version(): string {
    const { revision, clock } = this.#mock;
    return `${revision} ${JSON.stringify(clock.capture())}`;
  }

  #save(): Promise<void> {
    this.#writing = this.#file.write(() => {
      const changes = this.#mock.takeChanges();
      if (changes && this.#written !== undefined) this.#writer.writeChanges(changes);
      else this.#writer.writeState(this.#mock.export());
      this.#written = this.#version();
    });
    this.#writing.catch(() => {
      this.#written = undefined;
    });
    return this.#writing;
  }
}
