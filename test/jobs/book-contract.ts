import { expect, onTestFinished, test } from 'vitest';
import type { Book, BookEntry } from 'worktrack/jobs';
import { bindBook } from '../../addons/jobs/book.js';

/** A place for books, such as a file. */
export interface BookPlace {
  /** Opens the place's book. */
  open(): Book;
  /** Whether opening the book again after `close` returns the same entries. */
  isLasting: boolean;
  remove?(): Promise<void>;
}

/** Registers the tests that every kind of book must pass. */
export function testBook(newPlace: () => Promise<BookPlace>): void {
  /** Opens a new book, and closes and removes it after the test. */
  async function open() {
    const place = await newPlace();
    let book = place.open();
    onTestFinished(async () => {
      await book.close();
      await place.remove?.();
    });
    const reopen = async () => {
      if (!place.isLasting) return book;
      await book.close();
      book = place.open();
      return book;
    };
    return { book, reopen, isLasting: place.isLasting };
  }

  test('get returns the entries for existing keys only', async () => {
    const { book } = await open();
    await book.put([done('a', 1), { key: 'b', state: 'started' }]);

    const found = await book.get(['b', 'missing', 'a', 'a']);

    expect(found).toEqual(
      new Map<string, BookEntry>([
        ['b', { key: 'b', state: 'started' }],
        ['a', done('a', 1)],
      ]),
    );
    expect(await book.get([])).toEqual(new Map());
  });

  test('put replaces and removes entries, and the last change of a key counts', async () => {
    const { book, reopen } = await open();
    await book.put([done('a', 1), done('b', 2), done('c', 3)]);
    await book.put([]);
    await book.put([
      { key: 'a', state: 'failed', value: 'reason' },
      { key: 'b', state: 'removed' },
      { key: 'unknown', state: 'removed' },
      done('d', 4),
      { key: 'd', state: 'removed' },
      { key: 'c', state: 'removed' },
      done('c', 5),
    ]);

    const expected = [{ key: 'a', state: 'failed', value: 'reason' }, done('c', 5)];
    expect(await entriesOf(book)).toEqual(expected);
    expect(await entriesOf(await reopen())).toEqual(expected);
  });

  test('values are copied as JSON, and keys can contain any characters', async () => {
    const { book, reopen } = await open();
    const value = {
      id: 'tkt_1',
      fields: { a: [null, true, 0.1, 'é\u0000\ud800"\\'] },
      big: 'x'.repeat(50_000),
    };
    const keys = [
      'a',
      'A',
      ' a',
      'a ',
      'é',
      'e\u0301',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '😀',
      '\uffff',
      '"',
      '\\',
      "';--",
    ];
    await book.put(keys.map((key) => done(key, { ...value, key })));
    const changed = done('changed', { list: [1] });
    await book.put([changed]);
    (changed.value as { list: number[] }).list.push(2);
    const found = (await book.get(['changed'])).get('changed') as BookEntry;
    (found.value as { list: number[] }).list.push(3);

    for (const openAgain of [async () => book, reopen]) {
      const opened = await openAgain();
      const found = await opened.get(keys);
      expect(keys.map((key) => found.get(key))).toEqual(keys.map((key) => done(key, { ...value, key })));
      expect((await opened.get(['changed'])).get('changed')).toEqual(done('changed', { list: [1] }));
      expect((await entriesOf(opened)).map(({ key }) => key).toSorted()).toEqual(
        [...keys, 'changed'].toSorted(),
      );
    }
  });

  test("put rejects an empty key and values that can't be stored as JSON, and stores nothing", async () => {
    const { book } = await open();
    await expect(book.put([done('a', 1), done('', 2)])).rejects.toThrow(
      new TypeError('a book\'s keys must be non-empty strings (got "")'),
    );
    await expect(book.put([done('a', 1), done('b', 2n)])).rejects.toThrow(TypeError);

    expect(await entriesOf(book)).toEqual([]);
  });

  test('concurrent puts are all stored', async () => {
    const { book, reopen } = await open();
    const keys = Array.from({ length: 200 }, (_, index) => `row:${index}`);
    await Promise.all(keys.map((key) => book.put([done(key, key)])));

    expect((await entriesOf(await reopen())).map(({ value }) => value)).toEqual(keys.toSorted());
  });

  test('entries returns all entries while the book is changed', async () => {
    const { book } = await open();
    const keys = Array.from({ length: 2500 }, (_, index) => `row:${index}`);
    await book.put(keys.map((key) => done(key, 0)));
    const seen: string[] = [];

    for await (const { key } of book.entries()) {
      seen.push(key);
      if (seen.length % 500 === 0) await book.put([done(key, 1), done(`${key}:new`, 1)]);
    }

    const old = seen.filter((key) => !key.endsWith(':new'));
    expect(old.toSorted()).toEqual(keys.toSorted());
  });

  test('close waits for the puts in flight, and the book can no longer be used', async () => {
    const { book, reopen, isLasting } = await open();
    const putting = book.put([done('a', 1)]);
    await book.close();
    await book.close();
    await putting;

    const closed = { name: 'BookError', outcome: 'not_sent', message: expect.stringMatching(/ is closed$/) };
    await expect(book.get(['a'])).rejects.toMatchObject(closed);
    await expect(book.put([done('b', 1)])).rejects.toMatchObject(closed);
    await expect(entriesOf(book)).rejects.toMatchObject(closed);
    if (isLasting) expect(await entriesOf(await reopen())).toEqual([done('a', 1)]);
  });

  test('bindBook accepts only the job that the book belongs to', async () => {
    const { book, reopen } = await open();
    await bindBook(book, 'tickets:prj_1:Jira');
    const opened = await reopen();
    await bindBook(opened, 'tickets:prj_1:Jira');

    await expect(bindBook(opened, 'tickets:prj_2:Jira')).rejects.toMatchObject({
      name: 'BookError',
      message:
        'this book belongs to "tickets:prj_1:Jira", not to "tickets:prj_2:Jira"; use a book for each job',
    });
  });
}

export const done = (key: string, value: unknown): BookEntry => ({ key, state: 'done', value });

/** Returns a book's entries, sorted by key. */
export async function entriesOf(book: Book): Promise<BookEntry[]> {
  const entries: BookEntry[] = [];
  for await (const entry of book.entries()) entries.push(entry);
  return entries.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
