import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';

/** Stores strings until they can be written in their final order. */
export interface Spool {
  /** @returns the string's number, to pass to `read` */
  add(text: string): Promise<number>;
  read(index: number): Promise<string>;
  close(): Promise<void>;
}

export function memorySpool(): Spool {
  const texts: string[] = [];
  return {
    add: async (text) => texts.push(text) - 1,
    read: async (index) => texts[index] as string,
    close: async () => {},
  };
}

/** Stores strings in a temporary file next to the given path. Keeps only their positions in memory. */
export class FileSpool implements Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  /** The position in the file where each string ends. */
  readonly #ends: number[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(besides: string): Promise<FileSpool> {
    const path = `${besides}.${randomUUID()}.tmp`;
    const file = await open(path, 'wx+', 0o600);
    // Unlink the file immediately so that it disappears even if the process is killed. On Windows, this
    // fails, and the file is deleted later.
    await unlink(path).catch(() => {});
    return new FileSpool(path, file);
  }

  async add(text: string): Promise<number> {
    const bytes = Buffer.from(text);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    const index = this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length) - 1;
    if (this.#pendingBytes > bufferSize) await this.#flush();
    return index;
  }

  async read(index: number): Promise<string> {
    await this.#flush();
    const start = this.#ends[index - 1] ?? 0;
    const bytes = Buffer.alloc((this.#ends[index] as number) - start);
    await this.#file.read(bytes, 0, bytes.length, start);
    return bytes.toString();
  }

  async close(): Promise<void> {
    await this.#file.close();
    await unlink(this.#path).catch(() => {});
  }

  async #flush(): Promise<void> {
    if (this.#pendingBytes === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    // Unlike `write`, this fails if only some of the bytes fit on the disk.
    await this.#file.writeFile(bytes);
  }
}

const bufferSize = 2 ** 20;
