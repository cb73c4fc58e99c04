import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { commandLine, rejected, runWords } from './support/run.js';
import { startServer } from './support/server.js';

test('a command calls its operation and prints JSON if its output is piped', async () => {
  const { run } = commandLine();
  const created = await run('projects', 'create', '--name', 'Apollo', '--key=APO', '--null', 'description');
  const project = JSON.parse(created.output);
  expect(project).toMatchObject({ name: 'Apollo', key: 'APO', description: null });

  const board = JSON.parse(
    (await run('boards', 'create', project.id, '--name', 'Doing', '--wip-limit', '3', '--is_done')).output,
  );
  expect(board).toMatchObject({ name: 'Doing', wip_limit: 3, is_done: true });
  for (const title of ['Launch', 'Land']) {
    await run('tickets', 'create', project.id, '--board_id', board.id, '--data', JSON.stringify({ title }));
  }
  const found = await run('tickets', 'list', project.id, '--q', 'launch');
  expect(JSON.parse(found.output)).toMatchObject([{ title: 'Launch' }]);
  const all = await run('tickets', 'list', project.id, '--per_page', '1', '--all');
  expect(JSON.parse(all.output)).toHaveLength(2);
  expect(await run('boards', 'update', board.id, '--no-is_done')).toMatchObject({ code: 0, errors: '' });
  expect(await run('projects', 'delete', project.id, '--yes')).toEqual({ code: 0, output: '', errors: '' });
});

test('in a terminal, a command prints a list as a table and a record as one field per line', async () => {
  const { run } = commandLine({ terminal: true });
  expect((await run('projects', 'list')).output).toBe('None.');
  const record = await run('projects', 'create', '--name', 'Apollo', '--key', 'APO');
  expect(record.output).toMatch(/^name +Apollo$/m);
  const [header, row] = (await run('projects', 'list')).output.split('\n');
  expect(header).toMatch(/^id +name +key/);
  expect(row).toContain('Apollo');
  expect((await run('projects', 'list', '--json')).output).toMatch(/^\[\n/);
});

test('in a terminal, --json prints indented JSON, or nothing if the operation has no result', async () => {
  const { mock, run } = commandLine({ terminal: true });
  const { id } = mock.add.project({ name: 'Apollo' });
  expect((await run('projects', 'get', id, '--json')).output).toContain('\n  "name": "Apollo",\n');
  expect(await run('projects', 'delete', id, '--json', '--yes')).toEqual({ code: 0, output: '', errors: '' });
});

test('a command reads the base URL, the organization, and the token from the environment', async () => {
  const { env } = await startServer();
  expect(await runWords(['projects', 'list'], { env })).toEqual({ code: 0, output: '[]', errors: '' });
});

/** Replaces this process's terminal until the end of the test. The typed text arrives after the prompt. */
function replaceTerminal(typed: string, prompt: RegExp = /^Token: $/) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const written: string[] = [];
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    if (prompt.test(String(text))) setImmediate(() => input.write(typed));
    return true;
  });
  onTestFinished(() => {
    stdin.mockRestore();
    stderr.mockRestore();
    input.destroy();
  });
  return written;
}

test("in a terminal, a command prompts for a missing token and doesn't display what is typed", async () => {
  const { env } = await startServer();
  const { WORKTRACK_TOKEN: token, ...rest } = env;
  const written = replaceTerminal(` ${token} \n`);
  expect(await runWords(['projects', 'list'], { env: rest })).toEqual({ code: 0, output: '[]', errors: '' });
  expect(written).toEqual(['Token: ', '\n']);
});

test.each([
  ['nothing', '\n'],
  ['only spaces', '  \n'],
  ['Ctrl+D', '\u0004'],
])("a command doesn't send any requests if the user enters %s at the token prompt", async (_, typed) => {
  const written = replaceTerminal(typed);
  const env = { WORKTRACK_BASE_URL: 'http://127.0.0.1:9', WORKTRACK_ORGANIZATION: 'org_1' };
  expect(await runWords(['projects', 'list'], { env })).toEqual(
    rejected('worktrack projects list: no token entered; nothing was sent'),
  );
  expect(written).toEqual(['Token: ', '\n']);
});

