import { describe, expect, test } from 'vitest';
import { commandLine } from './support/run.js';

/** A project with the boards "To do" and "Done", a member, a label, and three tickets. */
function setUp() {
  const { mock, run } = commandLine();
  const ada = mock.add.user({ name: 'Ada', email: 'ada@acme.example', role: 'owner' });
  const project = mock.add.project({ name: 'Apollo', key: 'APO' });
  const [todo, done] = [
    mock.add.board({ project: project.id, name: 'To do' }),
    mock.add.board({ project: project.id, name: 'Done', is_done: true }),
  ];
  const label = mock.add.label({ project: project.id, name: 'bug' });
  const tickets = ['Radio', 'Fuel', 'Doors'].map((title) => mock.add.ticket({ board: todo.id, title }));
  return { mock, run, ada, project, todo, done, label, tickets };
}

test.each<[string, string, (world: ReturnType<typeof setUp>) => object]>([
  ['a project by its key', 'projects get apo', ({ project }) => ({ id: project.id })],
  ['a ticket by its key and number', 'tickets get APO-2', () => ({ title: 'Fuel' })],
  [
    'a board by its project and name',
    'boards update APO/done --name Shipped',
    ({ done }) => ({ id: done.id }),
  ],
  [
    'the board, assignee, and label of a new ticket',
    'tickets create APO --title X --board Done --assignee ada@acme.example --label Bug',
    ({ done, ada, label }) => ({
      board_id: done.id,
      assignees: [{ id: ada.id }],
      labels: [{ id: label.id }],
    }),
  ],
  [
    'the label of a ticket given by its ID',
    'tickets update TKT --label bug',
    ({ label }) => ({ labels: [{ id: label.id }] }),
  ],
  [
    'the board of a moved ticket by its name',
    'tickets move APO-1 --board done',
    ({ done }) => ({ board_id: done.id }),
  ],
  [
    'the board of a moved ticket by its slug',
    'tickets move APO-1 --board-slug done',
    ({ done }) => ({ board_id: done.id }),
  ],
  [
    'the recipients of a notification',
    'notifications send --user Ada --title T --body B',
    () => ({ queued: 1 }),
  ],
  [
    'the project and the editors of a document',
    'documents create --title T --project Apollo --editor ada',
    ({ project, ada }) => ({ project_id: project.id, editors: [{ id: ada.id }] }),
  ],
])('a command accepts %s', async (_, line, expected) => {
  const world = setUp();
  const { code, output, errors } = await world.run(
    ...line.replace('TKT', world.tickets[0]?.id ?? '').split(' '),
  );
  expect([code, errors]).toEqual([0, '']);
  expect(JSON.parse(output)).toMatchObject(expected(world));
});

test('tickets reorder accepts names for the board and its tickets, and requests the ticket list only once', async () => {
  const { mock, run, tickets } = setUp();
  const names = ['APO-3', 'APO-1', 'APO-2'].flatMap((name) => ['--ticket', name]);
  expect(await run('tickets', 'reorder', 'APO', '--board', 'To do', ...names)).toMatchObject({ code: 0 });
  expect(tickets.map(({ id }) => mock.state.tickets.get(id)?.position)).toEqual([1, 2, 0]);
  expect(mock.requests.all().filter(({ operation }) => operation === 'tickets.list')).toHaveLength(1);
});

test('boards delete accepts the name of the target board', async () => {
  const { mock, run, todo, done } = setUp();
  expect(await run('boards', 'delete', 'APO/To do', '--move-to-board', 'done', '--yes')).toMatchObject({
    code: 0,
  });
  expect(mock.state.boards.get(todo.id)).toBeUndefined();
  expect(mock.state.tickets.all().map(({ board_id }) => board_id)).toEqual([done.id, done.id, done.id]);
});

test('a command uses an ID without looking it up', async () => {
  const { mock, run, done, tickets } = setUp();
  await run('tickets', 'move', tickets[0]?.id ?? '', '--board_id', done.id);
  expect(mock.requests.all().map(({ operation }) => operation)).toEqual(['tickets.move']);
});

