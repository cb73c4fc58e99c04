import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Member, Ticket } from 'worktrack';
import {
  type Book,
  BookError,
  type Change,
  memoryBook,
  type ReadChangesOptions,
  readChanges,
  TooManyDeletionsError,
} from 'worktrack/jobs';
import { connect, omitFromList } from '../support/clients.js';
import { startProject } from './support/feed-project.js';

/** A project, and a feed that has read its baseline. */
async function start(options: Partial<ReadChangesOptions> = {}) {
  const setting = startProject();
  const { client, project } = setting;
  const feed: ReadChangesOptions = { client, project: project.id, book: memoryBook(), ...options };
  /** Reads the changes and commits them. */
  const sweep = async () => {
    const { changes, commit } = await readChanges(feed);
    await commit();
    return changes;
  };
  expect(await sweep()).toEqual([]);
  return { ...setting, feed, sweep };
}

async function storedIn(book: Book): Promise<string> {
  const lines: string[] = [];
  for await (const entry of book.entries()) lines.push(JSON.stringify(entry));
  return lines.join('\n');
}

const brief = (changes: readonly Change[]) =>
  changes.map(({ type, recordId, fields }) => [type, recordId, ...fields]);

describe('readChanges', () => {
  it('reports every kind of change to a ticket separately, with the changed fields', async () => {
    const { mock, client, done, first, sweep } = await start();
    await client.tickets.update(first.id, { title: 'New', priority: 'high', archived: true });
    await client.tickets.move(first.id, { board_id: done.id });
    const changes = await sweep();
    expect(brief(changes)).toEqual([
      ['ticket.moved', first.id, 'board_id', 'started_at'],
      ['ticket.updated', first.id, 'title', 'priority'],
      ['ticket.archived', first.id, 'archived_at'],
    ]);
    const [moved, updated] = changes;
    expect(moved).toMatchObject({
      before: { title: 'First', assignees: [] },
      after: { title: 'New', board_id: done.id },
    });
    expect(updated?.before).toMatchObject({ title: 'First', board_id: done.id });
    await client.tickets.update(first.id, { archived: false });
    mock.clock.advance(1000);
    await client.tickets.update(first.id, { archived: true });
    expect(brief(await sweep())).toEqual([['ticket.updated', first.id, 'archived_at']]);
    await client.tickets.update(first.id, { archived: false });
    expect(brief(await sweep())).toEqual([['ticket.unarchived', first.id, 'archived_at']]);
    expect(await sweep()).toEqual([]);
  });

  it('lists created records first and deleted records last', async () => {
    const { client, project, todo, second, sweep } = await start();
    await client.tickets.delete(second.id);
    const created = await client.tickets.create(project.id, { board_id: todo.id, title: 'Fourth' });
    const changes = await sweep();
    expect(changes).toMatchObject([
      { type: 'ticket.created', before: null, after: created, fields: [], projectId: project.id },
      { type: 'ticket.deleted', before: { id: second.id, title: 'Second' }, after: null },
    ]);
    for (const change of changes) {
      if (change.type === 'ticket.created') expectTypeOf(change.after).toEqualTypeOf<Ticket>();
      if (change.type === 'ticket.deleted') expectTypeOf(change.after).toEqualTypeOf<null>();
    }
  });

  it('detects a changed description without storing descriptions, and ignores a change that has been reverted', async () => {
    const { client, first, feed, sweep } = await start();
    const secret = 'x'.repeat(1000);
    await client.tickets.update(first.id, { description_html: secret });
    expect(brief(await sweep())).toEqual([['ticket.updated', first.id, 'description_html']]);
    expect(await storedIn(feed.book)).not.toContain(secret);
    await client.tickets.update(first.id, { description_html: 'other' });
    await client.tickets.update(first.id, { description_html: secret });
    expect(await sweep()).toEqual([]);
  });

  it('reports a new label on a ticket, but not position changes that result from moving another ticket', async () => {
    const { mock, client, project, todo, first, third, sweep } = await start();
    const label = mock.add.label({ project: project.id, name: 'Bug' });
    await client.tickets.update(first.id, { label_ids: [label.id] });
    expect(brief(await sweep())).toEqual([
      ['label.created', label.id],
      ['ticket.updated', first.id, 'labels'],
    ]);
    await client.tickets.move(third.id, { board_id: todo.id, position: 0 });
    expect(await sweep()).toEqual([]);
  });

  it('reports changes to boards and the project', async () => {
    const { client, project, done, sweep } = await start();
    await client.boards.update(done.id, { wip_limit: 3 });
    await client.projects.update(project.id, { name: 'Renamed', archived: true });
    expect(brief(await sweep())).toEqual([
      ['project.updated', project.id, 'name'],
      ['project.archived', project.id, 'archived_at'],
      ['board.updated', done.id, 'wip_limit'],
    ]);
  });

  it("watches the organization's projects and documents if no project is given", async () => {
    const { mock, client } = await start();
    const feed = { client, book: memoryBook() };
    expect((await readChanges(feed)).changes).toEqual([]);
    const project = mock.add.project();
    const document = await client.documents.create({ title: 'Plan' });
    const { changes, commit } = await readChanges(feed);
    expect(brief(changes).sort()).toEqual([
      ['document.created', document.id],
      ['project.created', project.id],
    ]);
    await commit();
    await client.documents.update(document.id, { status: 'published', tag_names: ['a'] });
    const next = await readChanges(feed);
    expect(brief(next.changes)).toEqual([
      ['document.updated', document.id, 'status', 'tags', 'published_at'],
    ]);
    await next.commit();
    await client.documents.delete(document.id);
    await client.projects.delete(project.id);
    expect(brief((await readChanges(feed)).changes).sort()).toEqual([
      ['document.deleted', document.id],
      ['project.inaccessible', project.id],
    ]);
  });

  it('also watches documents if projects are given and `include` contains documents', async () => {
    const { client, sweep } = await start({ include: ['document'] });
    const document = await client.documents.create({ title: 'Plan' });
    expect(brief(await sweep())).toEqual([['document.created', document.id]]);
  });

  it.each(['ticket', 'document', 'project'] as const)(
    "doesn't report a %s as deleted if it's missing from its list but still exists",
    async (kind) => {
      const { mock, client, project } = await start();
      await client.documents.create({ title: 'Plan' });
      const feed = { client, book: memoryBook(), include: [kind] };
      const watched = kind === 'ticket' ? { ...feed, project: project.id } : feed;
      await readChanges(watched);
      if (kind === 'project') mock.override('projects.list', async () => []);
      else mock.override(`${kind}s.list`, async () => ({ items: [], total: 0 }));
      expect((await readChanges(watched)).changes).toEqual([]);
    },
  );

  it.each(['ticket', 'document'] as const)(
    'reads the complete list of %ss in the first sweep',
    async (kind) => {
      const { mock, client, project, todo } = await start();
      for (let index = 0; index < 201; index++) {
        if (kind === 'document') mock.add.document({ title: `D${index}` });
        else mock.add.ticket({ board: todo.id, title: `T${index}` });
      }
      mock.requests.clear();
      const feed = { client, project: project.id, include: [kind], book: memoryBook() };
      await readChanges(feed);
      expect(mock.requests.matching(`${kind}s.list`)).toHaveLength(3);
      await readChanges(feed);
      expect(mock.requests.matching(`${kind}s.list`)).toHaveLength(5);
    },
  );

  it('returns uncommitted changes again with the same IDs', async () => {
    const { client, first, second, done, feed } = await start();
    await client.tickets.update(first.id, { title: 'New' });
    await client.tickets.move(first.id, { board_id: done.id });
    await client.tickets.delete(second.id);
    const one = await readChanges(feed);
    await one.commit(one.changes[0]);
    const other = await readChanges(feed);
    expect(other.changes.map(({ id }) => id)).toEqual(one.changes.slice(1).map(({ id }) => id));
    expect(other.changes).toHaveLength(2);
  });

  it('rejects a commit if later changes to the record have already been committed', async () => {
    const { client, first, feed, sweep } = await start();
    await client.tickets.update(first.id, { title: 'A' });
    const earlier = await readChanges(feed);
    await client.tickets.update(first.id, { title: 'B' });
    await sweep();
    await expect(earlier.commit()).rejects.toThrow(
      'commit: a later call has already committed changes to these records',
    );
    expect(await sweep()).toEqual([]);
  });

  it('gives each change a new ID, even if a value changes back and forth', async () => {
    const { client, first, sweep } = await start();
    const ids = new Set<string>();
    for (const title of ['A', 'B', 'A', 'B']) {
      await client.tickets.update(first.id, { title });
      for (const { id } of await sweep()) ids.add(id);
    }
    expect(ids.size).toBe(4);
  });

  it('gives each change a new ID, even if a member leaves and returns repeatedly', async () => {
    const { mock, sweep } = await start();
    const ada: Member = { id: 'usr_ada', name: 'Ada', email: 'ada@acme.example', role: 'member' };
    let members = [ada];
    mock.override('projects.members.list', async (_, next) => [...(await next()), ...members]);
    const changes: Change[] = [];
    for (let round = 0; round < 3; round++) {
      members = [ada];
      changes.push(...(await sweep()));
      members = [];
      changes.push(...(await sweep()));
      expect(await sweep()).toEqual([]);
    }
    const types = changes.map(({ type }) => type);
    expect(types).toEqual(Array.from({ length: 3 }, () => ['member.created', 'member.deleted']).flat());
    expect(new Set(changes.map(({ id }) => id)).size).toBe(6);
    expect(changes[2]).toMatchObject({ before: null, after: ada });
  });

  it.each([
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['a closed connection', { error: 'connection' }],
  ] as const)("doesn't report anything if verifying a missing ticket fails with %s", async (_, effect) => {
    const { mock, client, first, second, sweep } = await start();
    await client.tickets.delete(first.id);
    await client.tickets.update(second.id, { title: 'New' });
    mock.faults.add({ operation: 'tickets.get', times: 1, ...effect });
    await expect(sweep()).rejects.toMatchObject({ operation: 'tickets.get' });
    expect(brief(await sweep())).toEqual([
      ['ticket.updated', second.id, 'title'],
      ['ticket.deleted', first.id],
    ]);
  });

  it('fails and reports nothing if every request gets a 404 response, as with a wrong base URL', async () => {
    const { mock, sweep } = await start();
    mock.faults.add({ status: 404 });
    await expect(sweep()).rejects.toMatchObject({ status: 404 });
    mock.faults.clear();
    expect(await sweep()).toEqual([]);
  });

  it('rejects a sweep in which more than half of the records are missing', async () => {
    const { mock, client, project, todo, feed, sweep } = await start();
    for (let index = 0; index < 25; index++) mock.add.ticket({ board: todo.id, title: `T${index}` });
    await sweep();
    const tickets = await client.tickets.list(project.id).toArray({ limit: 15 });
    for (const { id } of tickets) await client.tickets.delete(id);
    await expect(readChanges(feed)).rejects.toThrow(TooManyDeletionsError);
    await expect(readChanges(feed)).rejects.toMatchObject({
      code: 'too_many_deletions',
      outcome: 'not_sent',
    });
    await expect(readChanges(feed)).rejects.toThrow(
      `15 of 28 known tickets in project ${project.id} are missing. If they were really deleted, set "maxDeletions" to 15 or more`,
    );
    expect((await readChanges({ ...feed, maxDeletions: 15 })).changes).toHaveLength(15);
  });

  it("doesn't count archived records as missing if the server doesn't list them", async () => {
    const { mock, client, todo, feed, sweep } = await start({ include: ['ticket'] });
    const tickets = Array.from({ length: 20 }, () => mock.add.ticket({ board: todo.id }));
    await sweep();
    mock.override('tickets.list', async (_, next) => {
      const { items } = await next();
      const listed = items.filter(({ archived_at }) => archived_at === null);
      return { items: listed, total: listed.length };
    });
    for (const { id } of tickets) {
      await client.tickets.update(id, { archived: true });
      expect(brief(await sweep())).toEqual([['ticket.archived', id, 'archived_at']]);
    }
    for (const { id } of tickets) await client.tickets.delete(id);
    await expect(sweep()).rejects.toThrow('20 of 23 known tickets');
    expect((await readChanges({ ...feed, maxDeletions: 20 })).changes).toHaveLength(20);
  });

  it('requests fields that a list omits, but only for new and updated items', async () => {
    const { mock, client, project, first, second } = await start();
    omitFromList(mock, 'tickets.list', 'description_html');
    const book = memoryBook();
    const feed = { client: client.withOptions({ responseValidation: 'off' }), project: project.id, book };
    await readChanges(feed);
    expect(mock.requests.matching('tickets.get')).toHaveLength(3);
    mock.requests.clear();
    mock.clock.advance(1000);
    await client.tickets.update(first.id, { description_html: 'New' });
    await client.tickets.move(second.id, {
      board_id: (await client.tickets.get(second.id)).board_id,
      position: 0,
    });
    mock.requests.clear();
    const { changes, commit } = await readChanges(feed);
    expect(changes).toMatchObject([{ type: 'ticket.updated', after: { description_html: 'New' } }]);
    await commit();
    expect(mock.requests.matching('tickets.get').length).toBeLessThanOrEqual(2);
    mock.requests.clear();
    expect((await readChanges(feed)).changes).toEqual([]);
    expect(mock.requests.matching('tickets.get')).toHaveLength(0);
  });

  it('rejects a book that belongs to another job', async () => {
    const { feed } = await start();
    const book = memoryBook();
    await book.put([{ key: '#scope', state: 'done', value: 'tickets:prj_1:Jira' }]);
    await expect(readChanges({ ...feed, book })).rejects.toThrow(BookError);
  });

  it("rejects a book of another deployment, whose records don't exist in this one", async () => {
    const { mock, feed } = await start();
    const client = connect(mock, { baseUrl: 'https://other.test' });
    await expect(readChanges({ ...feed, client })).rejects.toThrow(BookError);
    expect((await readChanges(feed)).changes).toEqual([]);
  });

  it("doesn't store anything if the book can't be written, and reports the changes again", async () => {
    const { client, first, feed } = await start();
    const book = memoryBook();
    let isFull = false;
    const put: Book['put'] = async (changes) => {
      if (isFull) throw new BookError('the disk is full');
      return book.put(changes);
    };
    const flaky = { ...feed, book: { ...book, put } };
    await readChanges(flaky);
    await client.tickets.update(first.id, { title: 'New' });
    const { changes, commit } = await readChanges(flaky);
    isFull = true;
    await expect(commit()).rejects.toThrow('the disk is full');
    isFull = false;
    const again = await readChanges(flaky);
    expect(again.changes.map(({ id }) => id)).toEqual(changes.map(({ id }) => id));
    await again.commit();
    expect((await readChanges(flaky)).changes).toEqual([]);
  });

  it('commits the changes up to and including the given one, and rejects changes of other batches', async () => {
    const { client, first, second, feed } = await start();
    await client.tickets.update(first.id, { title: 'A' });
    await client.tickets.update(second.id, { title: 'B' });
    const { changes, commit } = await readChanges(feed);
    const other = await readChanges(feed);
    await commit(changes[0]);
    await commit(changes[0]);
    await expect(commit(other.changes[1])).rejects.toThrow('commit: pass a change from the same batch');
    expect((await readChanges(feed)).changes).toMatchObject([{ recordId: changes[1]?.recordId }]);
  });

  it('returns all existing records on the first run if `initial` is `emit`', async () => {
    const { client, project, first, second, third } = await start();
    const feed = {
      client,
      project: project.id,
      include: ['ticket'],
      initial: 'emit',
      book: memoryBook(),
    } as const;
    const { changes, commit } = await readChanges(feed);
    expect(changes.map(({ recordId }) => recordId).sort()).toEqual([first.id, second.id, third.id].sort());
    await commit(changes[0]);
    expect((await readChanges(feed)).changes).toHaveLength(2);
  });

  it('rejects unknown and missing options', async () => {
    const { feed } = await start();
    await expect(readChanges({ ...feed, projects: 'x' } as never)).rejects.toThrow(
      'readChanges: unknown option "projects"; did you mean "project"?',
    );
    await expect(readChanges({ ...feed, project: undefined, include: ['ticket'] })).rejects.toThrow(
      'readChanges: option "project" is required if "include" contains "ticket"',
    );
  });
});