/** A project, a board, a ticket, and a document for commands to delete. */
function setUpDeletion() {
  const { mock, run } = commandLine({ terminal: true });
  const project = mock.add.project({ name: 'Apollo', key: 'APO' });
  const board = mock.add.board({ name: 'Doing' });
  const other = mock.add.board({ name: 'Done' });
  mock.add.ticket({ board: other.id, title: 'Radio' });
  const document = mock.add.document({ title: 'Runbook' });
  const records = () => [
    mock.state.projects.get(project.id),
    mock.state.boards.get(board.id),
    mock.state.tickets.all()[0],
    mock.state.documents.get(document.id),
  ];
  return { mock, run, records, ids: { BOARD: board.id, DOCUMENT: document.id } };
}

const deletions = [
  ['projects APO', 'the project "Apollo" (APO), including 2 boards and 1 ticket'],
  ['boards APO/doing', 'the board "Doing" of the project "Apollo" (APO)'],
  ['boards BOARD', 'the board "Doing" of the project "Apollo" (APO)'],
  ['tickets APO-1', 'the ticket "Radio" (number 1 of the project "Apollo" (APO))'],
  ['documents DOCUMENT', 'the document "Runbook" (draft, ID DOCUMENT)'],
] as const;

test.each(deletions)('without a terminal, deleting %s requires --yes', async (words, record) => {
  const { run, records, ids } = setUpDeletion();
  const [namespace = '', name = ''] = words.split(' ');
  const args = [namespace, 'delete', ids[name as keyof typeof ids] ?? name];
  expect(await run(...args)).toEqual(
    rejected(
      `worktrack ${namespace} delete: this would delete ${record.replace('DOCUMENT', ids.DOCUMENT)}; to delete it, pass --yes`,
    ),
  );
  expect(records()).not.toContain(undefined);
  expect(await run(...args, '--yes')).toEqual({ code: 0, output: 'Done.', errors: '' });
  expect(records()).toContain(undefined);
});

test('without a terminal, the error for deleting a board names the board that would receive its tickets', async () => {
  const { run } = setUpDeletion();
  const { code, errors } = await run('boards', 'delete', 'APO/Doing', '--move-to-board', 'Done');
  expect(errors).toContain(
    'the board "Doing" of the project "Apollo" (APO) and move its tickets to "Done"; to',
  );
  expect(code).toBe(2);
});

test.each(deletions)('in a terminal, deleting %s requires confirmation', async (words, record) => {
  const { run, records, ids } = setUpDeletion();
  const [namespace = '', name = ''] = words.split(' ');
  const written = replaceTerminal('y\r', /\[y\/N\]/);
  expect(await run(namespace, 'delete', ids[name as keyof typeof ids] ?? name)).toMatchObject({
    code: 0,
    output: 'Done.',
  });
  expect(written.join('')).toContain(`Delete ${record.replace('DOCUMENT', ids.DOCUMENT)}? [y/N] `);
  expect(records()).toContain(undefined);
});

test.each(['n\r', '\r', 'yesterday\r', '\u0004'])(
  "a delete command doesn't delete anything if the user responds with %j",
  async (typed) => {
    const { run, records } = setUpDeletion();
    replaceTerminal(typed, /\[y\/N\]/);
    expect(await run('tickets', 'delete', 'APO-1')).toEqual(
      rejected('worktrack tickets delete: not confirmed; nothing was deleted'),
    );
    expect(records()).not.toContain(undefined);
  },
);

test('Ctrl+C at a prompt sends SIGINT to the process and the script that started it, and leaves the cursor on a new line', async () => {
  const { run, records } = setUpDeletion();
  const kill = vi.spyOn(process, 'kill');
  onTestFinished(() => kill.mockRestore());
  const env = { WORKTRACK_BASE_URL: 'http://127.0.0.1:9', WORKTRACK_ORGANIZATION: 'org_1' };
  for (const [prompt, start] of [
    [/^Token: $/, () => runWords(['projects', 'list'], { env })],
    [/\[y\/N\]/, () => run('tickets', 'delete', 'APO-1')],
  ] as const) {
    const written = replaceTerminal('\u0003', prompt);
    kill.mockImplementationOnce(() => {
      expect(written.at(-1)).toBe('\n');
      // The signal would have stopped the process.
      setImmediate(() => process.stdin.emit('data', '\u0004'));
      return true;
    });
    await start();
    expect(kill).toHaveBeenLastCalledWith(0, 'SIGINT');
  }
  expect(kill).toHaveBeenCalledTimes(2);
  expect(records()).not.toContain(undefined);
});

