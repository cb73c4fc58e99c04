import { expect, it } from 'vitest';
import { DigestTable } from '../../../addons/jobs/import/digest-table.js';

// A new table has 1,024 slots, and the first slot for a digest is its first word modulo 1,024.
const digestOf = (text: string) => {
  const [a = 1, b = 0, c = 0] = text.split(' ').map(Number);
  return [a, b, c] as const;
};

it("DigestTable stores one value per string and replaces the value when it's set again", () => {
  const table = new DigestTable();
  table.set('a', 1);
  table.set('b', 2);
  table.set('a', 0xffff_ffff);
  expect([table.get('a'), table.get('b'), table.get('c'), table.size]).toEqual([
    0xffff_ffff,
    2,
    undefined,
    2,
  ]);
});

it.each([
  { word: 'first', text: '1025 2 3' },
  { word: 'second', text: '1 1026 3' },
  { word: 'third', text: '1 2 1027' },
])('DigestTable distinguishes digests that share a slot and differ only in their $word word', ({ text }) => {
  const table = new DigestTable(digestOf);
  table.set('1 2 3', 10);
  expect(table.get(text)).toBeUndefined();
  table.set(text, 20);
  expect([table.get('1 2 3'), table.get(text), table.size]).toEqual([10, 20, 2]);
});

it('DigestTable continues at the first slot if the last slot is taken', () => {
  const table = new DigestTable(digestOf);
  const texts = ['1023 1', '2047 1', '1024 1', '3071 1'];
  for (const [value, text] of texts.entries()) table.set(text, value);
  expect(texts.map((text) => table.get(text))).toEqual([0, 1, 2, 3]);
});

it('DigestTable keeps every value as it grows, whether or not digests share slots', () => {
  const table = new DigestTable(digestOf);
  const texts = Array.from(
    { length: 5000 },
    (_, index) => `${1 + (index % 700) * 512} ${index} ${-index >>> 0}`,
  );
  for (const [value, text] of texts.entries()) table.set(text, value);
  expect(table.size).toBe(5000);
  expect(texts.every((text, value) => table.get(text) === value)).toBe(true);
});
