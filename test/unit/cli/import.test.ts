import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { createProgressDisplay, duration } from '../../../addons/cli/terminal/progress.js';
import { skipWaits, useFakeTimers } from '../../support/timers.js';
import { setUpImport } from './support/import.js';
import { replaceProperty } from './support/replace-property.js';
import type { CommandLineOptions } from './support/run.js';
import { rejected } from './support/run.js';
import { screenOf } from './support/screen.js';

const csv = `\ufeffKey,Summary,Status,Owner,Tags,Due,Priority
A-1,"Fuel, ""now""",To do,ada@acme.example,"bug, crew",2026-02-01,High
A-2,Doors,in-progress,,,,
A-3,Radio,Later,,,,
A-4,,To do,,,,
`;

const columns = {
  title: 'Summary',
  board_slug: 'Status',
  assignee_ids: 'Owner',
  label_ids: 'Tags',
  due_at: 'Due',
  priority: 'Priority',
};
const words = Object.entries(columns).flatMap(([field, column]) => ['--map', `${field}=${column}`]);
words.push('--key', 'Key');

const setUp = (name = 'tickets.csv', content = csv, options: CommandLineOptions = {}) =>
  setUpImport(name, content, options);

test('worktrack import creates one ticket per row and writes failed rows to a file', async () => {
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
      error: {
        message: expect.stringMatching(
          /^board_slug "Later" is not a board of this project; expected one of: To do/,
        ),
        fieldErrors: { board_slug: [expect.stringContaining('"Later" is not a board')] },
      },
    },
    { key: 'A-4', error: { fieldErrors: { title: ['is required'] } } },
  ]);
});

test("if worktrack import can't start, it exits with the code for the error and creates no tickets", async () => {
  const { run, mock } = await setUp();
  mock.override('boards.list', () => new Response('{}', { status: 401 }));
  expect((await run(...words)).code).toBe(3);
  expect(mock.requests.for('tickets.create')).toHaveLength(0);
});

test('worktrack import continues if the same command runs again, and deletes the failed-rows file once every row is imported', async () => {
  const { run, mock, file, project } = await setUp();
  await run(...words);
  await writeFile(file, csv.replace('Later', 'To do').replace('A-4,,', 'A-4,Crew,'));
  const { code, output } = await run(...words);
  expect([code, output]).toEqual([0, expect.stringContaining('2 created, 2 already imported')]);
  expect(mock.state.tickets.all()).toHaveLength(4);
  expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
  expect(existsSync(`${file}.${project.id}.book`)).toBe(true);
});

test('worktrack import recognizes the tickets of earlier runs if the book was lost', async () => {
  const { run, mock, file, project } = await setUp();
  await run(...words);
  await rm(`${file}.${project.id}.book`);
  skipWaits('performance');
  expect((await run(...words)).output).toContain('0 created, 2 already created, 2 failed');
  expect(mock.state.tickets.all()).toHaveLength(2);
});

test.each(['--source', '--key', '--project'])('worktrack import requires %s', async (option) => {
  const { runWords, file } = await setUp();
  const all = ['--source', 'Jira', '--key', 'Key', '--project', 'APO'];
  all.splice(all.indexOf(option), 2);
  expect(await runWords('import', file, ...all)).toEqual(
    rejected(expect.stringContaining(`worktrack import: missing option ${option} <`)),
  );
});

test('worktrack import rejects the book of another import, and a book that is another file', async () => {
  const { run, file, mock, folder } = await setUp();
  const book = join(folder, 'tickets.book');
  await run(...words, '--book', book);
  mock.requests.clear();
  const { code, errors } = await run(...words, '--book', book, '--source', 'Trello');
  expect([code, errors]).toEqual([
    2,
    expect.stringMatching(/this book belongs to "http\S+ tickets:.*:Jira"/),
  ]);
  const content = await readFile(file);
  expect(await run(...words, '--book', file)).toMatchObject({
    code: 2,
    errors: expect.stringContaining(`${file} isn't a book`),
  });
  expect(await readFile(file)).toEqual(content);
  expect(mock.requests.for('tickets.create')).toEqual([]);
});

