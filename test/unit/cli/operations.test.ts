import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operationIds, operationOf } from 'worktrack/contract';
import { listen } from 'worktrack/mock-server/node';
import { commandLine, runWords } from './support/run.js';

test('a piped command calls its operation and prints JSON', async () => {
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
  expect(await run('projects', 'delete', project.id)).toEqual({ code: 0, output: '', errors: '' });
});

test('in a terminal, a command prints a list as a table, and a single record as one field per line', async () => {
  const { run } = commandLine({ terminal: true });
  expect((await run('projects', 'list')).output).toBe('None.');
  const record = await run('projects', 'create', '--name', 'Apollo', '--key', 'APO');
  expect(record.output).toMatch(/^name +Apollo$/m);
  const [header, row] = (await run('projects', 'list')).output.split('\n');
  expect(header).toMatch(/^id +name +key/);
  expect(row).toContain('Apollo');
  expect((await run('projects', 'list', '--json')).output).toMatch(/^\[\n/);
});

test('in a terminal, a command without a result prints "Done."', async () => {
  const { mock, run } = commandLine({ terminal: true });
  const { id } = mock.add.project();
  expect(await run('projects', 'delete', id)).toEqual({ code: 0, output: 'Done.', errors: '' });
});

test('in a terminal, --json prints indented JSON, and nothing for a command without a result', async () => {
  const { mock, run } = commandLine({ terminal: true });
  const { id } = mock.add.project({ name: 'Apollo' });
  expect((await run('projects', 'get', id, '--json')).output).toContain('\n  "name": "Apollo",\n');
  expect(await run('projects', 'delete', id, '--json')).toEqual({ code: 0, output: '', errors: '' });
});

test('a command connects to the deployment with the token from the environment', async () => {
  const server = await listen();
  onTestFinished(() => server.close());
  const { token, organization } = server.mock.clientOptions();
  const env = {
    WORKTRACK_BASE_URL: server.url,
    WORKTRACK_ORGANIZATION: organization,
    WORKTRACK_TOKEN: token as string,
  };
  expect(await runWords(['projects', 'list'], { env })).toEqual({ code: 0, output: '[]', errors: '' });
});

test.each([
  ['an invalid base URL', { WORKTRACK_BASE_URL: 'nonsense' }, /WORKTRACK_BASE_URL must be/],
  [
    'a missing token',
    { WORKTRACK_BASE_URL: 'https://work.example.com' },
    /missing token; set WORKTRACK_TOKEN$/,
  ],
])('without a terminal, a command rejects %s before it sends a request', async (_, env, message) => {
  const result = await runWords(['projects', 'get', 'p'], { env });
  expect(result).toMatchObject({ code: 2, output: '' });
  expect(result.errors).toMatch(message);
});

/** Replaces this process's terminal until the test has finished. Typed text arrives after the prompt. */
function replaceTerminal(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const written: string[] = [];
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as never);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    if (text === 'Token: ') setImmediate(() => input.write(typed));
    return true;
  });
  onTestFinished(() => {
    stdin.mockRestore();
    stderr.mockRestore();
    input.destroy();
  });
  return written;
}

test('in a terminal, a command prompts for a missing token without printing it', async () => {
  const server = await listen();
  onTestFinished(() => server.close());
  const { token, organization } = server.mock.clientOptions();
  const written = replaceTerminal(` ${token} \n`);
  const env = { WORKTRACK_BASE_URL: server.url, WORKTRACK_ORGANIZATION: organization };
  expect(await runWords(['projects', 'list'], { env })).toEqual({ code: 0, output: '[]', errors: '' });
  expect(written).toEqual(['Token: ', '\n']);
});

test.each([
  ['nothing', '\n'],
  ['only spaces', '  \n'],
  ['Ctrl+D', '\u0004'],
  ['Ctrl+C', '\u0003'],
])('a command sends nothing if the user enters %s at the prompt', async (_, typed) => {
  const written = replaceTerminal(typed);
  const env = { WORKTRACK_BASE_URL: 'http://127.0.0.1:9', WORKTRACK_ORGANIZATION: 'org_1' };
  expect(await runWords(['projects', 'list'], { env })).toEqual({
    code: 2,
    output: '',
    errors: 'worktrack projects list: no token entered; nothing was sent',
  });
  expect(written).toEqual(['Token: ', '\n']);
});

test('an option accepts a field name with hyphens, with and without = and a negation', async () => {
  const { mock, run } = commandLine();
  mock.add.project();
  const { id } = mock.add.board({ is_done: true });
  const { output } = await run('boards', 'update', id, '--wip-limit=12', '--no-is-done');
  expect(JSON.parse(output)).toMatchObject({ wip_limit: 12, is_done: false });
});

test.each(['Set --wip-limit', '--wip-limit first'])('an option value is sent unchanged: %s', async (name) => {
  const { mock, run } = commandLine();
  const project = mock.add.project();
  const { output } = await run('boards', 'create', project.id, '--name', name);
  expect(JSON.parse(output)).toMatchObject({ name });
});

test('--null accepts a field name with hyphens', async () => {
  const { mock, run } = commandLine();
  mock.add.project();
  mock.add.board();
  const { id } = mock.add.ticket({ due_at: '2026-02-01T00:00:00.000Z' });
  const { output } = await run('tickets', 'update', id, '--null', 'due-at');
  expect(JSON.parse(output)).toMatchObject({ id, due_at: null });
});

