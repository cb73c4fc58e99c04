import { expect, test } from 'vitest';
import { table } from '../../../cli/operations/print.js';

const record = (number: number, title: string) => ({
  id: `01M7ZCMJ7JEJYEJK5C7W5B346${number}`,
  project_id: '01M7ZCMGD08GTB00AS74M54NPR',
  number,
  title,
  due_at: '2026-01-01T00:00:00.000Z',
  labels: [{ id: 'lbl_bug', name: 'bug' }],
  updated_at: '2026-01-01T00:00:00.000Z',
});

test.each([60, 80, 100])('a list fits a terminal of %i columns, and says what had no room', (width) => {
  const text = table([record(1, 'Launch'), record(2, 'Land')], width);
  const lines = text.split('\n').slice(0, 3);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines[0]).toMatch(/^id +number +title/);
  expect(text).toMatch(/\n\(no room for project_id.*; --json has them\)$/);
});

test('a list that has room is whole, and says nothing more', () => {
  const [header, ...rows] = table([record(1, 'Launch')], 200).split('\n');
  expect(header?.split(/ +/)).toEqual(Object.keys(record(1, '')));
  expect(rows).toHaveLength(1);
});

test('an id and one more column stay however narrow the terminal is', () => {
  expect(table([record(1, 'Launch')], 10)).toMatch(/^id +number\n/);
});

test('columns stand below each other where characters are wide or combine', () => {
  const titles = ['Launch', '日本語', 'e\u0301te\u0301', '🚀 go', '👩‍🚀'];
  const cells = (titles: string[]) => table(titles.map((title) => ({ title, n: 1 })));
  expect(cells(titles).split('\n')).toEqual([
    'title   n',
    'Launch  1',
    '日本語  1',
    'e\u0301te\u0301     1',
    '🚀 go   1',
    '👩‍🚀      1',
  ]);
});

test('long text ends in an ellipsis, between characters and not within one', () => {
  expect(table([{ id: 'a', title: '🚀'.repeat(39) }])).toContain(`${'🚀'.repeat(19)}…`);
  expect(table({ id: 'a', title: 'x'.repeat(100) }, 60).split('\n')[1]).toBe(`title  ${'x'.repeat(52)}…`);
});

test('nothing that a server sends moves the cursor or turns a line around', () => {
  expect(table({ title: 'a\u001b[2Jb\r\nc\u202ed', creator: { name: 'x\u0007y' } })).toBe(
    'title    a [2Jb cd\ncreator  x y',
  );
});