test('worktrack import stops if the file has changed since it was checked', async () => {
  const { run, mock, file } = await setUp();
  mock.override('boards.list', async (_, next) => {
    await writeFile(file, csv.replace('Radio', 'Television'));
    return next();
  });
  const { code, errors } = await run(...words);
  expect([code, errors]).toEqual([1, expect.stringContaining('has changed since it was checked')]);
});

test('worktrack import --dry-run validates rows against the contract and the project without creating tickets', async () => {
  const { run, mock, problems, file } = await setUp();
  const { code, output } = await run(...words, '--dry-run');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('4 rows checked, 2 invalid; no tickets were created'),
  ]);
  expect((await problems()).map(({ key }) => key)).toEqual(['A-3', 'A-4']);
  await writeFile(
    file,
    csv
      .replace('Later', 'To do')
      .replace('A-4,,', `A-4,${'x'.repeat(501)},`)
      .replace('High', 'Urgent'),
  );
  await run(...words, '--dry-run');
  expect((await problems()).map(({ error }) => Object.keys(error.fieldErrors))).toEqual([
    ['priority'],
    ['title'],
  ]);
  expect(mock.state.tickets.all()).toEqual([]);
  expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
});

test.each([
  ['Doors', '1 value'],
  ['Doors,to-do,high', '3 values'],
])(
  'worktrack import reports the line number of a row with the wrong number of values: %s',
  async (row, values) => {
    const { run, file } = await setUp('tickets.csv', `title,board_slug\n"Fuel\nnow",to-do\n${row}\n`);
    expect((await run()).errors).toBe(
      `worktrack import: could not read ${file}: line 4 has ${values}, but the header has 2 columns`,
    );
  },
);

test('worktrack import reads an NDJSON file in which every row has only one field', async () => {
  const { run } = await setUp('tickets.ndjson', '{"a;b":1}\n');
  expect((await run()).errors).not.toContain('--delimiter');
});

test.each([
  ['tickets.csv.bak', 'title\n', 'unknown file format: FILE; pass --format csv or --format ndjson'],
  ['tickets.jsonl.bak', '{}', 'unknown file format: FILE; pass --format csv or --format ndjson'],
  [
    'tickets.csv',
    'title;board_slug\nFuel;to-do\n',
    'could not read FILE: its values seem to be separated by ";"; pass --delimiter ";"',
  ],
  [
    'tickets.csv',
    'title\tboard_slug\nFuel\tto-do\n',
    'could not read FILE: its values seem to be separated by tabs; pass --delimiter tab',
  ],
  ['tickets.ndjson', '[1]', "could not read FILE: line 1 isn't a JSON object"],
  ['tickets.ndjson', 'null', "could not read FILE: line 1 isn't a JSON object"],
])('worktrack import rejects the file %s with the content %j', async (name, content, message) => {
  const { run, file } = await setUp(name, content);
  expect(await run()).toEqual(rejected(`worktrack import: ${message.replaceAll('FILE', file)}`));
});

test('worktrack import accepts IDs, email addresses, names in any case, and values of any JSON type', async () => {
  const { run, mock, user, boards, labels, file } = await setUp('tickets.ndjson', '');
  const rows = [
    {
      title: 'Fuel',
      board_id: boards[1]?.id,
      board_slug: 'to-do',
      label_ids: [labels[0]?.id, ' CREW '],
      assignee_ids: ['ADA@acme.example'],
      priority: 'HIGH',
      due_at: '2026-02-01T12:00:00+01:00',
      description_html: '<p>Full</p>',
    },
    {
      title: 'Doors',
      board_id: 'IN PROGRESS',
      assignee_ids: 'Ada, ,',
      label_ids: 'bug ,crew',
      priority: null,
    },
  ];
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  const { code, output } = await run('--concurrency', '1');
  expect(code, output).toBe(0);
  expect(output).toMatch(/^2 created in \d+ s$/);
  expect(mock.state.tickets.all()).toMatchObject([
    {
      board_id: boards[1]?.id,
      labels: labels.map(({ id }) => ({ id })),
      assignees: [{ id: user.id }],
      priority: 'high',
      due_at: '2026-02-01T11:00:00.000Z',
      description_html: expect.stringMatching(/^<p>Full<\/p><p>Imported from Jira: Fuel \[\w{8}\]<\/p>$/),
    },
    { board_id: boards[1]?.id, labels: labels.map(({ id }) => ({ id })), assignees: [{ id: user.id }] },
  ]);
});

