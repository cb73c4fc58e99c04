import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { Seed } from './pull-rules.js';

/** A deployment's records in the order of a seed file. The tickets and documents themselves are in the store. */
export interface PulledData {
  organization: Seed;
  projects: readonly { seed: Seed; boards: PulledBoard[] }[];
  documents: readonly Stored[];
}

export interface PulledBoard {
  seed: Seed;
  tickets: readonly Stored[];
}

/** A ticket or document whose seed data is in the store. */
export interface Stored {
  /** The number that {@link SeedStore.add} returned. */
  stored: number;
  /** The record's place in a random order, from which a sample is taken. */
  rank: string;
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

/** Stores records in a temporary file next to the given path, and keeps only their positions in memory. */
export async function fileStore(nextTo: string): Promise<SeedStore> {
  const path = `${nextTo}.${randomUUID()}.tmp`;
  const file = await open(path, 'wx+', 0o600);
  // Unlink the file immediately so that it disappears even if the process is killed. On Windows, this fails,
  // and the file is deleted later.
  await unlink(path).catch(() => {});
  const starts = [0];
  return {
    async add(json) {
      const bytes = Buffer.from(json);
      // Unlike `write`, this fails if only some of the bytes fit on the disk.
      await file.writeFile(bytes);
      return starts.push((starts.at(-1) as number) + bytes.length) - 2;
    },
    async read(number) {
      const [start, end] = starts.slice(number, number + 2) as [number, number];
      const bytes = Buffer.alloc(end - start);
      await file.read(bytes, 0, bytes.length, start);
      return bytes.toString();
    },
    async close() {
      await file.close();
      await unlink(path).catch(() => {});
    },
  };
}

/** Yields a seed file in small parts, with one record per line. */
export async function* seedFile(
  about: readonly string[],
  { organization, projects, documents }: PulledData,
  store: SeedStore,
): AsyncGenerator<string, void, undefined> {
  async function* recordsOf(list: readonly Stored[]) {
    for (const [index, { stored }] of list.entries()) yield separator(index) + (await store.read(stored));
  }
  yield `{\n"about": ${lines(about)},\n"organizations": [\n${openObject(organization)},\n"projects": [`;
  for (const [index, { seed, boards }] of projects.entries()) {
    yield `${separator(index)}${openObject(seed)},\n"boards": [`;
    for (const [index, board] of boards.entries()) {
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
    .map(([name, value]) => `"${name}": ${Array.isArray(value) ? lines(value) : JSON.stringify(value)}`)
    .join(',\n')}`;

const lines = (items: readonly unknown[]): string =>
  items.length === 0 ? '[]' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
