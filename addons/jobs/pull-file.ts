import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Seed } from './pull-rules.js';

/** Everything that a pull has read. The tickets and documents themselves are in the store. */
export interface PulledData {
  about: readonly string[];
  organization: Seed;
  projects: readonly PulledProject[];
  documents: readonly Stored[];
}

export interface PulledProject {
  seed: Seed;
  boards: { seed: Seed; tickets: readonly Stored[] }[];
}

/** A record whose seed data is in the store. */
export interface Stored {
  id: string;
  /** The number that {@link SeedStore.add} returned. */
  stored: number;
}

/** Stores records as JSON until they can be written in their final order. */
export interface SeedStore {
  /** @returns the record's number, to pass to `read` */
  add(json: string): Promise<number>;
  read(number: number): Promise<string>;
  close(): Promise<void>;
}

export function memoryStore(): SeedStore {
  const records: string[] = [];
  return {
    add: async (json) => records.push(json) - 1,
    read: async (number) => records[number] as string,
    close: async () => {},
  };
}

/**
 * Stores records in a temporary file next to the given path, which is on the same disk as the seed file.
 * Keeps only their positions in memory.
 */
export async function fileStore(nextTo: string): Promise<SeedStore> {
  const path = `${nextTo}.${randomUUID()}.tmp`;
  const file = await open(path, 'wx+', 0o600);
  // Unlink the file immediately so that it disappears even if the process is killed. On Windows, this fails,
  // and the file is deleted later.
  await unlink(path).catch(() => {});
  return new FileStore(path, file);
}

class FileStore implements SeedStore {
  readonly #path: string;
  readonly #file: FileHandle;
  /** The position in the file where each record ends. */
  readonly #ends: number[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async add(json: string): Promise<number> {
    const bytes = Buffer.from(json);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    const number = this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length) - 1;
    if (this.#pendingBytes > bufferSize) await this.#flush();
    return number;
  }

  async read(number: number): Promise<string> {
    await this.#flush();
    const start = this.#ends[number - 1] ?? 0;
    const bytes = Buffer.alloc((this.#ends[number] as number) - start);
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

/** Yields a seed file in small parts, with one record per line. */
export async function* seedFile(
  { about, organization, projects, documents }: PulledData,
  store: SeedStore,
): AsyncGenerator<string, void, undefined> {
  async function* recordsOf(list: readonly Stored[]) {
    for (const [index, { stored }] of list.entries()) yield separator(index) + (await store.read(stored));
  }
  yield `{\n"about": ${lines(about)},\n"organizations": [\n${openObject(organization)},\n"projects": [`;
  for (const [index, project] of projects.entries()) {
    yield `${separator(index)}${openObject(project.seed)},\n"boards": [`;
    for (const [index, board] of project.boards.entries()) {
      yield `${separator(index)}${openObject(board.seed)},\n"tickets": [`;
      yield* recordsOf(board.tickets);
      yield ']}';
    }
    yield ']}';
  }
  yield '],\n"documents": [';
  yield* recordsOf(documents);
  yield ']}\n]\n}\n';
}

const separator = (index: number) => (index === 0 ? '\n' : ',\n');

/** Formats an object without its closing brace, with one line for each field and each item of a list. */
const openObject = (object: Seed): string =>
  `{${Object.entries(object)
    .map(
      ([name, value]) =>
        `${JSON.stringify(name)}: ${Array.isArray(value) ? lines(value) : JSON.stringify(value)}`,
    )
    .join(',\n')}`;

const lines = (items: readonly unknown[]): string =>
  items.length === 0 ? '[]' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
