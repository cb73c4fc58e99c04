import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Book, sqliteBook } from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { done, entriesOf } from './book-contract.js';

const program = join(inject('programs'), 'book-process.mjs');

/** Opens a book and closes it after the test. */
function open(path: string): Book {
  const book = sqliteBook(path);
  onTestFinished(() => book.close());
  return book;
}

const newPath = async () => join(await temporaryFolder(), 'jobs.book');

/** Reads a book's entries and closes it. */
async function read(path: string) {
  const book = sqliteBook(path);
  return entriesOf(book).finally(() => book.close());
}

/** Starts a process that puts entries into a book, and collects the numbers that it prints. */
function startPutting(path: string, ...args: string[]) {
  return watch(spawn(process.execPath, [program, path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function watch(child: ChildProcess) {
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  output.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, lines, ended };
}

const inUse = (path: string) => ({
  name: 'BookError',
  outcome: 'not_sent',
  message: `${path} is in use by another process, or opened twice in this one; close it there first`,
});

describe('sqliteBook', () => {
  test.each(['1', '8'])(
    'keeps every durable put when processes with %s concurrent puts are killed',
    async (puts) => {
      const path = await newPath();
      let durable = 0;
      for (let round = 0; round < 5; round += 1) {
        const { child, lines, ended } = startPutting(path, puts);
        await expect.poll(() => lines.length, { interval: 1 }).toBeGreaterThan(10 + round * 7);
        child.kill('SIGKILL');
        await ended;

        const entries = await read(path);
        durable = Math.max(durable, ...lines.map((line) => Number(line) + 1));
        const numbers = new Set(entries.map(({ value }) => (value as { number: number }).number));
        expect(entries).toHaveLength(2 * numbers.size);
        expect(Math.max(...numbers)).toBe(numbers.size - 1);
        expect(numbers.size).toBeGreaterThanOrEqual(durable);
      }
    },
  );

  test('stores nothing of a put that fails because the disk is full', async () => {
    const path = await newPath();
    // A limit of the file size, in kilobytes, fails like a full disk.
    const script = `ulimit -f 512; exec "${process.execPath}" "${program}" "${path}" 1 20000`;
    const { lines, ended } = watch(spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] }));
    await ended;

    expect(lines.pop()).toMatch(/^BookError: .*jobs\.book can't be written: .*(full|I\/O error)/);
    const entries = await read(path);
    expect(lines.length).toBeGreaterThan(3);
    expect(entries).toHaveLength(2 * lines.length);
    const book = open(path);
    await book.put([done('later', 1)]);
    expect((await book.get(['later'])).size).toBe(1);
  });

  test('rejects a file that another process is using, until that process is killed', async () => {
    const path = await newPath();
    const { child, lines, ended } = startPutting(path);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    const book = open(path);

    await expect(book.get(['0a'])).rejects.toMatchObject(inUse(path));
    await expect(book.put([done('a', 1)])).rejects.toMatchObject(inUse(path));
    child.kill('SIGKILL');
    await ended;

    expect((await book.get(['0a'])).size).toBe(1);
  });

  test('rejects a file that another book in this process is using, even through a symbolic link', async () => {
    const path = await newPath();
    const book = open(path);
    await book.put([done('a', 1)]);
    await symlink(path, `${path}.link`);

    for (const name of [path, `${path}.link`]) {
      await expect(open(name).get(['a'])).rejects.toMatchObject(inUse(name));
    }
    await book.put([done('b', 1)]);
    await expect(open(path).get(['a'])).rejects.toMatchObject(inUse(path));
    await book.close();
    expect(await entriesOf(open(`${path}.link`))).toHaveLength(2);
  });

  test('lets one of several processes that start at the same time open a new file', async () => {
    const path = await newPath();
    const processes = Array.from({ length: 4 }, () => startPutting(path));
    await expect.poll(() => processes.filter(({ lines }) => lines.length > 0).length).toBe(4);

    const refused = processes.filter(({ lines }) => lines[0]?.startsWith('BookError'));
    expect(refused.map(({ lines }) => lines)).toEqual(Array(3).fill([`BookError: ${inUse(path).message}`]));
  });

  test('reports each of 1,000 flipped bits, or returns the same entries', async () => {
    const path = await newPath();
    const book = sqliteBook(path);
    const keys = Array.from({ length: 300 }, (_, index) => `row:${index}`);
    await book.put(keys.map((key, index) => done(key, 'v'.repeat(index === 7 ? 9000 : index % 50))));
    await book.put(keys.slice(100, 150).map((key) => ({ key, state: 'removed' })));
    const expected = await entriesOf(book);
    await book.close();
    const intact = await readFile(path);
    const random = randomNumbers(1);
    let reported = 0;

    for (let count = 0; count < 1000; count += 1) {
      const bytes = Buffer.from(intact);
      // Half of the flips are in the first page, which describes the others.
      const at = Math.floor(random() * (count % 2 === 0 ? bytes.length : 4096));
      const bit = Math.floor(random() * 8);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      await writeFile(path, bytes);
      const damaged = sqliteBook(path);
      try {
        expect(await entriesOf(damaged), `byte ${at}, bit ${bit}`).toEqual(expected);
        const found = await damaged.get(keys);
        expect([...found.keys()], `byte ${at}, bit ${bit}`).toHaveLength(expected.length);
      } catch (error) {
        expect(error, `byte ${at}, bit ${bit}`).toMatchObject({ name: 'BookError' });
        expect((error as Error).message).toMatch(/jobs\.book (is|isn't|can't) [^\n]+$/);
        reported += 1;
      } finally {
        await damaged.close();
      }
    }
    expect(reported).toBeGreaterThan(300);
  });

  test.each([
    ['one character', () => Buffer.from('x')],
    ['a JSON document', () => Buffer.from(JSON.stringify({ rows: 'x'.repeat(10_000) }))],
    ['zeros', () => Buffer.alloc(8192)],
    ['a truncated header', () => Buffer.from('SQLite format 3')],
    ['a database of another program', () => foreignDatabase('CREATE TABLE book (key TEXT)')],
    ['a database in WAL mode', () => foreignDatabase('PRAGMA journal_mode = WAL; CREATE TABLE notes (text)')],
    ['an empty database of another program', () => foreignDatabase('PRAGMA application_id = 7')],
    ['a database without an application ID or tables', () => foreignDatabase('PRAGMA user_version = 3')],
  ])('rejects %s and leaves the file unchanged', async (_, content) => {
    const path = await newPath();
    await writeFile(path, await content(), { mode: 0o640 });
    const before = await readFile(path);
    const book = sqliteBook(path);

    await expect(book.put([done('a', 1)])).rejects.toMatchObject({
      name: 'BookError',
      message: `${path} isn't a book of worktrack; choose another path`,
    });
    await book.close();

    expect(await readFile(path)).toEqual(before);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(join(path, '..'))).toEqual(['jobs.book']);
  });

  test('reports a file whose tables differ', async () => {
    const path = await newPath();
    const book = sqliteBook(path);
    await book.put([done('a', 1)]);
    await book.close();
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE book ADD COLUMN note');
    database.close();

    await expect(open(path).get(['a'])).rejects.toThrow(
      /jobs\.book is damaged: its tables differ from those that this version of worktrack creates; replace/,
    );
  });

  test('reports an entry that was changed outside the book', async () => {
    const path = await newPath();
    const book = sqliteBook(path);
    await book.put([done('a', 1)]);
    await book.close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE book SET state = 'failed'");
    database.close();

    await expect(open(path).get(['other'])).rejects.toThrow(
      /jobs\.book is damaged: the entry "a" doesn't match its digest; replace/,
    );
  });

  test('creates files that only their owner can read, and narrows the mode of an existing book', async () => {
    const path = await newPath();
    await writeFile(path, '', { mode: 0o666 });
    const book = open(path);
    await book.put([done('a', 1)]);

    const names = await readdir(join(path, '..'));
    expect(names).toEqual(['jobs.book', 'jobs.book-wal']);
    for (const name of names) {
      const { mode } = await stat(join(path, '..', name));
      expect([name, mode & 0o777]).toEqual([name, process.platform === 'win32' ? 0o666 : 0o600]);
    }
    await book.close();
    expect(await readdir(join(path, '..'))).toEqual(['jobs.book']);
  });

  test('names the file if its folder is missing or it is a folder, and tries again with the next call', async () => {
    const path = join(await temporaryFolder(), 'missing', 'jobs.book');
    const book = open(path);
    const failed = { name: 'BookError', message: expect.stringContaining(`${path} can't be opened: `) };

    await expect(book.get(['a'])).rejects.toMatchObject(failed);
    await mkdir(path, { recursive: true });
    await expect(book.get(['a'])).rejects.toMatchObject(failed);
    await expect(open(join(path, 'nested.book')).get(['a'])).resolves.toEqual(new Map());
  });

  test('takes special names of SQLite as paths, and creates no file before the first call', async () => {
    const folder = await temporaryFolder();
    const book = open(join(folder, ':memory:'));
    expect(await readdir(folder)).toEqual([]);
    await book.put([done('a', 1)]);
    expect(await readdir(folder)).toContain(':memory:');

    expect(() => sqliteBook('')).toThrow(
      new TypeError('sqliteBook: path must be a non-empty string (got "")'),
    );
  });

  test('stores 100,000 entries', async () => {
    const path = await newPath();
    const book = sqliteBook(path);
    const key = (index: number) => `row:${index}`;
    for (let from = 0; from < 100_000; from += 5000) {
      await book.put(
        Array.from({ length: 5000 }, (_, index) => done(key(from + index), { id: from + index })),
      );
    }
    await book.close();

    const opened = open(path);
    let count = 0;
    for await (const { state } of opened.entries()) if (state === 'done') count += 1;
    expect(count).toBe(100_000);
    expect((await opened.get([key(99_999)])).get(key(99_999))?.value).toEqual({ id: 99_999 });
  });
});

async function foreignDatabase(statements: string): Promise<Buffer> {
  const path = join(await temporaryFolder(), 'foreign.db');
  const database = new DatabaseSync(path);
  database.exec(statements);
  database.close();
  return readFile(path);
}

/** Returns a generator of the same pseudorandom numbers in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