test('in a terminal, a command prints a note below the table if the list has more pages', async () => {
  const { run } = commandLine({ terminal: true });
  for (const title of ['Runbook', 'Menu', 'Map']) await run('documents', 'create', '--title', title);
  expect((await run('documents', 'list', '--per-page', '2')).output).toMatch(
    /\n\(page 1 of 2, 3 in total; use --page 2 for the next page, or --all for all pages\)$/,
  );
  for (const rest of [['--page', '2'], ['--all'], ['--json']]) {
    expect((await run('documents', 'list', '--per-page', '2', ...rest)).output).not.toContain('page');
  }
});

test('without --page or --all, a piped command reports additional pages on standard error', async () => {
  const { run } = commandLine();
  for (const title of ['Runbook', 'Menu', 'Map']) await run('documents', 'create', '--title', title);
  const first = await run('documents', 'list', '--per-page', '2');

  expect(JSON.parse(first.output)).toHaveLength(2);
  expect(first).toMatchObject({
    code: 0,
    errors: 'worktrack: page 1 of 2, 3 in total; use --page 2 for the next page, or --all for all pages',
  });
  for (const rest of [['--page', '1'], ['--page', '2'], ['--all']]) {
    expect(await run('documents', 'list', '--per-page', '2', ...rest)).toMatchObject({ code: 0, errors: '' });
  }
});

test('a command sends the token over plain HTTP to a remote host only with --allow-plain-http', async () => {
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

test('an operation ID can be used as a command', async () => {
  const { run } = commandLine();
  expect(await run('projects.list')).toMatchObject({ code: 0, output: '[]' });
});

test('an operation ID with several dots can be used as a command', async () => {
  const { run } = commandLine();
  expect(await run('projects.members.list', 'nowhere')).toMatchObject({ code: 4 });
  expect((await run('projects.list')).output).toBe('[]');
  expect(await run('projects.fly')).toMatchObject({
    code: 2,
    errors: 'worktrack projects: unknown command "fly"; see "worktrack projects --help"',
  });
});

test('repeating an option builds a list', async () => {
  const { run } = commandLine();
  const { output } = await run(
    'documents',
    'create',
    '--title',
    'Runbook',
    '--tag-names',
    'ops',
    '--tag_names',
    'launch',
  );
  expect(JSON.parse(output).tags.map(({ name }: { name: string }) => name)).toEqual(['ops', 'launch']);
});

test.each([
  [
    2,
    'an invalid payload',
    ['projects', 'create', '--name', 'x'.repeat(181), '--key', 'A'],
    /at most 180 characters \(got 181\)/,
  ],
  [
    2,
    'an unknown option',
    ['projects', 'list', '--colour', 'red'],
    /^worktrack projects list: unknown option "--colour"; see "worktrack projects list --help"$/,
  ],
  [
    2,
    'a mistyped option',
    ['tickets', 'create', 'p', '--titel', 'T'],
    /^worktrack tickets create: unknown option "--titel"; did you mean "--title"\?$/,
  ],
  [2, 'a missing argument', ['projects', 'get'], /^worktrack projects get: missing argument <project>$/],
  [
    2,
    'too many arguments',
    ['projects', 'list', 'a', 'b'],
    /^worktrack projects list: too many arguments \(expected 0, got 2\)$/,
  ],
  [
    2,
    'a string instead of an integer',
    ['boards', 'create', 'p', '--name', 'B', '--wip_limit', 'many'],
    /invalid value "many" for --wip_limit\. Expected an integer$/,
  ],
  [
    2,
    'null in a field that is not nullable',
    ['boards', 'create', 'p', '--null', 'name'],
    /invalid value "name" for --null\. Allowed choices are color, wip_limit$/,
  ],
  [
    2,
    'a negative limit',
    ['boards', 'create', 'p', '--name', 'B', '--wip_limit', '-12'],
    /wip_limit .*\(got -12\)/,
  ],
  [4, 'an unknown record', ['projects', 'get', 'nowhere'], /not_found/],
  [
    5,
    'a violated API rule',
    ['notifications', 'send', '--user_ids', 'nobody', '--title', 'T', '--body', 'B'],
    /invalid_recipient/,
  ],
])('a command exits with code %i for %s', async (code, _title, words, message) => {
  const { run } = commandLine();
  const result = await run(...words);
  expect(result).toMatchObject({ code, output: '' });
  expect(result.errors).toMatch(message);
});

test.each(['3x', 'x3', '1.5'])('an integer option rejects %s', async (value) => {
  const { run } = commandLine();
  const result = await run('boards', 'create', 'p', '--name', 'B', '--wip_limit', value);
  expect(result).toEqual({
    code: 2,
    output: '',
    errors: `worktrack boards create: invalid value "${value}" for --wip_limit. Expected an integer`,
  });
});

test.each(['[1]', 'null', '"text"', '{'])('--data rejects %s', async (value) => {
  const { run } = commandLine();
  expect(await run('projects', 'create', '--data', value)).toEqual({
    code: 2,
    output: '',
    errors: 'worktrack projects create: --data must be a JSON object, or "-" to read one from standard input',
  });
});

test('a command exits with code 3 for an invalid credential', async () => {
  expect(await commandLine({ token: 'wrong' }).run('projects', 'list')).toMatchObject({ code: 3 });
});

test.each(operationIds)('worktrack %s --help shows the usage and the required scope', async (id) => {
  const { code, output } = await commandLine().run(...id.split('.'), '--help');
  expect(code).toBe(0);
  expect(output).toContain(`Usage: worktrack ${id.replaceAll('.', ' ')}`);
  expect(output).toContain(operationOf(id).scope);
  expect(output).not.toContain('undefined');
});

test("worktrack tickets create --help shows each field's limits", async () => {
  const { output } = await commandLine().run('tickets', 'create', '--help');
  expect(output).toMatch(/--title <string> +At most 500 characters \(required\)/);
  expect(output).toMatch(/--priority <string> +New tickets default to normal \(choices: "lowest"/);
});
