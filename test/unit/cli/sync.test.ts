import { readdir, readFile, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { fileLedger } from 'worktrack/jobs';
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
    setting.runWords('sync', file, '--project', project.key, '--key', 'key', ...args);
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
    errors: expect.stringMatching(/^1 updated, 1 archived, 1 unchanged; \d+ requests$/),
  });
  expect(tickets()).toMatchObject([
    { title: 'Fuel it', board_id: boards[1]?.id, labels: [], description_html: null, archived_at: null },
    { title: 'Doors' },
    { title: 'Radio', archived_at: expect.any(String) },
  ]);
  mock.requests.clear();
  expect(await sync('--yes', '--on-missing', 'archive')).toMatchObject({ code: 0 });
  expect(mock.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test("worktrack sync --plan prints a diff with readable names and doesn't leave a ledger behind", async () => {
  const { sync, replace, folder, tickets, client } = await setUp();
  const { code, output } = await sync('--plan', '--diff');
  expect(code).toBe(0);
  expect(output).toContain('+ A-3 "Radio"\n    board_id: "To do"\n    label_ids: bug, crew');
  expect(output).toContain('3 to create');
  expect(await readdir(folder)).toEqual(['tickets.csv']);
  expect(tickets()).toEqual([]);

  await sync('--yes');
  await client.tickets.update(tickets()[0]?.id ?? '', { title: 'Edited' });
  await client.tickets.delete(tickets()[1]?.id ?? '');
  await replace('Fuel,To do,bug,<p>Today</p>', 'Fuel it,In progress,bug,');
  await replace('A-3,Radio,To do,"bug, crew",\n', '');
  expect(await sync('--plan', '--diff', '--on-missing', 'delete')).toMatchObject({
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

test('worktrack sync --plan prints a colored diff in a terminal and JSON lines in a pipe', async () => {
  const { sync } = await setUp({ terminal: true });
  expect((await sync('--plan')).output).toContain('\u001b[32m+ A-1 "Fuel"\u001b[39m');
  for (const env of [{ TERM: 'dumb' }, { NO_COLOR: '1' }]) {
    const plain = await setUp({ terminal: true, env });
    expect((await plain.sync('--plan')).output).toMatch(/^\+ A-1 "Fuel"\n/);
  }
  const piped = await setUp();
  const { output } = await piped.sync('--plan');
  expect(output.split('\n').map((line) => JSON.parse(line))).toMatchObject([
    { type: 'create', key: 'A-1', after: { title: 'Fuel' } },
    { key: 'A-2' },
    { key: 'A-3' },
  ]);
  expect((await piped.sync('--plan', '--diff')).output).toContain('+ A-1 "Fuel"\n');
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
  expect(errors).toContain("A-2: doesn't match the plan");
  expect(titles()).toEqual(['Fuel it', 'Doors', 'Radio']);
});

test('worktrack sync --apply exits with code 1 and reports the planned operations that no longer apply', async () => {
  const { sync, replace, folder, titles } = await setUp();
  await sync('--plan', '--save', `${folder}/plan.json`);
  await replace('A-3,Radio,To do,"bug, crew",\n', '');
  const { code, output, errors } = await sync('--apply', `${folder}/plan.json`, '--yes', '--diff');
  expect([code, output, errors]).toEqual([
    1,
    expect.stringContaining(
      '! A-3 "Radio" (doesn\'t match the plan)\n    the row is no longer in the source',
    ),
    expect.stringContaining('A-3: the row is no longer in the source; run the command with --plan again'),
  ]);
  expect(titles()).toEqual(['Fuel', 'Doors']);
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
    expect(await readdir(folder)).toHaveLength(exitCode === 0 ? 3 : 1);
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

test.each([
  ['is empty', 'key,title,board_slug\n', 2, 'has no rows'],
  ['ends in the middle of a row', 'key,title,board_slug\nA-1,Fuel', 2, 'line 2 has 2 values'],
  [
    'ends in the middle of a value',
    'key,title,board_slug\nA-1,Fuel,To do',
    1,
    "doesn't end with a line break",
  ],
])("worktrack sync doesn't remove anything if the file %s", async (_, content, exitCode, message) => {
  const { sync, file, tickets } = await setUp();
  await sync('--yes');
  await writeFile(file, content);
  const { code, errors } = await sync('--yes', '--on-missing', 'delete');
  expect([code, errors]).toEqual([exitCode, expect.stringContaining(message)]);
  expect(tickets()).toHaveLength(3);
});

test('worktrack sync clears a field for which an NDJSON file contains null', async () => {
  const { runWords, folder, project, tickets } = await setUp();
  const file = `${folder}/tickets.ndjson`;
  const row = { key: 'A-1', title: 'Fuel', board_slug: 'To do', due_at: '2026-02-01' as string | null };
  for (const due_at of [row.due_at, null]) {
    await writeFile(file, `${JSON.stringify({ ...row, due_at })}\n`);
    const { code } = await runWords('sync', file, '--project', project.id, '--key', 'key', '--yes');
    expect([code, tickets()[0]?.due_at ?? null]).toEqual([0, due_at && `${due_at}T00:00:00.000Z`]);
  }
});

test("worktrack sync doesn't remove anything if the number of missing rows exceeds --max-removals", async () => {
  const { sync, file, tickets } = await setUp();
  await sync('--yes');
  await writeFile(file, csv.split('\n').slice(0, 2).join('\n').concat('\n'));
  const args = ['--on-missing', 'delete', '--max-removals', '1'];
  const { code, errors } = await sync('--yes', ...args);
  expect([code, errors]).toEqual([1, expect.stringContaining('2 rows are missing')]);
  expect((await sync('--plan', '--diff', ...args)).output).toMatch(/unchanged\n2 rows are missing, which/);
  expect(tickets()).toHaveLength(3);
});

test('worktrack sync reports unknown names before writing anything', async () => {
  const { sync, replace, titles } = await setUp();
  await replace('bug,<p>', 'buf,<p>');
  const { code, output } = await sync('--plan', '--diff');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('! A-1 (failed)\n    label_ids "buf" is not a label'),
  ]);
  expect(titles()).toEqual([]);
});

test('worktrack sync exits with code 1 and reports rows that have the same key as another row', async () => {
  const { sync, replace, titles } = await setUp();
  await replace('A-3,', 'A-1,');
  const { code, output, errors } = await sync('--yes', '--diff');
  expect([code, output, errors]).toEqual([
    1,
    expect.stringContaining('! A-1 (failed)\n    an earlier row has the same key but different content'),
    expect.stringContaining('2 created, 1 failed'),
  ]);
  expect(titles()).toEqual(['Fuel', 'Doors']);
});

test('worktrack sync exits with code 1 and reports in-doubt rows that are missing from the file', async () => {
  const { sync, file, project } = await setUp();
  await sync('--yes');
  const ledger = await fileLedger(`${file}.${project.id}.ledger`);
  await ledger.put({ key: 'A-4', state: 'started' });
  await ledger.close();
  const message = 'its record may exist, but the row is no longer in the input';
  expect(await sync('--plan', '--diff')).toMatchObject({
    code: 1,
    output: `! A-4 (in doubt)\n    ${message}\n1 in doubt, 3 unchanged`,
  });
  expect(await sync('--yes')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^3 unchanged, 1 in doubt; .*\nA-4: its record may exist/),
  });
});

test("worktrack sync and import don't leave an empty ledger behind if the token is rejected", async () => {
  const { sync, run, folder } = await setUp({ token: 'wrong' });
  expect((await sync('--yes')).code).toBe(3);
  expect((await run('--key', 'key')).code).toBe(3);
  expect(await readdir(folder)).toEqual(['tickets.csv']);
});

test("worktrack import and sync accept the project's key, name, or ID, and share a ledger", async () => {
  const { runWords, file, project, folder, tickets } = await setUp();
  const runs = [];
  for (const [name, ...args] of [
    ['import', project.key.toLowerCase()],
    ['import', project.name, '--resume'],
    ['sync', project.id, '--yes'],
    ['sync', project.key, '--yes'],
  ] as const) {
    const [reference = '', ...more] = args;
    runs.push((await runWords(name, file, '--project', reference, '--key', 'key', ...more)).code);
  }
  expect(runs).toEqual([0, 0, 0, 0]);
  expect(tickets()).toHaveLength(3);
  expect((await readdir(folder)).filter((name) => name.endsWith('.ledger'))).toEqual([
    `tickets.csv.${project.id}.ledger`,
  ]);
});

test('worktrack import rejects an unknown project before opening a ledger', async () => {
  const { runWords, file, folder } = await setUp();
  const { code, errors } = await runWords('import', file, '--project', 'nowhere');
  expect([code, errors]).toEqual([4, expect.stringContaining('"nowhere" is not a project')]);
  expect(await readdir(folder)).toEqual(['tickets.csv']);
});