test('worktrack import rejects rows that have an ambiguous name, an unknown name, or no board, and preserves their content', async () => {
  const { mock, run, failed, file, project } = await setUp();
  const { id } = mock.add.label({ project: project.id, name: 'Bug' });
  await writeFile(
    file,
    `title,board_slug,label_ids,assignee_ids
Fuel,to-do,bug,
Doors,to-do,${id},Ada
Radio,to-do,nobody,
Seats,,,
Menu,to-do,,Adda
`,
  );
  expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('1 created, 4 failed') });
  expect(mock.state.tickets.all()).toMatchObject([{ title: 'Doors', labels: [{ id }] }]);
  expect((await failed()).map(({ key, row, error }) => [key, row.title, error.fieldErrors])).toEqual([
    [
      'Fuel',
      'Fuel',
      {
        label_ids: [
          expect.stringMatching(/^"bug" matches 2 labels: bug \(ID .+\), Bug \(ID .+\); use an ID$/),
        ],
      },
    ],
    [
      'Radio',
      'Radio',
      { label_ids: [expect.stringContaining('"nobody" is not a label of this project; expected one of: ')] },
    ],
    ['Seats', 'Seats', { board_id: ['or board_slug is required, but not both'] }],
    ['Menu', 'Menu', { assignee_ids: ['"Adda" is not a member of this project; did you mean "Ada"?'] }],
  ]);
});

test('worktrack import --dry-run reports empty, long, and duplicate keys', async () => {
  const { run, problems, file } = await setUp();
  await writeFile(file, 'Key,title,board_slug\nA,Fuel,to-do\nA,Doors,to-do\n,Radio,to-do\n');
  expect(await run('--dry-run', '--key', 'Key')).toEqual({
    code: 1,
    output: `3 rows checked, 2 invalid; no tickets were created\nProblems: ${file}.dry-run.ndjson`,
    errors: '',
  });
  expect(await problems()).toEqual([
    {
      key: 'A',
      line: 3,
      state: 'failed',
      error: {
        message: '(key) is already used by an earlier row',
        code: 'invalid_request',
        fieldErrors: { '(key)': ['is already used by an earlier row'] },
      },
      row: { Key: 'A', title: 'Doors', board_slug: 'to-do' },
    },
    expect.objectContaining({ key: '', error: expect.objectContaining({ message: '(key) is empty' }) }),
  ]);

  await writeFile(file, `Key,title,board_slug\nA,,to-do\n${'B'.repeat(201)},Doors,to-do\n`);
  await run('--dry-run', '--key', 'Key');
  expect(await problems()).toMatchObject([
    { key: 'A', error: { message: 'title is required' } },
    { key: '', error: { message: '(key) must have at most 200 characters (got 201)' } },
  ]);

  await writeFile(file, 'title,board_slug\nFuel,to-do\nDoors,in-progress\n');
  expect(await run('--dry-run')).toEqual({
    code: 0,
    output: '2 rows checked, 0 invalid; no tickets were created',
    errors: '',
  });
  expect(existsSync(`${file}.dry-run.ndjson`)).toBe(false);
});

test('worktrack import reports rows that have the same key as another row, and rows that have changed since the first run', async () => {
  const { run, failed, file } = await setUp();
  await writeFile(file, 'Key,title,board_slug\nA,Fuel,to-do\nA,Doors,to-do\nB,Radio,nowhere\n');
  const first = await run('--key', 'Key', '--concurrency', '1');
  expect(first.code).toBe(1);
  expect((await failed()).map(({ key, row }) => [key, row.title])).toEqual([
    ['A', 'Doors'],
    ['B', 'Radio'],
  ]);

  await writeFile(file, 'Key,title,board_slug\nA,Fuel again,to-do\n');
  const second = await run('--key', 'Key');
  expect(second.output).toContain(
    '0 created, 1 already imported, 1 of which have changed since then (not updated)',
  );
  expect(second).toMatchObject({ code: 0, errors: '' });
});

