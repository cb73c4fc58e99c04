import type { FileHandle } from 'node:fs/promises';
import { LedgerError } from '../ledger.js';
import type { Checkpoint } from './checkpoint.js';

interface Batch {
  text: string;
  written: Promise<void>;
  settle(failure?: unknown): void;
}

/**
 * Appends lines to a file. Lines that arrive during a write are written and synced together, so many rows
 * share the cost of a sync.
 */
export class AppendLog {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #checkpoint: Pick<Checkpoint, 'add' | 'commit' | 'close'>;
  readonly #assertWritable: () => void;
  #batch: Batch | undefined;
  #running: Promise<void> | undefined;
  #failure: LedgerError | undefined;

  /** @param assertWritable called right before each write; throws if the file may no longer be written */
  constructor(
    file: FileHandle,
    path: string,
    checkpoint: Pick<Checkpoint, 'add' | 'commit' | 'close'>,
    assertWritable: () => void,
  ) {
    this.#file = file;
    this.#path = path;
    this.#checkpoint = checkpoint;
    this.#assertWritable = assertWritable;
  }

  /** Resolves when the line is on disk. */
  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#batch ??= newBatch();
    this.#batch.text += `${line}\n`;
    const { written } = this.#batch;
    this.#running ??= this.#run();
    return written;
  }

  /** @throws LedgerError if a line couldn't be written */
  async flush(): Promise<void> {
    await this.#running;
    if (this.#failure) throw this.#failure;
  }

  /** Waits until all lines are written and then closes the file. */
  async close(): Promise<void> {
    await this.#running;
    const failure = this.#failure;
    this.#failure ??= new LedgerError(`${this.#path} is closed`);
    await this.#checkpoint.close();
    await this.#file.close();
    if (failure) throw failure;
  }

  async #run(): Promise<void> {
    while (this.#batch) {
      const batch = this.#batch;
      this.#batch = undefined;
      try {
        if (this.#failure) throw this.#failure;
        this.#assertWritable();
        await this.#file.appendFile(batch.text);
        await this.#file.datasync();
        this.#checkpoint.add(batch.text);
        await this.#checkpoint.commit();
        batch.settle();
      } catch (cause) {
        // The file may now end with an incomplete line. Appending another line would make the file
        // unreadable.
        this.#failure ??= new LedgerError(`${this.#path} can't be written: ${(cause as Error).message}`, {
          cause,
        });
        batch.settle(this.#failure);
      }
    }
    this.#running = undefined;
  }
}

function newBatch(): Batch {
  const batch: Batch = { text: '', written: Promise.resolve(), settle: () => {} };
  batch.written = new Promise((resolve, reject) => {
    batch.settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  // The next append fails with the same error, so the error isn't lost if nobody awaits this promise.
  batch.written.catch(() => {});
  return batch;
}
