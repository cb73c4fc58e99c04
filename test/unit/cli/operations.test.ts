import { expect, test } from 'vitest';
import { operationIds, operationOf } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { operationCommand } from '../../../cli/operations/operation-command.js';

/** The command line at a person's terminal (or in a pipe), against a server of its own. */
function commandLine({ terminal = false, token }: { terminal?: boolean; token?: string } = {}) {
  const mock = createMockServer();
  const { baseUrl, token: first, organization } = mock.clientOptions();
  const run = async (...words: string[]) => {
    const printed: string[] = [];
    const errors: string[] = [];
    const code = await operationCommand(words, {
      env: { WORKTRACK_BASE_URL: baseUrl, WORKTRACK_ORGANIZATION: organization },
      terminal,
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      client: { token: token ?? first, fetch: mock.fetch },
    });
    return { code, output: printed.join('\n'), errors: errors.join('\n') };
  };
  return { mock, run };
}

test('a command does its operation and prints JSON into a pipe', async () => {
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

test('a person gets a table of a list, and a line a field of a record', async () => {
  const { run } = commandLine({ terminal: true });
  expect((await run('projects', 'list')).output).toBe('None.');
  const record = await run('projects', 'create', '--name', 'Apollo', '--key', 'APO');
  expect(record.output).toMatch(/^name +Apollo$/m);
  const [header, row] = (await run('projects', 'list')).output.split('\n');
  expect(header).toMatch(/^id +organization_id +name +key/);
  expect(row).toContain('Apollo');
  expect((await run('projects', 'list', '--json')).output).toMatch(/^\[\n/);
});

test('a person who sees one page of several is told so', async () => {
  const { run } = commandLine({ terminal: true });
  for (const title of ['Runbook', 'Menu', 'Map']) await run('documents', 'create', '--title', title);
  expect((await run('documents', 'list', '--per-page', '2')).output).toMatch(
    /\n\(page 1 of 2, 3 in all; --page 2 prints the next, --all prints all\)$/,
  );
  for (const rest of [['--page', '2'], ['--all'], ['--json']]) {
    expect((await run('documents', 'list', '--per-page', '2', ...rest)).output).not.toContain('page');
  }
});

test('a list in a pipe that is one page of several is said to be so beside it, unless the page was named', async () => {
  const { run } = commandLine();
  for (const title of ['Runbook', 'Menu', 'Map']) await run('documents', 'create', '--title', title);
  const first = await run('documents', 'list', '--per-page', '2');

  expect(JSON.parse(first.output)).toHaveLength(2);
  expect(first).toMatchObject({
    code: 0,
    errors: 'page 1 of 2, 3 in all; --page 2 prints the next, --all prints all',
  });
  for (const rest of [['--page', '1'], ['--page', '2'], ['--all']]) {
    expect(await run('documents', 'list', '--per-page', '2', ...rest)).toMatchObject({ code: 0, errors: '' });
  }
});

test('over plain http another machine is sent the token only where that is allowed', async () => {
  const seen: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    seen.push(String(url));
    return Response.json({ data: [] });
  };
  const run = async (...words: string[]) => {
    const errors: string[] = [];
    const code = await operationCommand(['projects', 'list', ...words], {
      env: { WORKTRACK_BASE_URL: 'http://mock:4010', WORKTRACK_ORGANIZATION: 'org_acme' },
      terminal: false,
      print: () => {},
      printError: (text) => errors.push(text),
      client: { token: 'wt_ci', fetch },
    });
    return { code, errors: errors.join('\n') };
  };

  const refused = await run();
  expect([refused.code, seen]).toEqual([2, []]);
  expect(refused.errors).toMatch(/use https, or give --allow-plain-http$/);
  expect(await run('--allow-plain-http')).toEqual({ code: 0, errors: '' });
  expect(seen).toEqual(['http://mock:4010/api/v1/organizations/org_acme/projects']);
});

test('an operation is found by its id, with its dots', async () => {
  const { run } = commandLine();
  expect(await run('projects.list')).toMatchObject({ code: 0, output: '[]' });
});

test("an operation's id is its command too", async () => {
  const { run } = commandLine();
  expect(await run('projects.members.list', 'nowhere')).toMatchObject({ code: 4 });
  expect((await run('projects.list')).output).toBe('[]');
  await expect(run('projects.fly')).rejects.toThrow('there is no operation "projects fly"');
});

test('a repeated option makes a list', async () => {
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
    'nothing is sent',
    ['projects', 'create', '--name', 'x'.repeat(181), '--key', 'A'],
    /at most 180 characters \(got 181\)/,
  ],
  [
    2,
    'an unknown option',
    ['projects', 'list', '--colour', 'red'],
    /^projects\.list: unknown option --colour; --help lists those there are$/,
  ],
  [
    2,
    'a misspelt option',
    ['tickets', 'create', 'p', '--titel', 'T'],
    /^tickets\.create: unknown option --titel; did you mean --title\?$/,
  ],
  [2, 'too few words', ['projects', 'get'], /^projects\.get: takes <project> after its name, not nothing;/],
  [2, 'too many words', ['projects', 'list', 'a', 'b'], /takes nothing after its name, not "a" "b";/],
  [2, 'no integer', ['boards', 'create', 'p', '--name', 'B', '--wip_limit', 'many'], /takes an integer/],
  [2, 'null where there is none', ['boards', 'create', 'p', '--null', 'name'], /cannot be null/],
  [2, 'a body that is no JSON object', ['projects', 'create', '--data', '[1]'], /JSON object/],
  [4, 'an unknown record', ['projects', 'get', 'nowhere'], /not_found/],
  [
    5,
    'a rule',
    ['notifications', 'send', '--user_ids', 'nobody', '--title', 'T', '--body', 'B'],
    /invalid_recipient/,
  ],
])('exit code %i: %s', async (code, _title, words, message) => {
  const { run } = commandLine();
  const result = await run(...words);
  expect(result).toMatchObject({ code, output: '' });
  expect(result.errors).toMatch(message);
});

test('exit code 3: an invalid credential', async () => {
  expect(await commandLine({ token: 'wrong' }).run('projects', 'list')).toMatchObject({ code: 3 });
});

test.each(operationIds)('%s --help names its scope and its options', async (id) => {
  const { code, output } = await commandLine().run(...id.split('.'), '--help');
  expect(code).toBe(0);
  expect(output).toContain(`Usage: worktrack ${id.replaceAll('.', ' ')}`);
  expect(output).toContain(operationOf(id).scope);
  expect(output).not.toContain('undefined');
});

test('--help of an operation has the limits', async () => {
  const { output } = await commandLine().run('tickets', 'create', '--help');
  expect(output).toMatch(/--title <string> +At most 500 characters\. \(required\)/);
  expect(output).toContain('--priority');
});