test('worktrack import includes recovered rows and in-doubt rows in its summary', async () => {
  const { run, mock, failed } = await setUp(
    'tickets.csv',
    'Key,title,board_slug\nA,Fuel,to-do\nB,Doors,to-do\n',
  );
  mock.override('tickets.create', ({ body }, next) =>
    body.title === 'Doors' ? Response.json({ message: 'No.' }, { status: 500 }) : next(),
  );
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  skipWaits('performance');
  const { code, output } = await run('--key', 'Key', '--concurrency', '1');
  expect([code, output.split(' in 0')[0]]).toEqual([
    1,
    expect.stringMatching(/^0 created, 1 already created, 1 in doubt/),
  ]);
  expect(await failed()).toMatchObject([{ key: 'B', state: 'unknown', row: { title: 'Doors' } }]);
});

test('worktrack import exits with code 1 and lists the rows that have several tickets', async () => {
  const { run, mock, client, project, file } = await setUp(
    'tickets.csv',
    'Key,title,board_slug\nA,Fuel,to-do\n',
  );
  await run('--key', 'Key');
  const [ticket] = mock.state.tickets.all();
  const { id } = await client.tickets.create(project.id, {
    board_id: `${ticket?.board_id}`,
    title: 'Copy',
    description_html: ticket?.description_html ?? null,
  });
  await writeFile(file, 'Key,title,board_slug\nA,Fuel,to-do\nB,Doors,to-do\n');
  const { code, output } = await run('--key', 'Key');
  expect([code, output.split('\n')[1]]).toEqual([
    1,
    `A has several tickets; keep ${ticket?.id}, and delete ${id}`,
  ]);
});

test("worktrack import doesn't create any tickets if any row in the file lacks a key", async () => {
  const content = 'Key,title,board_slug\nA,Fuel,to-do\n,Radio,to-do\n,Doors,to-do\n';
  const { run, mock, file } = await setUp('tickets.csv', content);
  expect(await run('--key', 'Key')).toEqual(
    rejected(`worktrack import: could not read ${file}: line 3: the key in column "Key" is empty`),
  );
  expect(mock.state.tickets.all()).toEqual([]);
});

test('worktrack import uses NDJSON fields even if they first appear in a later row', async () => {
  const rows = [
    { title: 'Fuel', board: 'to-do' },
    { title: 'Doors', board: 'to-do', level: 'high' },
  ];
  const { run, mock } = await setUp('tickets.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  expect(
    await run('--map', 'board_slug=board', '--map', 'priority=level', '--concurrency', '1'),
  ).toMatchObject({ code: 0 });
  expect(mock.state.tickets.all().map(({ priority }) => priority)).toEqual(['normal', 'high']);
});

test.each([
  [[], Infinity],
  [['--rate', '4'], 4],
])('with the arguments %j, worktrack import sends at most %d requests in any minute', async (args, rate) => {
  const mock = createMockServer();
  const seconds: number[] = [];
  const fetch: typeof mock.fetch = (...request) => {
    seconds.push(performance.now() / 1000);
    return mock.fetch(...request);
  };
  const rows = Array.from({ length: 5 }, (_, index) => `Row ${index},to-do\n`);
  const { run } = await setUp('tickets.csv', `title,board_slug\n${rows.join('')}`, {
    mock,
    // Without timeouts, the client sets timers only for the rate limit.
    client: { fetch, timeout: Infinity, totalTimeout: Infinity },
  });
  skipWaits('performance');
  expect(await run(...args)).toMatchObject({ code: 0 });
  expect(mock.requests.for('tickets.create')).toHaveLength(5);
  // The ledger's lock also sets timers, so a request may be sent later than the rate limit requires.
  const minutes = seconds.map((second) => Math.floor((second - (seconds[0] as number)) / 60));
  const waits = seconds.slice(rate).map((second, index) => second - (seconds[index] as number));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(60);
  expect(minutes).toEqual(seconds.map((_, index) => Math.floor(index / rate)));
});

