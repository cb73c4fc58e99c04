import { describe, expect, it } from 'vitest';
import type { Worktrack } from 'worktrack';
import { changesBy, memorySnapshot, readChanges } from 'worktrack/jobs';
import type { MockServer } from 'worktrack/mock-server';
import { connect } from '../support/clients.js';
import { startProject } from './support/project.js';

/** A bot that ignores its own changes, and a colleague who works on the same project. */
async function start(feedOptions: (mock: MockServer) => { client?: Worktrack } = () => ({})) {
  const { mock, client: colleague, project, ...records } = startProject();
  const [todo, done, ticket] = [records.todo.id, records.done.id, records.first.id];
  const label = mock.add.label({ project: project.id }).id;
  let intercept: ((respond: () => Promise<Response>) => Promise<Response>) | undefined;
  const bot = connect(mock, {
    fetch: (input, init) => {
      const respond = () => mock.fetch(input, init);
      const wrapper = intercept;
      if (!wrapper || !`${input}`.includes('/tickets?')) return respond();
      intercept = undefined;
      return wrapper(respond);
    },
  });
  /** Wraps the bot's next request for a list of tickets. */
  const interceptList = (wrapper: typeof intercept) => {
    intercept = wrapper;
  };
  const feed = {
    client: bot,
    project: project.id,
    include: ['project', 'ticket', 'board', 'document'],
    snapshot: memorySnapshot(),
    ignore: changesBy(bot),
    ...feedOptions(mock),
  } as const;
  const sweep = async () => {
    mock.clock.advance(1000);
    const { changes, ack } = await readChanges(feed);
    await ack();
    return changes.map(({ type, fields }) => [type, ...fields].join(' '));
  };
  await sweep();
  return { mock, project, todo, done, ticket, label, bot, colleague, sweep, interceptList };
}

describe('changesBy', () => {
  it("skips all changes that result from the client's own writes", async () => {
    const { project, todo, done, ticket, label, bot, sweep } = await start();
    const [user] = await bot.projects.members.list(project.id);
    await bot.tickets.update(ticket, {
      title: 'New',
      description_html: '<p>Text</p>',
      assignee_ids: [user?.id as string],
      label_ids: [label],
      archived: true,
    });
    await bot.tickets.move(ticket, { board_id: done });
    const board = await bot.boards.create(project.id, { name: 'Later' });
    await bot.boards.update(board.id, { name: 'Much later', wip_limit: 3 });
    const document = await bot.documents.create({ title: 'Plan' });
    await bot.documents.update(document.id, { status: 'published', tag_names: ['a'], caption: 'About' });
    await bot.projects.update(project.id, { name: 'Renamed', description: 'New' });
    expect(await sweep()).toEqual([]);
    await bot.request('tickets.update', { params: { ticket }, body: { archived: false } });
    await bot.withOptions({ timeout: 1000 }).boards.delete(board.id, { move_to_board_id: todo });
    await bot.documents.delete(document.id);
    await bot.tickets.delete(ticket);
    expect(await sweep()).toEqual([]);
    await bot.projects.delete(project.id);
    expect(await sweep()).toEqual([]);
  });

  it('reports the same changes if another client makes them', async () => {
    const { project, todo, done, ticket, colleague, sweep } = await start();
    await colleague.tickets.update(ticket, { title: 'New' });
    await colleague.tickets.move(ticket, { board_id: done });
    await colleague.tickets.create(project.id, { board_id: todo, title: 'Second' });
    expect((await sweep()).sort()).toEqual([
      'ticket.created',
      'ticket.moved board_id started_at',
      'ticket.updated title',
    ]);
  });

  it("reports another user's edit of the same ticket if it changes a different field or sets a different value", async () => {
    const { ticket, done, todo, project, bot, colleague, sweep } = await start();
    await bot.tickets.update(ticket, { title: 'Mine' });
    await colleague.tickets.update(ticket, { priority: 'high' });
    expect(await sweep()).toEqual(['ticket.updated title priority']);
    await bot.tickets.update(ticket, { title: 'Mine again' });
    await colleague.tickets.update(ticket, { title: 'Theirs' });
    await bot.tickets.move(ticket, { board_id: done });
    expect(await sweep()).toEqual(['ticket.updated title']);
    const created = await bot.tickets.create(project.id, { board_id: todo, title: 'Second' });
    await colleague.tickets.update(created.id, { priority: 'high' });
    expect(await sweep()).toEqual(['ticket.created']);
  });

  it.each([
    ['the same client', () => ({})],
    ['another client', (mock: MockServer) => ({ client: connect(mock) })],
  ])(
    'reports a change if another user later sets the value that the client wrote (feed of %s)',
    async (_, feedOptions) => {
      const { ticket, bot, colleague, sweep } = await start(feedOptions);
      await bot.tickets.update(ticket, { title: 'A' });
      expect(await sweep()).toEqual([]);
      await colleague.tickets.update(ticket, { title: 'B' });
      expect(await sweep()).toEqual(['ticket.updated title']);
      await colleague.tickets.update(ticket, { title: 'A' });
      expect(await sweep()).toEqual(['ticket.updated title']);
    },
  );

  it("reports a change if another user replaces the client's value before the feed reads it", async () => {
    const { ticket, bot, colleague, sweep } = await start();
    await bot.tickets.update(ticket, { priority: 'high', title: 'Mine' });
    await colleague.tickets.update(ticket, { priority: 'normal' });
    expect(await sweep()).toEqual([]);
    await colleague.tickets.update(ticket, { priority: 'high' });
    expect(await sweep()).toEqual(['ticket.updated priority']);
    await bot.tickets.update(ticket, { priority: 'low' });
    await colleague.tickets.update(ticket, { priority: 'high' });
    expect(await sweep()).toEqual([]);
    await colleague.tickets.update(ticket, { priority: 'low' });
    expect(await sweep()).toEqual(['ticket.updated priority']);
  });

  it('skips a change that the client makes while an earlier sweep is reading the list', async () => {
    const { mock, ticket, bot, colleague, sweep, interceptList } = await start();
    // The read and the write have the same `updated_at`, so only the order of the requests shows that the
    // read is older.
    mock.clock.freeze();
    interceptList(async (respond) => {
      await colleague.tickets.update(ticket, { title: 'Theirs' });
      const response = await respond();
      await bot.tickets.update(ticket, { title: 'Mine' });
      return response;
    });
    expect(await sweep()).toEqual(['ticket.updated title']);
    expect(await sweep()).toEqual([]);
  });

  it("reports another user's change even if the client tried to make the same change and failed", async () => {
    const { ticket, bot, colleague, sweep } = await start();
    await colleague.tickets.delete(ticket);
    await expect(bot.tickets.delete(ticket)).rejects.toMatchObject({ status: 404 });
    expect(await sweep()).toEqual(['ticket.deleted']);
  });

  it("rejects objects that aren't clients", () => {
    expect(() => changesBy({} as Worktrack)).toThrow('the client was not created by this copy of worktrack');
  });
});