test.each([
  [4, 'projects get APX', '"APX" is not a project; did you mean "APO"?'],
  [4, 'tickets get APO-9', 'there is no ticket APO-9'],
  [
    4,
    'tickets create APO --title X --board Todo',
    '"Todo" is not a board of this project; did you mean "To do"?',
  ],
  [
    2,
    'boards delete BRD --move-to-board Done',
    '"Done" could be a board in any project; add the project, as in APO/Done',
  ],
  [
    2,
    'tickets create APO --title X --board done --board_slug done',
    '--board cannot be combined with --board_slug',
  ],
  [2, 'tickets update APO-1 --label bug --label_ids x', '--label cannot be combined with --label_ids'],
  [2, 'tickets create APO --title X', '--board is required'],
])('worktrack exits with code %i for the command %s', async (code, line, message) => {
  const { mock, run } = setUp();
  const words = line.split(' ');
  const result = await run(...words);
  expect(result).toEqual({ code, output: '', errors: `worktrack ${words[0]} ${words[1]}: ${message}` });
  expect(mock.requests.all().every(({ method }) => method === 'GET')).toBe(true);
});

test('if more than one board has the given name, a command fails with an error that lists their IDs', async () => {
  const { mock, run, project, done } = setUp();
  const other = mock.add.board({ project: project.id, name: 'done' });
  expect(await run('tickets', 'move', 'APO-1', '--board', 'Done')).toEqual({
    code: 2,
    output: '',
    errors: `worktrack tickets move: "Done" matches 2 boards: Done (done, ID ${done.id}), done (done-2, ID ${other.id}); use an ID`,
  });
});

test('the error for an unknown board ID suggests using a name', async () => {
  const { run } = setUp();
  expect((await run('boards', 'update', 'Done', '--name', 'X')).errors).toMatch(
    /; to use a name, add the project, as in APO\/Doing$/,
  );
});

describe('client-side filters', () => {
  test.each([
    ['--assignee ada', ['Fuel']],
    ['--label bug', ['Doors']],
    ['--label bug --assignee Ada', []],
    ['--overdue', ['Fuel']],
    ['--done', ['Late']],
    ['--no-done', ['Radio', 'Fuel', 'Doors']],
    ['--archived', ['Radio']],
    ['--no-archived --no-done', ['Fuel', 'Doors']],
  ])('limit the output of `tickets list %s`', async (filters, titles) => {
    const { mock, run, done, ada } = setUp();
    const past = '2020-01-01T00:00:00.000Z';
    mock.add.ticket({ board: done.id, title: 'Late', due_at: past });
    await run('tickets', 'update', 'APO-1', '--archived');
    await run('tickets', 'update', 'APO-2', '--due_at', past, '--assignee_ids', ada.id);
    await run('tickets', 'update', 'APO-3', '--due_at', '2999-01-01', '--label', 'bug');
    const { output, errors } = await run(
      'tickets',
      'list',
      'APO',
      ...filters.split(' '),
      '--fields',
      'title',
    );
    expect(JSON.parse(output).map(({ title }: { title: string }) => title)).toEqual(titles);
    expect(errors).toBe(
      `worktrack: ${titles.length} of 4 match the filters, which the CLI applied to all pages`,
    );
  });

  test('work with `projects list --no-archived`', async () => {
    const { run } = setUp();
    await run('projects', 'create', '--name', 'Old', '--key', 'OLD');
    await run('projects', 'update', 'OLD', '--archived');
    expect((await run('projects', 'list', '--no-archived', '--fields', 'key', '--tsv')).output).toBe('APO');
  });

  test("apply to every page and can't be combined with --page", async () => {
    const { run } = setUp();
    expect(
      JSON.parse((await run('tickets', 'list', 'APO', '--no-done', '--per_page', '1')).output),
    ).toHaveLength(3);
    expect(await run('tickets', 'list', 'APO', '--no-done', '--page', '2')).toMatchObject({
      code: 2,
      errors: 'worktrack tickets list: --no-done cannot be combined with --page',
    });
  });
});