/** Sends SIGINT to the import when it creates a ticket, but not to other listeners, such as Vitest's. */
function interruptOnCreate(mock: MockServer) {
  const before = process.rawListeners('SIGINT');
  mock.override('tickets.create', (_, next) => {
    const added = process.rawListeners('SIGINT').filter((listener) => !before.includes(listener));
    for (const listener of added) listener('SIGINT');
    return next();
  });
  return before;
}

test('worktrack import stops on SIGINT, prints how to continue, and exits with code 130', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => `Row ${index},to-do`);
  const { run, mock } = await setUp('tickets.csv', `title,board_slug\n${rows.join('\n')}\n`);
  const before = interruptOnCreate(mock);
  const { code, output, errors } = await run('--concurrency', '1');
  expect([code, errors]).toEqual([130, 'Stopping. In-flight requests have five seconds to finish.']);
  expect(output).toMatch(/^1 created in .*\nTo continue, run the same command again\.$/);
  expect(process.rawListeners('SIGINT')).toEqual(before);
  expect(mock.state.tickets.all()).toHaveLength(1);
});

test.each([
  [-1, '0 s'],
  [0.51, '31 s'],
  [1, '1 min'],
  [59.4, '59 min'],
  [59.6, '1 h 00 min'],
  [125, '2 h 05 min'],
  [671, '11 h 11 min'],
])('a duration of %d min is displayed as %s', (minutes, expected) => {
  expect(duration(minutes)).toBe(expected);
});

/** Replaces standard error until the end of the test. */
function replaceStandardError({ isTTY }: { isTTY: boolean }) {
  let written = '';
  replaceProperty(process.stderr, 'isTTY', isTTY);
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
  onTestFinished(() => write.mockRestore());
  return {
    written: () => written,
    screen: () => screenOf(written),
    /** Prints to the same terminal, as the CLI does. */
    onPrint: (text: string) => {
      written += `${text}\n`;
    },
  };
}

const twoRows = 'title,board_slug\nFuel,to-do\nDoors,to-do\n';

test('worktrack import shows a progress bar in a terminal and replaces it with the summary at the end', async () => {
  const { screen, written, onPrint } = replaceStandardError({ isTTY: true });
  const { run } = await setUp('tickets.csv', twoRows, { onPrint });
  expect(await run()).toMatchObject({ code: 0 });
  expect(written()).toContain('░ 0/2 | 0 per minute | ? left | 0 failed | 0 in doubt');
  expect(screen()).toEqual([expect.stringMatching(/^2 created in /), '']);
});

test.each<[string, (mock: MockServer) => unknown, string[]]>([
  [
    "that it's stopping because of SIGINT",
    interruptOnCreate,
    ['Stopping. In-flight requests have five seconds to finish.', '1 created'],
  ],
  [
    'the error that stopped it',
    (mock) => mock.override('tickets.create', () => Response.json({ message: 'No.' }, { status: 401 })),
    ['worktrack: the import stopped after 0 rows: tickets.create: No. (401)', '0 created'],
  ],
  [
    "the client's log messages",
    (mock) =>
      mock.override('tickets.create', async (_, next) => ({ ...(await next()), number: '1' }) as never),
    [
      "worktrack: tickets.create: the response doesn't match the contract: number must be a number",
      '2 created',
    ],
  ],
])('in a terminal, worktrack import prints %s in place of the progress bar', async (_, prepare, lines) => {
  const { screen, onPrint } = replaceStandardError({ isTTY: true });
  const { run, mock } = await setUp('tickets.csv', twoRows, { onPrint });
  prepare(mock);
  await run('--concurrency', '1');
  expect(screen().slice(0, 2).join('\n')).toContain(lines.join('\n'));
});

