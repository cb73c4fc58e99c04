import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { sqliteBook } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { setUpImport } from './support/import.js';
import { replaceProperty } from './support/replace-property.js';
import { type CommandLineOptions, rejected } from './support/run.js';

const csv = `key,title,board_slug,label_ids,description_html
A-1,Fuel,To do,bug,<p>Today</p>
A-2,Doors,In progress,,
A-3,Radio,To do,"bug, crew",
`;

/** Writes the file, and returns functions that sync and edit it. */
async function setUp(options: CommandLineOptions = {}) {
  const setting = await setUpImport('tickets.csv', csv, options);
  const { file, project } = setting;
  const sync = (...args: string[]) =>
    setting.runWords('sync', file, '--source', 'Jira', '--project', project.key, '--key', 'key', ...args);
  const replace = (text: string, by: string) =>
    readFile(file, 'utf8').then((content) => writeFile(file, content.replace(text, by)));
  const tickets = () => setting.mock.state.tickets.all();
  return { ...setting, sync, replace, tickets };
}

test("worktrack sync creates, updates, and archives tickets, and doesn't change anything on the second run", async () => {
  const { sync, replace, tickets, boards, mock } = await setUp();
  expect(await sync('--yes')).toMatchObject({ code: 0, errors: expect.stringContaining('3 created') });
  await replace('Fuel,To do,bug,<p>Today</p>', 'Fuel it,in-progress,,');
  await replace('A-3,Radio,To do,"bug, crew",\n', '');
  expect(await sync('--yes', '--on-missing', 'archive')).toMatchObject({
    code: 0,
    errors: '1 updated, 1 archived, 1 unchanged',
  });
  expect(tickets()).toMatchObject([
    { title: 'Fuel it', board_id: boards[1]?.id, labels: [], archived_at: null },
    { title: 'Doors' },
    { title: 'Radio', archived_at: expect.any(String) },
  ]);
  mock.requests.clear();
  expect(await sync('--yes', '--on-missing', 'archive')).toMatchObject({ code: 0 });
  expect(mock.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test("worktrack sync --plan prints a diff with readable names and doesn't leave a book behind", async () => {
  const { sync, replace, folder, tickets, client } = await setUp();
  const { code, output } = await sync('--plan');
  expect(code).toBe(0);
  expect(output).toContain('+ A-3 "Radio"\n    board_id: "To do"\n    label_ids: bug, crew');
  expect(output).toContain('3 to create');
  expect(await readdir(folder)).toEqual(['tickets.csv']);
  expect(tickets()).toEqual([]);

  await sync('--yes', '--concurrency', '1');
  await client.tickets.update(tickets()[0]?.id ?? '', { title: 'Edited' });
  await client.tickets.delete(tickets()[1]?.id ?? '');
  await replace('Fuel,To do,bug,<p>Today</p>', 'Fuel it,In progress,bug,');
  await replace('A-3,Radio,To do,"bug, crew",\n', '');
  expect(await sync('--plan', '--on-missing', 'delete', '--concurrency', '1')).toMatchObject({
    code: 1,
    output: [
      '~ A-1 "Fuel it"',
      '    description_html: "Today" → none',
      '    board_id: "To do" → "In progress"',
      '    ! title: the file has "Fuel it", but the ticket has "Edited"',
      '! A-2 "Doors" (ticket was deleted)',
      '- A-3 "Radio" (delete)',
      '1 to update, 1 to delete, 1 with a deleted ticket',
    ].join('\n'),
  });
});

test('worktrack sync --plan prints a colored diff in a terminal that supports colors', async () => {
  const { sync } = await setUp({ terminal: true });
  expect((await sync('--plan')).output).toContain('\u001b[32m+ A-1 "Fuel"\u001b[39m');
  for (const env of [{ TERM: 'dumb' }, { NO_COLOR: '1' }]) {
    const plain = await setUp({ terminal: true, env });
    expect((await plain.sync('--plan')).output).toMatch(/^\+ A-1 "Fuel"\n/);
  }
});

test('worktrack sync --plan prints nothing raw that comes from the file or the server', async () => {
  const { sync, file, client, tickets } = await setUp();
  const evil = 'x\n- A-9 "Forged" (delete)\n\u001b[31m\u202e';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
  const forged = /[\u001b\u202e]|^- A-9/m;
  const quoted = evil.replaceAll('"', '""');
  const rows = `key,title,board_slug\n"A-1${quoted}","Vec<T> ${quoted}",To do\n`;
  await writeFile(file, rows);
  const { output } = await sync('--plan');
  expect(output.split('\n')).toHaveLength(3);
  expect(output).toContain('"Vec<T> x - A-9');
  expect(output).not.toMatch(forged);

  await sync('--yes');
  await client.tickets.update(tickets()[0]?.id ?? '', { title: `Map<K, V> ${evil}` });
  await writeFile(file, rows.replace('Vec<T>', 'Set<T>'));
  for (const args of [['--plan'], ['--yes']]) {
    const { output, errors } = await sync(...args);
    expect(`${output}\n${errors}`).not.toMatch(forged);
  }
  expect((await sync('--plan')).output).toContain('the file has "Set<T> x - A-9 \\"Forged\\" (delete) ');
});

test('worktrack sync --save writes a file that only its owner can read, even if the file exists', async () => {
  const { sync, folder } = await setUp();
  const path = `${folder}/plan.json`;
  await writeFile(path, 'old', { mode: 0o644 });
  expect((await sync('--plan', '--save', path)).code).toBe(0);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await sync('--yes', '--save', path)).toEqual(rejected('worktrack sync: --save requires --plan'));
});

test('worktrack sync --apply performs only the operations in a saved plan', async () => {
  const { sync, replace, folder, titles } = await setUp();
  await sync('--yes');
  await replace('Fuel', 'Fuel it');
  expect(await sync('--plan', '--save', `${folder}/plan.json`)).toMatchObject({ code: 0 });
  await replace('Doors', 'Gates');
  const { code, errors } = await sync('--apply', `${folder}/plan.json`, '--yes');
  expect(code).toBe(1);
  expect(errors).toContain('1 updated, 1 unchanged, 1 not matching the plan');
  expect(errors).toContain('A-2: the change is not in the plan; run the command with --plan again');
  expect(titles().sort()).toEqual(['Doors', 'Fuel it', 'Radio']);
});

test('worktrack sync --apply exits with code 1 and reports the planned operations that no longer apply', async () => {
  const { sync, replace, folder, titles } = await setUp();
  await sync('--plan', '--save', `${folder}/plan.json`);
  await replace('A-3,Radio,To do,"bug, crew",\n', '');
  const { code, output, errors } = await sync('--apply', `${folder}/plan.json`, '--yes');
  expect([code, output, errors]).toEqual([
    1,
    expect.stringContaining('2 to create'),
    expect.stringContaining('A-3: the row is no longer in the source; run the command with --plan again'),
  ]);
  expect(titles().sort()).toEqual(['Doors', 'Fuel']);
});

test('worktrack sync --apply rejects a file that is missing or contains no plan', async () => {
  const { sync, file, titles } = await setUp();
  expect(await sync('--yes', '--apply', `${file}.none`)).toEqual(
    rejected(`worktrack sync: --apply: could not read ${file}.none: no such file or folder`),
  );
  expect(await sync('--yes', '--apply', file)).toEqual(
    rejected(`worktrack sync: --apply: ${file} isn't a saved plan; create one with --plan --save ${file}`),
  );
  expect(titles()).toEqual([]);
});

/** Replaces the terminal in which the user types, until the end of the test. */
function replaceInput(): PassThrough {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  replaceProperty(process, 'stdin', input as never);
  return input;
}

test.each([
  ['y\n', 0, ['Fuel', 'Doors', 'Radio']],
  ['\n', 1, []],
])(
  'worktrack sync asks for confirmation before applying the changes (the user types %j)',
  async (answer, exitCode, expected) => {
    const { sync, titles, folder } = await setUp();
    replaceInput().end(answer);
    expect((await sync()).code).toBe(exitCode);
    expect(titles().sort()).toEqual(expected.sort());
    expect(await readdir(folder)).toContain('tickets.csv');
  },
);

test('worktrack sync exits with 130 if the user presses Ctrl+C instead of confirming the changes', async () => {
  const { sync, titles } = await setUp();
  replaceProperty(process, 'kill', () => process.emit('SIGINT', 'SIGINT') as true);
  replaceInput().write('\u0003');
  expect((await sync()).code).toBe(130);
  expect(titles()).toEqual([]);
});

test('worktrack sync exits with 143 if SIGTERM stops it before the user confirms the changes', async () => {
  const onPrint = (text: string) => {
    if (text === '3 to create') process.emit('SIGTERM', 'SIGTERM');
  };
  const { sync, titles } = await setUp({ terminal: true, onPrint });
  replaceInput();
  const { code, errors } = await sync();
  expect([code, errors]).toEqual([143, expect.stringContaining('Nothing was changed.')]);
  expect(titles()).toEqual([]);
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const swap = (text: string) => utf16(text).swap16();
const header = 'key,title,board_slug\n';
const mayBeIncomplete = "doesn't end with a line break";

test.each<[string, string | Buffer, number, string]>([
  ['is empty', header, 2, 'has no rows'],
  ['ends in the middle of a row', `${header}A-1,Fuel`, 2, 'line 2 has 2 values'],
  ['ends in the middle of a value', `${header}A-1,Fuel,To do`, 1, mayBeIncomplete],
  ['ends with one character after the last line break', 'key\nA-1\nA', 2, 'no column for the title'],
  // The last characters contain the bytes 0x0A and 0x0D.
  ['is cut in UTF-16 after U+0A0D', utf16(`${header}A-1,Fuel,To do\u0a0d`), 1, mayBeIncomplete],
  ['is cut in UTF-16 after U+010A', utf16(`${header}A-1,To do,To do\nA-2,x,\u010a`), 1, mayBeIncomplete],
  ['is cut in UTF-16BE after U+0D0A', swap(`${header}A-1,Fuel,To do\u0d0a`), 1, mayBeIncomplete],
])("worktrack sync doesn't remove anything if the file %s", async (_, content, exitCode, message) => {
  const { sync, file, tickets } = await setUp();
  await sync('--yes');
  await writeFile(file, content);
  const { code, errors } = await sync('--yes', '--on-missing', 'delete');
  expect([code, errors]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(tickets()).toHaveLength(3);
});

test.each<[string, string, string | Buffer, number]>([
  ['one character after the last line break', 'csv', 'title\nFuel\nD', 0],
  ['a complete column', 'csv', 'title\nFuel\n', 1],
  ['a complete column with classic Mac line breaks', 'csv', 'title\rFuel\r', 1],
  ['a complete UTF-16 file', 'csv', utf16('title\r\nFuel\r\n'), 1],
  ['NDJSON that ends with a space', 'ndjson', '{"title":"Fuel"}\n ', 0],
  ['NDJSON without a line break', 'ndjson', '{"title":"Fuel"}', 0],
  ['NDJSON with a space before the line break', 'ndjson', '{"title":"Fuel"} \n', 1],
  ['NDJSON with blank lines at the end', 'ndjson', '{"title":"Fuel"}\n\n \n', 1],
])('worktrack sync removes tickets only after a complete file: %s', async (_, format, content, archived) => {
  const mock = createMockServer({
    world: { organizations: [{ name: 'Acme' }], settings: { default_board: 'To do' } },
  });
  const env = { WORKTRACK_DEFAULT_BOARD: 'true' };
  const { runWords, folder, project, tickets } = await setUp({ mock, env });
  const file = `${folder}/titles.${format}`;
  const args = [
    '--source',
    'Jira',
    '--project',
    project.key,
    '--key',
    'title',
    '--on-missing',
    'archive',
    '--yes',
  ];
  const complete = format === 'csv' ? 'title\nFuel\nDoors\n' : '{"title":"Fuel"}\n{"title":"Doors"}\n';
  await writeFile(file, complete);
  expect(await runWords('sync', file, ...args)).toMatchObject({ code: 0 });
  await writeFile(file, content);
  expect((await runWords('sync', file, ...args)).code).toBe(1 - archived);
  expect(tickets().filter(({ archived_at }) => archived_at !== null)).toHaveLength(archived);
});

test('worktrack sync clears a field for which an NDJSON file contains null', async () => {
  const { runWords, folder, project, tickets } = await setUp();
  const file = `${folder}/tickets.ndjson`;
  const row = { key: 'A-1', title: 'Fuel', board_slug: 'To do', due_at: '2026-02-01' as string | null };
  for (const due_at of [row.due_at, null]) {
    await writeFile(file, `${JSON.stringify({ ...row, due_at })}\n`);
    const { code } = await runWords(
      'sync',
      file,
      '--source',
      'Jira',
      '--project',
      project.id,
      '--key',
      'key',
      '--yes',
    );
    expect([code, tickets()[0]?.due_at ?? null]).toEqual([0, due_at && `${due_at}T00:00:00.000Z`]);
  }
});

test("worktrack sync doesn't remove anything if the number of missing rows exceeds --max-removals", async () => {
  const { sync, file, tickets } = await setUp();
  await sync('--yes');
  await writeFile(file, csv.split('\n').slice(0, 2).join('\n').concat('\n'));
  const args = ['--on-missing', 'delete', '--max-removals', '1'];
  const { code, errors } = await sync('--yes', ...args);
  expect([code, errors]).toEqual([1, expect.stringContaining('2 tickets would be')]);
  expect((await sync('--plan', ...args)).output).toMatch(/unchanged\n2 tickets would be/);
  expect(tickets()).toHaveLength(3);
});

test('worktrack sync reports unknown names before writing anything', async () => {
  const { sync, replace, titles } = await setUp();
  await replace('bug,<p>', 'buf,<p>');
  const { code, output } = await sync('--plan');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('! A-1 (invalid)\n    label_ids "buf" is not a label'),
  ]);
  expect(titles()).toEqual([]);
});

test('worktrack sync exits with code 1 and reports rows that have the same key as another row', async () => {
  const { sync, replace, titles } = await setUp();
  await replace('A-3,', 'A-1,');
  const { code, output, errors } = await sync('--yes');
  expect([code, output, errors]).toEqual([
    1,
    expect.stringContaining('! A-1 (invalid)\n    an earlier row has the same key'),
    expect.stringContaining('2 created, 1 failed'),
  ]);
  expect(titles()).toEqual(['Fuel', 'Doors']);
});

test('worktrack sync exits with code 1 and reports in-doubt rows that are missing from the file', async () => {
  const { sync, file, project } = await setUp();
  await sync('--yes');
  const book = sqliteBook(`${file}.${project.id}.book`);
  await book.put([{ key: 'row:A-4', state: 'started' }]);
  await book.close();
  expect(await sync('--yes')).toMatchObject({
    code: 1,
    errors: '3 unchanged, 1 in doubt\nA-4: its record may exist, but the row is no longer in the source',
  });
});

test('worktrack sync continues with the marks of the tickets if the book is lost', async () => {
  const { sync, file, project, replace, titles } = await setUp();
  await sync('--yes');
  await rm(`${file}.${project.id}.book`);
  await replace('Fuel', 'Fuel it');
  expect(await sync('--yes', '--book', `${file}.new`)).toMatchObject({
    code: 0,
    errors: '1 updated, 2 unchanged',
  });
  expect(titles()).toHaveLength(3);
  expect(await sync('--yes', '--book', `${file}.new`, '--source', 'Trello')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('this book belongs to'),
  });
});

test("worktrack sync doesn't leave a book behind if the token is rejected", async () => {
  const { sync, folder } = await setUp({ token: 'wrong' });
  expect((await sync('--yes')).code).toBe(3);
  expect(await readdir(folder)).toEqual(['tickets.csv']);
});

test("worktrack sync accepts the project's key, name, or ID", async () => {
  const { runWords, file, project, folder, tickets } = await setUp();
  for (const name of [project.key.toLowerCase(), project.name, project.id])
    expect(
      await runWords('sync', file, '--source', 'Jira', '--project', name, '--key', 'key', '--yes'),
    ).toMatchObject({
      code: 0,
    });
  expect(tickets()).toHaveLength(3);
  expect(await readdir(folder)).toContain(`tickets.csv.${project.id}.book`);
});
