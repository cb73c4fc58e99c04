import { describe, expect, test } from 'vitest';
import type { Ticket } from 'worktrack';
import { pull } from 'worktrack/jobs';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { keptKinds } from '../../addons/jobs/pull-redaction.js';
import { isLong } from '../properties/runs.js';
import { startBusyProject } from '../support/busy-project.js';
import { connect, omitFromList } from '../support/clients.js';

const size = isLong ? 2000 : 600;

/** Runs `act` before every request to a matching path. */
const clientWith = (mock: MockServer, path: RegExp, act: () => Promise<unknown>) =>
  connect(mock, {
    fetch: async (input, init) => {
      if (path.test(new URL(input instanceof Request ? input.url : input).pathname)) await act();
      return mock.fetch(input, init);
    },
  });

/** A deployment whose tickets people change, and every state that each ticket has been in. */
async function startBusyDeployment(seed: number) {
  const { mock, project, boards, people, pick, newTitle, write } = startBusyProject(seed, size);
  const labels = ['one', 'two'].map((name) => mock.add.label({ project, name }).id);
  const users = ['Ada', 'Bob'].map((name) => mock.add.user({ name, role: 'admin' }).id);
  const edit = () => ({ title: newTitle(), label_ids: [pick(labels)], assignee_ids: [pick(users)] });
  const history = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  /** The state of a ticket without its position, which changes when other tickets move. */
  const stateOf = ({ position: _, ...ticket }: Ticket) => JSON.stringify(ticket);
  const note = (change: Ticket | string) => {
    if (typeof change === 'string') deleted.add(change);
    else history.set(change.id, (history.get(change.id) ?? new Set()).add(stateOf(change)));
  };
  for (const ticket of await people.tickets.list(project).toArray({ complete: true })) note(ticket);
  const initial = new Set(history.keys());
  const deleteBoard = async () => {
    const board = boards.shift() as string;
    const moved = await people.tickets.list(project, { board_id: board }).toArray({ complete: true });
    await people.boards.delete(board, { move_to_board_id: pick(boards) });
    for (const { id } of moved) note(await people.tickets.get(id));
  };
  let requests = 0;
  const client = clientWith(mock, /./, async () => {
    if (++requests % (isLong ? 5 : 2) === 0) note(await write(edit));
    if (requests === 5) await deleteBoard();
  });
  return { client, project, history, initial, deleted, stateOf, requests: () => requests };
}

describe('pull while other users change the deployment', { timeout: isLong ? 600_000 : 30_000 }, () => {
  test.each([1, 2])('returns each ticket in a state that it had at some point (seed %i)', async (seed) => {
    const { client, project, history, initial, deleted, stateOf, requests } = await startBusyDeployment(seed);
    const world = await pull(client, { keep: keptKinds });
    expect(requests()).toBeGreaterThan(size / 200);
    const mock = createMockServer({ world });
    const tickets = await connect(mock).tickets.list(project, { per_page: 200 }).toArray({ complete: true });

    const found = new Set(tickets.map(({ id }) => id));
    expect([...initial].filter((id) => !found.has(id) && !deleted.has(id))).toEqual([]);
    const unknown = tickets.filter((ticket) => !history.get(ticket.id)?.has(stateOf(ticket)));
    expect(unknown).toEqual([]);
  });

  test('includes tickets whose board is deleted during the pull', async () => {
    const mock = createMockServer();
    const project = mock.add.project().id;
    const [old, next] = ['Old', 'Next'].map((name) => mock.add.board({ project, name }).id) as [
      string,
      string,
    ];
    const ticket = mock.add.ticket({ board: old }).id;
    const removed = mock.add.ticket({ board: old }).id;
    const people = connect(mock);
    let isDone = false;
    const client = clientWith(mock, /boards$/, async () => {
      if (isDone) return;
      isDone = true;
      await people.tickets.delete(removed);
      await people.boards.delete(old, { move_to_board_id: next });
    });
    const { boards } = (await pull(client, { keep: ['ids'] })).organizations[0]?.projects?.[0] ?? {};
    expect(boards?.map(({ id, tickets }) => [id, tickets?.map(({ id }) => id)])).toEqual([[next, [ticket]]]);
  });

  test('omits a project that is deleted during the pull unless it was explicitly requested', async () => {
    const start = () => {
      const mock = createMockServer();
      const [first, second] = ['APO', 'HER'].map((key) => mock.add.project({ key }).id) as [string, string];
      mock.add.document({ project: first });
      const people = connect(mock);
      let isDone = false;
      const client = clientWith(mock, /labels$/, async () => {
        if (!isDone) await people.projects.delete(first);
        isDone = true;
      });
      return { client, second };
    };
    const { client, second } = start();
    const world = await pull(client, { keep: ['ids'] });
    expect(world.organizations[0]?.projects?.map(({ id }) => id)).toEqual([second]);
    // The document keeps the deleted project's ID in the deployment.
    const documents = await connect(createMockServer({ world })).documents.list();
    expect(documents.data.map(({ project_id }) => project_id)).toEqual([null]);
    await expect(pull(start().client, { projects: ['APO'] })).rejects.toThrow('404');
  });

  test('omits a document that is deleted after it was listed without its content', async () => {
    const mock = createMockServer();
    const [first, second] = ['Plan', 'Runbook'].map((title) => mock.add.document({ title }).id);
    omitFromList(mock, 'documents.list', 'content_html');
    const client = clientWith(mock, new RegExp(`documents/${second}`), async () => {
      await connect(mock).documents.delete(second as string);
    }).withOptions({ responseValidation: 'off' });
    const { documents } = (await pull(client, { keep: ['ids'] })).organizations[0] ?? {};
    expect(documents?.map(({ id }) => id)).toEqual([first]);
  });
});
