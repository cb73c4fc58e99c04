import { expect, test, vi } from 'vitest';
import { Epoch } from '../../../mock-server/store/epoch.js';
import { Table } from '../../../mock-server/store/table.js';
import { TextIndex } from '../../../mock-server/store/text-index.js';

interface Row {
  text: string;
}

const textsOf = ({ text }: Row) => text.split('|');

function setUp(texts: readonly string[]) {
  const epoch = new Epoch();
  const table = new Table<Row>(epoch);
  const index = new TextIndex(table);
  const put = (at: number, text: string) => table.put(`row ${at}`, { text });
  texts.forEach((text, at) => {
    put(at, text);
  });
  const find = (q: string) => {
    const contains = index.matcher(q, textsOf);
    return texts.map((_, at) => table.slotOf(`row ${at}`)).filter(contains);
  };
  return { epoch, table, index, put, find };
}

test('a search ignores case and finds whole strings, substrings, and single characters', () => {
  const { find } = setUp(['Heat shield', 'crew manual', 'STRASSE and Straße', '']);
  expect(find('HEAT SHIELD')).toEqual([0]);
  expect(find('anu')).toEqual([1]);
  expect(find('e')).toEqual([0, 1, 2]);
  expect(find('straße')).toEqual([2]);
  expect(find('shield!')).toEqual([]);
  expect(find('')).toEqual([0, 1, 2, 3]);
});

test.each([
  ['ΟΔΟΣ', 'οδός ΟΔΟΣΑ'],
  ['οδος', 'ΟΔΟΣΑ'],
  ['STRASSE', 'Straße'],
  ['ß', 'STRASSE'],
])('a search for %j matches %j', (q, text) => {
  expect(setUp([text]).find(q)).toEqual([0]);
});

test('a search never matches the separator in the index or text that spans two strings', () => {
  const { find } = setUp(['heat|shield', 'no\0ne|other', 'crew|']);
  expect([find('tsh'), find('heat|'), find('t\0s')]).toEqual([[], [], []]);
  expect([find('\0'), find('O\0n'), find('w\0')]).toEqual([[1], [1], []]);
});

test('a search reflects changes and restores', () => {
  const { epoch, table, put, find } = setUp(['launch', 'land', 'orbit']);
  expect(find('la')).toEqual([0, 1]);
  const captured = table.capture();
  epoch.advance();
  put(1, 'dock');
  put(2, 'launder');
  expect(find('la')).toEqual([0, 2]);
  table.restore(captured);
  epoch.advance();
  expect(find('la')).toEqual([0, 1]);
  expect(find('launder')).toEqual([]);
});

test('a search reads the strings of a record again only after the record has changed', () => {
  const { epoch, table, index, put } = setUp(['launch', 'land']);
  const read = vi.fn(textsOf);
  const search = () => {
    read.mockClear();
    const contains = index.matcher('la', read);
    expect([contains(0), contains(1)]).toEqual([true, true]);
    return read.mock.calls.map(([{ text }]) => text);
  };
  expect(search()).toEqual(['launch', 'land']);
  expect(search()).toEqual([]);
  const captured = table.capture();
  epoch.advance();
  put(1, 'last');
  expect(search()).toEqual(['last']);
  table.restore(captured);
  expect(search()).toEqual(['land']);
});

test('a search finds every record whose random strings contain the query', () => {
  const alphabet = ['a', 'b', 'ß', 'é', '𝒳', ' ', '<'];
  let state = 1;
  const next = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const word = (length: number) => Array.from({ length }, () => alphabet[next(alphabet.length)]).join('');
  const texts = Array.from({ length: 300 }, () => word(next(40)));
  const { find } = setUp(texts);
  for (let round = 0; round < 300; round += 1) {
    const q = word(1 + next(4));
    const expected = texts.flatMap((text, at) => (text.toUpperCase().includes(q.toUpperCase()) ? [at] : []));
    expect(find(q), JSON.stringify(q)).toEqual(expected);
  }
});