test("a delete command shows only the ID if the credential can't read the record", async () => {
  const { mock, run } = setUpDeletion();
  const { token } = mock.clientOptions();
  mock.credentials.setScopes(token, ['tickets:write']);
  const id = mock.state.tickets.all()[0]?.id;
  expect((await run('tickets', 'delete', `${id}`)).errors).toContain(`the ticket "${id}"; to delete it`);
});

test('--fields prints only the given fields, in the given order, in every format', async () => {
  const formats = { json: [], ndjson: ['--ndjson'], tsv: ['--tsv'] };
  const { mock, run } = commandLine();
  mock.add.user({ name: 'Ada', role: 'owner' });
  mock.add.project({ key: 'APO' });
  mock.add.board();
  mock.add.ticket({ title: 'Radio', assignees: ['Ada'] });
  mock.add.ticket({ title: 'Fuel\tand water' });
  const print = async (...words: string[]) =>
    (await run('tickets', 'list', 'APO', '--fields', 'title,due_at,assignees', ...words)).output;
  expect(JSON.parse(await print(...formats.json))).toEqual([
    { title: 'Radio', due_at: null, assignees: [{ id: expect.any(String), name: 'Ada' }] },
    { title: 'Fuel\tand water', due_at: null, assignees: [] },
  ]);
  expect((await print(...formats.ndjson)).split('\n').map((line) => JSON.parse(line).title)).toEqual([
    'Radio',
    'Fuel\tand water',
  ]);
  expect(await print(...formats.tsv)).toBe('Radio\t\tAda\nFuel and water\t\t');
  const terminal = commandLine({ terminal: true, mock });
  expect((await terminal.run('tickets', 'list', 'APO', '--fields', 'title,due_at')).output).toMatch(
    /^title +due_at\nRadio +-\n/,
  );
  expect((await run('tickets', 'get', 'APO-1', '--fields', 'number,title', '--tsv')).output).toBe('1\tRadio');
});

test('--ndjson prints each page as soon as it arrives, and stops if the reader has closed the pipe', async () => {
  const { mock } = commandLine();
  mock.add.project({ key: 'APO' });
  mock.add.board();
  for (let number = 1; number <= 5; number++) mock.add.ticket();
  const prints: string[] = [];
  const onPrint = (text: string) => prints.push(text);
  const { run } = commandLine({ mock, onPrint });
  await run('tickets', 'list', 'APO', '--ndjson', '--per_page', '2');
  expect(prints.map((text) => text.split('\n').map((line) => JSON.parse(line).number))).toEqual([
    [1, 2],
    [3, 4],
    [5],
  ]);
  prints.length = 0;
  const { run: runClosed } = commandLine({ mock, onPrint, isOutputClosed: () => prints.length === 1 });
  await runClosed('tickets', 'list', 'APO', '--ndjson', '--per_page', '2');
  expect(prints).toHaveLength(1);
  const range = ['--page', '2', '--per-page', '2'];
  const page = await run('tickets', 'list', 'APO', '--ndjson', ...range, '--fields', 'number');
  expect(page).toEqual({ code: 0, output: '{"number":3}\n{"number":4}', errors: '' });
});

test('options accept hyphenated field names, both before = and after --no-, and so does --null', async () => {
  const { mock, run } = commandLine();
  mock.add.project();
  const board = mock.add.board({ is_done: true });
  const ticket = mock.add.ticket({ due_at: '2026-02-01T00:00:00.000Z' });
  const updated = await run('boards', 'update', board.id, '--wip-limit=12', '--no-is-done');
  expect(JSON.parse(updated.output)).toMatchObject({ wip_limit: 12, is_done: false });
  const cleared = await run('tickets', 'update', ticket.id, '--null', 'due-at');
  expect(JSON.parse(cleared.output)).toMatchObject({ id: ticket.id, due_at: null });
});

