import { expect, test } from 'vitest';
import { formatTable } from '../../../cli/terminal/table.js';

const record = (number: number, title: string) => ({
  id: `01M7ZCMJ7JEJYEJK5C7W5B346${number}`,
  project_id: '01M7ZCMGD08GTB00AS74M54NPR',
  number,
  title,
  due_at: '2026-01-01T00:00:00.000Z',
  labels: [{ id: 'lbl_bug', name: 'bug' }],
  updated_at: '2026-01-01T00:00:00.000Z',
});

test.each([60, 80, 100])('formatTable fits a list into %i columns and lists the omitted fields', (width) => {
  const text = formatTable([record(1, 'Launch'), record(2, 'Land')], width);
  const lines = text.split('\n').slice(0, 3);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines[0]).toMatch(/^id +title/);
  expect(text).toMatch(/\n\(not shown: .*project_id; use --json to print all fields\)$/);
});

test('formatTable prints every column and no note if the list fits', () => {
  const [header, ...rows] = formatTable([record(1, 'Launch')], 200).split('\n');
  expect(header?.split(/ +/).sort()).toEqual(Object.keys(record(1, '')).sort());
  expect(rows).toHaveLength(1);
});

test('formatTable always prints the ID and one more column, even in a narrow terminal', () => {
  expect(formatTable([record(1, 'Launch')], 10)).toMatch(/^id +title\n/);
});

test('formatTable aligns columns that contain wide or combining characters', () => {
  const titles = ['Launch', '日本語', 'e\u0301te\u0301', '🚀 go', '👩‍🚀'];
  const cells = (titles: string[]) => formatTable(titles.map((title) => ({ title, n: 1 })));
  expect(cells(titles).split('\n')).toEqual([
    'title   n',
    'Launch  1',
    '日本語  1',
    'e\u0301te\u0301     1',
    '🚀 go   1',
    '👩‍🚀      1',
  ]);
});

test('formatTable truncates long text with an ellipsis and never splits a character', () => {
  expect(formatTable([{ id: 'a', title: '🚀'.repeat(39) }])).toContain(`${'🚀'.repeat(19)}…`);
  expect(formatTable({ id: 'a', title: 'x'.repeat(100) }, 60).split('\n')[1]).toBe(
    `title  ${'x'.repeat(52)}…`,
  );
});

test('formatTable strips control and bidirectional characters', () => {
  expect(formatTable({ title: 'a\u001b[2Jb\r\nc\u202ed', creator: { name: 'x\u0007y' } })).toBe(
    'title    a [2Jb cd\ncreator  x y',
  );
});

test("formatTable prints a ticket's board and assignees before its position", () => {
  const ticket = {
    id: '01M7ZCMJ7JEJYEJK5C7W5B3461',
    project_id: '01M7ZCMGD08GTB00AS74M54NPR',
    board_id: '01M7ZCMGD08GTB00AS74M54NPS',
    number: 1,
    title: 'Check the radio before the launch',
    position: 0,
    assignees: [{ id: 'usr_ada', name: 'Ada' }],
  };
  expect(formatTable([ticket], 80).split('\n')[0]).toMatch(/^id +title +board_id$/);
  expect(formatTable([ticket], 100).split('\n')[0]).toMatch(/^id +title +board_id +assignees/);
  expect(formatTable([ticket]).split('\n')[0]?.split(/ +/)).toEqual([
    'id',
    'title',
    'board_id',
    'assignees',
    'number',
    'position',
    'project_id',
  ]);
});

test('formatTable never shortens an ID', () => {
  expect(formatTable([{ id: 'x'.repeat(26), title: 'y'.repeat(40) }], 40)).toContain('x'.repeat(26));
});

test.each([
  ['a string instead of a record', 'text', 'value  "text"'],
  ['a list that contains null', [null], 'value\nnull'],
  ['a list of records with different fields', [{ id: 1 }, { id: 2, name: 'b' }], 'id  name\n1   -\n2   b'],
])('formatTable prints %s', (_, result, expected) => {
  expect(formatTable(result)).toBe(expected);
});
