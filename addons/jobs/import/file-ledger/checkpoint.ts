import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { specialFileAt } from '../../../../src/shared/files.js';
import { LedgerError } from '../ledger.js';

/** The beginning of a ledger file, up to the last line that was written completely. */
interface Part {
  bytes: number;
  sha256: string;
}

/**
 * Detects whether a ledger file has lost lines. The file `<ledger>.check` contains the length and digest of
 * the data that was written to the ledger. It's written after the ledger, so the ledger has at least that
 * length, even after a crash.
 */
export class Checkpoint {
  readonly #path: string;
  /**
   * The ledger must start with one of these parts. After a crash during compaction, the checkpoint contains
   * two parts.
   */
  readonly #expected: readonly Part[];
  #isVerified = false;
  #hash = createHash('sha256');
  #bytes = 0;
  #file: FileHandle | undefined;

  private constructor(path: string, expected: readonly Part[]) {
    this.#path = path;
    this.#expected = expected;
  }

  /** Reads a ledger's checkpoint. A ledger written by another program has none. */
  static async read(path: string): Promise<Checkpoint> {
    const file = checkpointOf(path);
    // Reading from a pipe would never finish.
    const special = await specialFileAt(file);
    if (special) throw new LedgerError(`${file} can't be used: it's ${special}`);
    const text = await readFile(file, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return new Checkpoint(path, parse(text) ?? fail(path, 'has a damaged checkpoint'));
  }

  /** Adds a line that was read from or written to the ledger. */
  add(text: Buffer | string): void {
    this.#hash.update(text);
    this.#bytes += Buffer.byteLength(text);
    if (this.#isVerified) return;
    const part = this.#expected.find(({ bytes }) => bytes === this.#bytes);
    this.#isVerified = part !== undefined && part.sha256 === this.#part().sha256;
  }

  /**
   * Verifies the ledger after all of its lines have been added. Later lines are then stored in the
   * checkpoint.
   *
   * @param mode the ledger's file mode
   * @throws LedgerError if lines are missing or have changed
   */
  async start(mode: number): Promise<void> {
    if (!this.#isVerified && this.#expected.length > 0) {
      const bytes = Math.min(...this.#expected.map((part) => part.bytes));
      const isShort = this.#bytes < bytes;
      fail(
        this.#path,
        isShort
          ? `has lost entries: only ${this.#bytes} of ${bytes} bytes are left`
          : 'has lost entries or was changed by another program',
      );
    }
    this.#file = await open(checkpointOf(this.#path), constants.O_RDWR | constants.O_CREAT, mode);
  }

  /** Stores the length and digest of all added lines. Call this when the lines are on disk. */
  async commit(other: Part[] = []): Promise<void> {
    // Pad the content so that the file's length never changes: overwriting a file in place needs no
    // additional disk space.
    await this.#file?.write(`${JSON.stringify([this.#part(), ...other])}\n`.padStart(length), 0);
  }

  /** Accepts new content in addition to the current content. Call this before the ledger is replaced. */
  async expect(lines: Hash, bytes: number): Promise<void> {
    await this.commit([{ bytes, sha256: lines.copy().digest('hex') }]);
    await this.#file?.sync();
  }

  /** Accepts only the new content. Call this after the ledger has been replaced. */
  async replace(lines: Hash, bytes: number): Promise<void> {
    this.#hash = lines;
    this.#bytes = bytes;
    await this.commit();
  }

  async close(): Promise<void> {
    await this.#file?.sync().catch(() => {});
    await this.#file?.close();
    this.#file = undefined;
  }

  #part(): Part {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}

function fail(path: string, what: string): never {
  throw new LedgerError(
    `${path} ${what}; restore the ledger from a backup, or delete ${checkpointOf(path)} to use the ledger as is (this may create duplicates)`,
  );
}

const checkpointOf = (path: string) => `${path}.check`;

/** The length of the file, which has space for two parts. */
const length = 240;

function parse(text: string): Part[] | undefined {
  if (text === '') return [];
  try {
    const parts = JSON.parse(text);
    const isPart = (part: Part) => Number.isInteger(part.bytes) && typeof part.sha256 === 'string';
    return Array.isArray(parts) && parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}