test.each(['Set --wip-limit', '--wip-limit first'])(
  "an option's value is sent unchanged even if it contains an option name: %s",
  async (name) => {
    const { mock, run } = commandLine();
    const project = mock.add.project();
    const { output } = await run('boards', 'create', project.id, '--name', name);
    expect(JSON.parse(output)).toMatchObject({ name });
  },
);

test('a list that has more pages is followed by a note, below a table or on standard error', async () => {
  const { mock, run } = commandLine();
  const terminal = commandLine({ mock, terminal: true });
  for (const title of ['Runbook', 'Menu', 'Map']) mock.add.document({ title });
  const list = ['documents', 'list', '--per-page', '2'];
  const note = 'page 1 of 2, 3 in total; use --page 2 for the next page, or --all for all pages';
  expect((await terminal.run(...list)).output.split('\n').at(-1)).toBe(`(${note})`);
  for (const rest of [['--page', '2'], ['--all'], ['--json']]) {
    expect((await terminal.run(...list, ...rest)).output).not.toContain('page');
  }
  const piped = await run(...list);
  expect(JSON.parse(piped.output)).toHaveLength(2);
  expect(piped).toMatchObject({ code: 0, errors: `worktrack: ${note}` });
  for (const rest of [['--page', '1'], ['--page', '2'], ['--all']]) {
    expect(await run(...list, ...rest)).toMatchObject({ code: 0, errors: '' });
  }
});

test('a command sends the token to a remote host over plain HTTP only with --allow-plain-http', async () => {
  const seen: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    seen.push(String(url));
    return Response.json({ data: [] });
  };
  const run = (...words: string[]) =>
    runWords(['projects', 'list', ...words], {
      env: { WORKTRACK_BASE_URL: 'http://mock:4010', WORKTRACK_ORGANIZATION: 'org_acme' },
      client: { token: 'wt_ci', fetch },
    });

  const rejected = await run();
  expect([rejected.code, seen]).toEqual([2, []]);
  expect(rejected.errors).toMatch(/use https, or pass --allow-plain-http$/);
  expect(await run('--allow-plain-http')).toMatchObject({ code: 0, errors: '' });
  expect(seen).toEqual(['http://mock:4010/api/v1/organizations/org_acme/projects']);
});

test('an operation ID with more than one dot can be used as a command', async () => {
  const { run } = commandLine();
  expect(await run('projects.members.list', 'nowhere')).toMatchObject({ code: 4 });
  expect((await run('projects.list')).output).toBe('[]');
});

test('an option that is given several times becomes a list', async () => {
  const { run } = commandLine();
  const tags = ['--tag-names', 'ops', '--tag_names', 'launch'];
  const { output } = await run('documents', 'create', '--title', 'Runbook', ...tags);
  expect(JSON.parse(output).tags.map(({ name }: { name: string }) => name)).toEqual(['ops', 'launch']);
});

test.each([
  [2, `projects create --key A --name ${'x'.repeat(181)}`, 'at most 180 characters (got 181)'],
  [2, 'boards update b --wip_limit -12', '(got -12)'],
  [4, 'tickets get nowhere', 'not_found'],
  [4, 'projects get nowhere', 'worktrack projects get: "nowhere" is not a project'],
  [5, 'notifications send --user_ids nobody --title T --body B', 'invalid_recipient'],
])('worktrack exits with code %i for "%s"', async (code, line, message) => {
  const result = await commandLine().run(...line.split(' '));
  expect(result).toEqual({ code, output: '', errors: expect.stringContaining(message) });
});

test('tickets create without a board succeeds only if the deployment has a default board', async () => {
  const mock = createMockServer({
    world: {
      settings: { default_board: 'To do' },
      organizations: [
        {
          name: 'Acme',
          credentials: [{ token: 'wt_1', scopes: ['*'] }],
          projects: [{ name: 'Apollo', key: 'APO', boards: [{ name: 'To do' }] }],
        },
      ],
    },
  });
  const create = (env?: NodeJS.ProcessEnv) =>
    commandLine({ mock, env }).run('tickets', 'create', 'APO', '--title', 'T');
  expect(await create()).toMatchObject(rejected('worktrack tickets create: --board is required'));
  expect(await create({ WORKTRACK_DEFAULT_BOARD: 'true' })).toMatchObject({ code: 0 });
  expect(mock.state.tickets.all()).toMatchObject([{ title: 'T' }]);
});