test('in a terminal, worktrack import updates the progress bar in place', () => {
  useFakeTimers();
  const { screen, written } = replaceStandardError({ isTTY: true });
  const { start, update, stop } = createProgressDisplay(100, () => {});
  start();
  expect(screen()).toEqual([`${'░'.repeat(40)} 0/100 | 0 per minute | ? left | 0 failed | 0 in doubt`]);
  const progress = { finished: 40, skipped: 10, durationMs: 60_000, failed: 2, unknown: 1 };
  update(progress);
  vi.advanceTimersByTime(1000);
  const bar = '█'.repeat(16) + '░'.repeat(24);
  expect(screen()).toEqual([`${bar} 40/100 | 30 per minute | 2 min left | 2 failed | 1 in doubt`]);

  // The new line is shorter than the previous one.
  update({ ...progress, finished: 100, failed: 0, unknown: 0 });
  vi.advanceTimersByTime(1000);
  expect(screen()).toEqual([`${'█'.repeat(40)} 100/100 | 90 per minute | 0 s left | 0 failed | 0 in doubt`]);

  stop();
  expect(screen()).toEqual(['']);
  // While the bar is shown, the cursor is hidden and lines don't wrap.
  expect(written()).toContain('\u001b[?25h\u001b[?7h');
  vi.advanceTimersByTime(1000);
  update(progress);
  expect(screen()).toEqual(['']);
});

test('in a terminal, worktrack import prints messages above the progress bar', () => {
  const { screen, onPrint } = replaceStandardError({ isTTY: true });
  const { start, update, printError, stop } = createProgressDisplay(100, onPrint);
  printError('before');
  start();
  update({ finished: 40, skipped: 0, durationMs: 60_000, failed: 0, unknown: 0 });
  printError('first');
  printError('second');
  const bar = `${'█'.repeat(16)}${'░'.repeat(24)} 40/100 | 40 per minute | 2 min left | 0 failed | 0 in doubt`;
  expect(screen()).toEqual(['before', 'first', 'second', bar]);
  stop();
  printError('after');
  expect(screen()).toEqual(['before', 'first', 'second', 'after', '']);
});

test("worktrack import prints its progress every ten seconds if standard error isn't a terminal", () => {
  useFakeTimers();
  const { written } = replaceStandardError({ isTTY: false });
  const lines: string[] = [];
  const { start, update, stop } = createProgressDisplay(100, (text) => lines.push(text));
  start();
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual([]);

  const progress = { finished: 40, skipped: 10, durationMs: 60_000, failed: 2, unknown: 1 };
  update(progress);
  vi.advanceTimersByTime(10_000);
  update({ ...progress, finished: 10, durationMs: 0 });
  vi.advanceTimersByTime(10_000);
  stop();
  vi.advanceTimersByTime(20_000);
  expect(lines).toEqual([
    '40/100 | 30 per minute | 2 min left | 2 failed | 1 in doubt',
    '10/100 | 0 per minute | ? left | 2 failed | 1 in doubt',
  ]);
  expect(written()).toBe('');
});

test('if the deployment has a default board, worktrack import accepts a file without a board column', async () => {
  const mock = createMockServer({
    world: {
      settings: { default_board: 'To do' },
      organizations: [{ name: 'Acme', credentials: [{ token: 'wt_1', scopes: ['*'] }] }],
    },
  });
  const words = ['--map', 'title=Summary', '--key', 'Key'];
  const content = 'Key,Summary\nA-1,Fuel\nA-2,\n';
  const strict = await setUp('tickets.csv', content, { mock });
  expect((await strict.run(...words)).errors).toContain(
    'no column for the board; pass --map board_slug=<column>',
  );
  const { run, boards, problems, titles } = await setUp('tickets.csv', content, {
    mock,
    env: { WORKTRACK_DEFAULT_BOARD: 'true' },
  });
  expect((await run(...words, '--dry-run')).output).toContain('2 rows checked, 1 invalid');
  expect(await problems()).toMatchObject([{ key: 'A-2' }]);
  expect((await run(...words)).output).toContain('1 created, 1 failed');
  expect(titles()).toEqual(['Fuel']);
  expect(mock.state.tickets.all()).toMatchObject([{ board_id: boards[0]?.id }]);
});
