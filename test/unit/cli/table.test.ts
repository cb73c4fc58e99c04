import { expect, test } from 'vitest';
import { formatTable } from '../../../addons/cli/terminal/table.js';

const record = (number: number, title: string) => ({
  id: `01M7ZCMJ7JEJYEJK5C7W5B346${number}`,
  project_id: '01M7ZCMGD08GTB00AS74M54NPR',
  number,
  title,
  due_at: '2026-01-01T00:00:00.000Z',
  labels: [{ id: 'lbl_bug', name: 'bug' }],
  updated_at: '2026-01-01T00:00:00.000Z',
});

test.each([32, 60, 80, 100])(
  'formatTable fits a list into a terminal %i characters wide and names the omitted fields',
  (width) => {
    const text = formatTable([record(1, 'Launch'), record(2, 'Check the radio '.repeat(4))], width);
    const lines = text.split('\n').slice(0, 3);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^number +title/);
    expect(text).toMatch(/\n\(not shown: .*project_id; use --json to print all fields\)$/);
  },
);

test('if the list fits, formatTable prints every column without a note', () => {
  const [header, ...rows] = formatTable([record(1, 'Launch')], 200).split('\n');
  expect(header?.split(/ +/).sort()).toEqual(Object.keys(record(1, '')).sort());
  expect(rows).toHaveLength(1);
});

test('formatTable prints at least two columns, even in a narrow terminal', () => {
  expect(formatTable([record(1, 'Launch')], 10)).toMatch(/^number +title\n/);
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

test('formatTable truncates text that is too long and adds an ellipsis, but never splits a character', () => {
  expect(formatTable([{ title: 'x'.repeat(40) }])).toBe(`title\n${'x'.repeat(40)}`);
  expect(formatTable([{ id: 'a', title: '🚀'.repeat(39) }])).toContain(`${'🚀'.repeat(19)}…`);
  expect(formatTable({ id: 'a', title: 'x'.repeat(100) }, 60).split('\n')[1]).toBe(
    `title  ${'x'.repeat(52)}…`,
  );
});

test('formatTable truncates very long text quickly', () => {
  for (const character of ['x', '🚀', '\ud800', '\u200d']) {
    const text = formatTable({ id: 'a', title: character.repeat(100_000) }, 60);
    expect(text.length).toBeLessThan(1000);
    expect(text).toContain('…');
  }
});

test('formatTable strips control and bidirectional characters', () => {
  expect(formatTable({ title: 'a\u001b[2Jb\r\nc\u202ed', creator: { name: 'x\u0007y' } })).toBe(
    'title    a [2Jb cd\ncreator  x y',
  );
});

const useful = 'assignees priority due_at labels caption position updated_at';

test.each([
  `id title name key role status board_id ${useful} project_id`,
  // Records with a number are identified by it, so their IDs come last.
  `number title name key role status ${useful} id project_id`,
])('formatTable puts the most useful columns first: %s', (names) => {
  // The input fields are sorted alphabetically, so only formatTable can have put the columns in this order.
  const fields = names.split(' ').sort();
  const record = Object.fromEntries(fields.map((name) => [name, 1]));
  expect(formatTable([record]).split('\n')[0]?.split(/ +/)).toEqual(names.split(' '));
});

test('formatTable prints dates after the other fields', () => {
  const record = { created_at: 1, caption: 2, updated_at: 3, summary: 4 };
  expect(formatTable([record])).toMatch(/^caption +summary +created_at +updated_at\n/);
});

test('formatTable truncates long cells, but not IDs, to make room for another column', () => {
  const record = {
    id: 'i'.repeat(26),
    board_id: 'b'.repeat(26),
    title: 't'.repeat(40),
    idea: 'x'.repeat(40),
  };
  expect(formatTable([record], 110).split('\n')).toEqual([
    'id                          title                     board_id                    idea',
    `${'i'.repeat(26)}  ${'t'.repeat(23)}…  ${'b'.repeat(26)}  ${'x'.repeat(23)}…`,
  ]);
});

test('formatTable names the omitted columns below the table', () => {
  const record = { id: 'a', title: 'Launch', number: 1, position: 0, project_id: 'p' };
  expect(formatTable([record], 24)).toBe(
    'number  title   position\n1       Launch  0\n(not shown: id, project_id; use --json to print all fields)',
  );
});

test('formatTable omits columns whose values are all null or too long for a table', () => {
  const texts = (length: number) => ({
    empty: null,
    missing: undefined,
    number: 1,
    text: 'x'.repeat(length),
  });
  expect(formatTable([texts(80)])).toBe(`number  text\n1       ${'x'.repeat(39)}…`);
  expect(formatTable([texts(81)])).toBe('number\n1');
  expect(formatTable([texts(81), { text: 'short' }])).toBe(
    `number  text\n1       ${'x'.repeat(39)}…\n-       short`,
  );
});

test('formatTable prints the names or IDs of nested records, separated by commas', () => {
  const labels = [{ id: 'lbl_1', name: 'bug' }, { id: 'lbl_2' }, 'crew', null];
  expect(formatTable({ labels, editors: [], creator: { role: 'owner' } })).toBe(
    'labels   bug, lbl_2, crew, -\neditors  -\ncreator  {"role":"owner"}',
  );
  expect(formatTable([{ labels: ['a'.repeat(30), 'b'.repeat(30)] }])).toBe(
    `labels\n${'a'.repeat(30)}, ${'b'.repeat(7)}…`,
  );
});

test.each([
  ['a string instead of a record', 'text', 'value  "text"'],
  ['a list that contains null', [null], 'value\nnull'],
  ['a list of records with different fields', [{ id: 1 }, { id: 2, name: 'b' }], 'id  name\n1   -\n2   b'],
])('formatTable prints %s', (_, result, expected) => {
  expect(formatTable(result)).toBe(expected);
});

test('formatTable is fast even if a list has a huge number of records or fields', () => {
  const many = Array.from({ length: 200_000 }, (_, number) => ({ id: `tkt_${number}`, number }));
  expect(formatTable(many, 80).split('\n')).toHaveLength(200_001);

  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`field_${index}`, index]));
  expect(formatTable(wide, 80).split('\n')).toHaveLength(30_000);
  const list = formatTable([wide, wide], 80);
  expect(list).toContain('field_0  field_1  ');
  expect(list).toMatch(/field_\d+, and 299\d\d more; use --json to print all fields\)$/);
  expect(list.length).toBeLessThan(1500);

  const different = Array.from({ length: 3000 }, (_, index) => ({ id: index, [`field_${index}`]: 1 }));
  expect(formatTable(different, 40).split('\n')).toHaveLength(3002);
});

test('formatTable can print field names of any length and values of any size or depth', () => {
  const nested = JSON.parse(`${'[{"name":'.repeat(20_000)}1${'}]'.repeat(20_000)}`);
  expect(formatTable({ nested }, 60)).toBe('nested  …');
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  expect(formatTable({ deep }, 60)).toBe('deep  …');
  expect(formatTable([{ id: 1, list: Array.from({ length: 1_000_000 }, () => '') }], 60)).toContain('list');
  expect(formatTable({ [`x${'é'.repeat(1_000_000)}`]: 1 }, 60)).toBe(`x${'é'.repeat(38)}…  1`);
});
