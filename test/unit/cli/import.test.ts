import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from './support/run.js';

const csv = `\ufeffKey,Summary,Status,Owner,Tags,Due,Priority
A-1,"Fuel, ""now""",To do,ada@acme.example,"bug, crew",2026-02-01,High
A-2,Doors,in-progress,,,,
A-3,Radio,Later,,,,
A-4,,To do,,,,
`;

const words = [
  '--map',
  'title=Summary',
  '--map',
  'board_slug=Status',
  '--map',
  'assignee_ids=Owner',
  '--map',
  'label_ids=Tags',
  '--map',
  'due_at=Due',
  '--map',
  'priority=Priority',
  '--key',
  'Key',
];

async function setUp(name = 'tickets.csv', content = csv) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, content);
  const { mock, run } = commandLine();
  const user = mock.add.user({ name: 'Ada', email: 'ada@acme.example', role: 'owner' });
  const project = mock.add.project();
  const boards = ['To do', 'In progress'].map((board) =>
    mock.add.board({ project: project.id, name: board }),
  );
  const labels = ['bug', 'crew'].map((label) => mock.add.label({ project: project.id, name: label }));
  const failed = async () =>
    (await readFile(`${file}.failed.ndjson`, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    mock,
    file,
    project,
    user,
    boards,
    labels,
    failed,
    run: (...extraArgs: string[]) => run('import', file, '--project', project.id, ...extraArgs),
  };
}

test('worktrack import creates a ticket per row and writes failed rows to a file', async () => {
  const { run, mock, failed, user, boards, labels, file } = await setUp();
  const { code, output } = await run(...words);
  expect(code, output).toBe(1);
  expect(output).toContain('2 created, 2 failed');
  expect(output).toContain(`2 rows failed or are in doubt; see ${file}.failed.ndjson`);
  expect(mock.state.tickets.all().sort((one, other) => one.number - other.number)).toMatchObject([
    {
      title: 'Fuel, "now"',
      board_id: boards[0]?.id,
      assignees: [{ id: user.id }],
      labels: labels.map(({ id }) => ({ id })),
      due_at: '2026-02-01T00:00:00.000Z',
      priority: 'high',
    },
    { title: 'Doors', board_id: boards[1]?.id, priority: 'normal' },
  ]);
  expect(await failed()).toMatchObject([
    {
      key: 'A-3',
      state: 'failed',
      row: { Summary: 'Radio' },
      error: { fieldErrors: { board_id: [expect.stringContaining('no board "Later"')] } },
    },
    { key: 'A-4', error: { fieldErrors: { title: ['is required'] } } },
  ]);
});

test('worktrack import --resume continues an import and deletes the failed-rows file once every row is imported', async () => {
  const { run, mock, file } = await setUp();
  await run(...words);
  expect(await run(...words)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('pass --resume to continue it'),
  });
  await writeFile(file, csv.replace('Later', 'To do').replace('A-4,,', 'A-4,Crew,'));
  const { code, output } = await run(...words, '--resume');
  expect([code, output]).toEqual([0, expect.stringContaining('2 created, 2 already imported')]);
  expect(mock.state.tickets.all()).toHaveLength(4);
  expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
});

test('worktrack import --dry-run validates rows against the contract and the project without creating tickets', async () => {
  const { run, mock, failed, file } = await setUp();
  const { code, output } = await run(...words, '--dry-run');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('4 rows checked, 2 invalid; no tickets were created'),
  ]);
  expect((await failed()).map(({ key }) => key)).toEqual(['A-3', 'A-4']);
  await writeFile(
    file,
    csv
      .replace('Later', 'To do')
      .replace('A-4,,', `A-4,${'x'.repeat(501)},`)
      .replace('High', 'Urgent'),
  );
  await run(...words, '--dry-run');
  expect((await failed()).map(({ error }) => Object.keys(error.fieldErrors))).toEqual([
    ['priority'],
    ['title'],
  ]);
  expect(mock.state.tickets.all()).toEqual([]);
  expect(existsSync(`${file}.ledger`)).toBe(false);
});

test("worktrack import reads NDJSON and doesn't require --map if the keys are field names", async () => {
  const rows = [
    { title: 'Fuel', board_slug: 'to-do', label_ids: ['bug'] },
    { title: 'Doors', board_slug: 'To do', description_html: '' },
  ];
  const { run, mock } = await setUp('tickets.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  expect(await run('--concurrency', '1')).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 created'),
  });
  expect(mock.state.tickets.all().map(({ title }) => title)).toEqual(['Fuel', 'Doors']);
});

test.each([
  [['--map', 'titel=Summary'], 'Unknown field "titel"; did you mean "title"?'],
  [
    ['--map', 'title=Sumary', '--map', 'board_slug=Status'],
    'the file has no column "Sumary"; did you mean "Summary"?',
  ],
  [['--map', 'board_slug=Status'], 'no column for the title'],
  [['--map', 'title=Summary'], 'no column for the board'],
  [[...words, '--rate', '0'], 'Expected a positive integer'],
  [[...words, '--key', 'Id'], 'the file has no column "Id"'],
])('worktrack import rejects the arguments %j', async (extraArgs, message) => {
  const { run } = await setUp();
  expect(await run(...extraArgs)).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
});

test('worktrack import reports the line number if the file is malformed', async () => {
  const { run } = await setUp('tickets.ndjson', '{"title":"Fuel"}\n{"title"\n');
  expect((await run()).errors).toContain('line 2 of');
  const broken = await setUp('tickets.csv', 'title,board_slug\n"Fuel,to-do\n');
  expect((await broken.run()).errors).toMatch(/could not read .*Quote/i);
});
