import type { FileHandle } from 'node:fs/promises';
import type { FileLock } from '../../../../src/shared/file-lock.js';
import { LedgerError } from '../ledger.js';
import type { Checkpoint } from './checkpoint.js';

/**
 * Appends lines to a file. Lines that arrive during a write are written and flushed to disk together, so that
 * many rows share the cost of a single flush.
 */
export class AppendLog {
  readonly #file: FileHandle;
  readonly #lock: Pick<FileLock, 'path' | 'assertHeld'>;
  readonly #checkpoint: Checkpoint;
  #lines = '';
  #isWriting = false;
  /** Resolves when the last write has finished. */
  #last: Promise<void> = Promise.resolve();
  /** The write that starts after the current one. */
  #next: Promise<void> | undefined;
  #failure: LedgerError | undefined;

  constructor(file: FileHandle, lock: Pick<FileLock, 'path' | 'assertHeld'>, checkpoint: Checkpoint) {
    this.#file = file;
    this.#lock = lock;
    this.#checkpoint = checkpoint;
  }

  /** Resolves when the line is on disk. */
  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lines += `${line}\n`;
    if (this.#next) return this.#next;
    if (this.#isWriting) this.#next = this.#last.then(() => this.#write());
    const written = this.#next ?? this.#write();
    // An error isn't lost, because the next append fails with the same error.
    this.#last = written.catch(() => {});
    return written;
  }

  /** @throws LedgerError if a line couldn't be written */
  async flush(): Promise<void> {
    do await this.#last;
    while (this.#isWriting || this.#next);
    if (this.#failure) throw this.#failure;
  }

  /** Waits until all lines are written and then closes the file. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      this.#failure ??= new LedgerError(`${this.#lock.path} is closed`);
      await this.#checkpoint.close();
      await this.#file.close();
    }
  }

  async #write(): Promise<void> {
    const lines = this.#lines;
    this.#lines = '';
    this.#next = undefined;
    this.#isWriting = true;
    try {
      if (this.#failure) throw this.#failure;
      this.#lock.assertHeld();
      await this.#file.appendFile(lines);
      await this.#file.datasync();
      this.#checkpoint.add(lines);
      await this.#checkpoint.commit();
    } catch (cause) {
      // The file may end with an incomplete line, and appending to that line would corrupt the file.
      const message = `${this.#lock.path} can't be written: ${(cause as Error).message}`;
      this.#failure ??= new LedgerError(message, { cause });
      throw this.#failure;
    } finally {
      this.#isWriting = false;
    }
  }
}
