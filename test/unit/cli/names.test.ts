import { describe, expect, test } from 'vitest';
import { commandLine, rejected } from './support/run.js';

/** A project with the boards "To do" and "Done", a member, a label, and three tickets. */
function setUp() {
  const { mock, run } = commandLine();
  mock.add.user({ id: 'usr_ada', name: 'Ada', email: 'ada@acme.example', role: 'owner' });
  const project = mock.add.project({ id: 'prj_apollo', name: 'Apollo', key: 'APO' }).id;
  mock.add.board({ id: 'brd_todo', project, name: 'To do' });
  mock.add.board({ id: 'brd_done', project, name: 'Done', is_done: true });
  mock.add.label({ id: 'lbl_bug', project, name: 'bug' });
  for (const title of ['Radio', 'Fuel', 'Doors'])
    mock.add.ticket({ id: `tkt_${title}`, board: 'brd_todo', title });
  return { mock, run };
}

const [ada, bug] = [[{ id: 'usr_ada' }], [{ id: 'lbl_bug' }]];

test.each([
  ['projects get apo', { id: 'prj_apollo' }],
  ['tickets get APO-2', { title: 'Fuel' }],
  ['boards update APO/done --name Shipped', { id: 'brd_done' }],
  [
    'tickets create APO --title X --board Done --assignee ada@acme.example --label Bug',
    { board_id: 'brd_done', assignees: ada, labels: bug },
  ],
  ['tickets update tkt_Radio --label bug', { labels: bug }],
  ['tickets move APO-1 --board done', { board_id: 'brd_done' }],
  ['tickets move APO-1 --board-slug done', { board_id: 'brd_done' }],
  ['notifications send --user Ada --title T --body B', { queued: 1 }],
  ['documents create --title T --project Apollo --editor ada', { project_id: 'prj_apollo', editors: ada }],
])('a command accepts names instead of IDs: %s', async (line, expected) => {
  const { code, output, errors } = await setUp().run(...line.split(' '));
  expect([code, errors]).toEqual([0, '']);
  expect(JSON.parse(output)).toMatchObject(expected);
});

test('tickets reorder accepts names for the board and its tickets, and requests the ticket list only once', async () => {
  const { mock, run } = setUp();
  const names = ['APO-3', 'APO-1', 'APO-2'].flatMap((name) => ['--ticket', name]);
  expect(await run('tickets', 'reorder', 'APO', '--board', 'To do', ...names)).toMatchObject({ code: 0 });
  const positions = mock.state.tickets.all().map(({ title, position }) => [title, position]);
  expect(Object.fromEntries(positions)).toEqual({ Radio: 1, Fuel: 2, Doors: 0 });
  expect(mock.requests.all().filter(({ operation }) => operation === 'tickets.list')).toHaveLength(1);
});

test('boards delete accepts the name of the target board', async () => {
  const { mock, run } = setUp();
  const { code } = await run('boards', 'delete', 'APO/To do', '--move-to-board', 'done', '--yes');
  expect([code, mock.state.boards.get('brd_todo')]).toEqual([0, undefined]);
  expect(new Set(mock.state.tickets.all().map(({ board_id }) => board_id))).toEqual(new Set(['brd_done']));
});

test('a command uses an ID without looking it up', async () => {
  const { mock, run } = setUp();
  await run('tickets', 'move', 'tkt_Radio', '--board_id', 'brd_done');
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
  [2, 'tickets create APO --title X', '--board is required'],
])('worktrack exits with code %i for the command %s', async (code, line, message) => {
  const { mock, run } = setUp();
  const words = line.split(' ');
  const result = await run(...words);
  expect(result).toEqual({ code, output: '', errors: `worktrack ${words[0]} ${words[1]}: ${message}` });
  expect(mock.requests.all().every(({ method }) => method === 'GET')).toBe(true);
});

test('if several boards have the given name, a command fails and lists their IDs', async () => {
  const { mock, run } = setUp();
  mock.add.board({ id: 'brd_2', project: 'prj_apollo', name: 'done' });
  expect(await run('tickets', 'move', 'APO-1', '--board', 'Done')).toEqual(
    rejected(
      `worktrack tickets move: "Done" matches 2 boards: Done (done, ID brd_done), done (done-2, ID brd_2); use an ID`,
    ),
  );
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
    const { mock, run } = setUp();
    const past = '2020-01-01T00:00:00.000Z';
    mock.add.ticket({ board: 'brd_done', title: 'Late', due_at: past });
    await run('tickets', 'update', 'APO-1', '--archived');
    await run('tickets', 'update', 'APO-2', '--due_at', past, '--assignee_ids', 'usr_ada');
    await run('tickets', 'update', 'APO-3', '--due_at', '2999-01-01', '--label', 'bug');
    const words = ['tickets', 'list', 'APO', ...filters.split(' '), '--fields', 'title'];
    const { output, errors } = await run(...words);
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

  test('apply to every page', async () => {
    const { output } = await setUp().run('tickets', 'list', 'APO', '--no-done', '--per_page', '1');
    expect(JSON.parse(output)).toHaveLength(3);
  });
});
