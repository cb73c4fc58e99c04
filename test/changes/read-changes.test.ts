import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Member, Ticket, Worktrack } from 'worktrack';
import {
  type Change,
  memorySnapshot,
  type ReadChangesOptions,
  readChanges,
  TooManyDeletionsError,
} from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { connect, omitFromList } from '../support/clients.js';
import { startProject } from './support/project.js';

/** A project, and a feed that has read its baseline. */
async function start(options: Partial<ReadChangesOptions> = {}) {
  const setting = startProject();
  const { client, project } = setting;
  const feed: ReadChangesOptions = { client, project: project.id, snapshot: memorySnapshot(), ...options };
  /** Reads the changes and acknowledges them. */
  const sweep = async () => {
    const { changes, ack } = await readChanges(feed);
    await ack();
    return changes;
  };
  expect(await sweep()).toEqual([]);
  return { ...setting, feed, sweep };
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
    expect(JSON.stringify([...(await feed.snapshot.read())])).not.toContain(secret);
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

  it('reports a new ticket order only if tickets that stay on the board are reordered', async () => {
    const { client, todo, done, first, second, third, sweep } = await start({ ticketOrder: true });
    await client.tickets.move(second.id, { board_id: done.id });
    expect(brief(await sweep())).toEqual([['ticket.moved', second.id, 'board_id', 'started_at']]);
    await client.tickets.move(third.id, { board_id: todo.id, position: 0 });
    expect(await sweep()).toMatchObject([
      {
        type: 'board.reordered',
        recordId: todo.id,
        before: [first.id, third.id],
        after: [third.id, first.id],
      },
    ]);
    expect(await sweep()).toEqual([]);
  });

  it.each([undefined, 'prj_apollo'])(
    "doesn't report any deletions if the client belongs to a different organization (project: %s)",
    async (project) => {
      const organization = (id: string, key: string) => ({
        id: `org_${id}`,
        name: id,
        credentials: [{ token: `wt_${id}` }],
        projects: [{ id: `prj_${id}`, name: id, key }],
      });
      const mock = createMockServer({
        world: { organizations: [organization('apollo', 'APO'), organization('gemini', 'GEM')] },
      });
      const [apollo, gemini] = ['apollo', 'gemini'].map((id) =>
        connect(mock, { token: `wt_${id}`, organization: `org_${id}` }),
      ) as [Worktrack, Worktrack];
      const feed = { project, snapshot: memorySnapshot() };
      await readChanges({ ...feed, client: apollo });
      await expect(readChanges({ ...feed, client: gemini })).rejects.toMatchObject({ status: 403 });
      expect((await readChanges({ ...feed, client: apollo })).changes).toEqual([]);
    },
  );

  it('reports changes to boards and the project, and reports a deleted project as a single change', async () => {
    const { client, project, done, sweep } = await start();
    await client.boards.update(done.id, { wip_limit: 3 });
    await client.projects.update(project.id, { name: 'Renamed', archived: true });
    expect(brief(await sweep())).toEqual([
      ['project.updated', project.id, 'name'],
      ['project.archived', project.id, 'archived_at'],
      ['board.updated', done.id, 'wip_limit'],
    ]);
    await client.projects.delete(project.id);
    expect(await sweep()).toMatchObject([{ type: 'project.deleted', before: { name: 'Renamed' } }]);
    expect(await sweep()).toEqual([]);
  });

  it("watches the organization's projects and documents if no project is given", async () => {
    const { mock, client } = await start();
    const feed = { client, snapshot: memorySnapshot() };
    expect((await readChanges(feed)).changes).toEqual([]);
    const project = mock.add.project();
    const document = await client.documents.create({ title: 'Plan' });
    const { changes, ack } = await readChanges(feed);
    expect(brief(changes).sort()).toEqual([
      ['document.created', document.id],
      ['project.created', project.id],
    ]);
    await ack();
    await client.documents.update(document.id, { status: 'published', tag_names: ['a'] });
    const next = await readChanges(feed);
    expect(brief(next.changes)).toEqual([
      ['document.updated', document.id, 'status', 'tags', 'published_at'],
    ]);
    await next.ack();
    await client.documents.delete(document.id);
    await client.projects.delete(project.id);
    expect(brief((await readChanges(feed)).changes).sort()).toEqual([
      ['document.deleted', document.id],
      ['project.deleted', project.id],
    ]);
  });

  it('also watches documents if projects are given and `include` contains documents', async () => {
    const { client, sweep } = await start({ include: ['document'] });
    const document = await client.documents.create({ title: 'Plan' });
    expect(brief(await sweep())).toEqual([['document.created', document.id]]);
  });

  it('still watches the other projects after one of them is deleted', async () => {
    const { mock, client, project, feed } = await start();
    const other = mock.add.project();
    const both = { ...feed, project: [project.id, other.id], snapshot: memorySnapshot() };
    await readChanges(both);
    await client.projects.delete(project.id);
    const { changes, ack, isOver } = await readChanges(both);
    expect([changes.map(({ type }) => type), isOver]).toEqual([['project.deleted'], false]);
    await ack();
    await client.projects.update(other.id, { name: 'Renamed' });
    expect(brief((await readChanges(both)).changes)).toEqual([['project.updated', other.id, 'name']]);
  });

  it("reports a project's deletion even if only the project's tickets are watched", async () => {
    const { client, project, sweep } = await start({ include: ['ticket'] });
    await client.projects.delete(project.id);
    expect(await sweep()).toMatchObject([
      { type: 'project.deleted', recordId: project.id, before: { id: project.id } },
    ]);
  });

  it.each(['ticket', 'document', 'project'] as const)(
    "doesn't report a %s as deleted if it's missing from its list but still exists",
    async (kind) => {
      const { mock, client, project } = await start();
      await client.documents.create({ title: 'Plan' });
      const feed = { client, snapshot: memorySnapshot(), include: [kind] };
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
      const feed = { client, project: project.id, include: [kind], snapshot: memorySnapshot() };
      await readChanges(feed);
      expect(mock.requests.matching(`${kind}s.list`)).toHaveLength(3);
      await readChanges(feed);
      expect(mock.requests.matching(`${kind}s.list`)).toHaveLength(5);
    },
  );

  it('returns unacknowledged changes again with the same IDs', async () => {
    const { client, first, second, done, feed } = await start();
    await client.tickets.update(first.id, { title: 'New' });
    await client.tickets.move(first.id, { board_id: done.id });
    await client.tickets.delete(second.id);
    const one = await readChanges(feed);
    await one.ack(one.changes[0]);
    const other = await readChanges(feed);
    expect(other.changes.map(({ id }) => id)).toEqual(one.changes.slice(1).map(({ id }) => id));
    expect(other.changes).toHaveLength(2);
  });

  it('rejects an acknowledgment if later changes have already been acknowledged', async () => {
    const { client, first, feed, sweep } = await start();
    await client.tickets.update(first.id, { title: 'A' });
    const earlier = await readChanges(feed);
    await client.tickets.update(first.id, { title: 'B' });
    await sweep();
    await expect(earlier.ack()).rejects.toThrow(
      'ack: changes from a later readChanges call were already acknowledged',
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

  it("doesn't report any deletions if every request gets a 404 response", async () => {
    const { mock, sweep } = await start();
    mock.faults.add({ status: 404, times: 2 });
    await expect(sweep()).rejects.toMatchObject({ status: 404 });
    expect(await sweep()).toEqual([]);
  });

  it('rejects a sweep in which more than half of the records are missing', async () => {
    const { mock, client, project, todo, feed, sweep } = await start();
    for (let index = 0; index < 25; index++) mock.add.ticket({ board: todo.id, title: `T${index}` });
    await sweep();
    const tickets = await client.tickets.list(project.id).toArray({ limit: 15 });
    for (const { id } of tickets) await client.tickets.delete(id);
    await expect(readChanges(feed)).rejects.toThrow(TooManyDeletionsError);
    await expect(readChanges(feed)).rejects.toThrow(
      `15 of 28 known records in "ticket:${project.id}" are missing. If they were really deleted, set "maxDeletions" to 15 or more`,
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
    await expect(sweep()).rejects.toThrow('20 of 23 known records');
    expect((await readChanges({ ...feed, maxDeletions: 20 })).changes).toHaveLength(20);
  });

  it('requests fields that a list omits, but only for new and updated items', async () => {
    const { mock, client, project, first, second } = await start();
    omitFromList(mock, 'tickets.list', 'description_html');
    const snapshot = memorySnapshot();
    const feed = { client: client.withOptions({ responseValidation: 'off' }), project: project.id, snapshot };
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
    const { changes, ack } = await readChanges(feed);
    expect(changes).toMatchObject([{ type: 'ticket.updated', after: { description_html: 'New' } }]);
    await ack();
    expect(mock.requests.matching('tickets.get').length).toBeLessThanOrEqual(2);
    mock.requests.clear();
    expect((await readChanges(feed)).changes).toEqual([]);
    expect(mock.requests.matching('tickets.get')).toHaveLength(0);
  });

  it('omits changes that match `ignore`, both in the current sweep and in later sweeps', async () => {
    const { client, first, done, feed, sweep } = await start();
    await client.tickets.update(first.id, { title: 'New' });
    await client.tickets.move(first.id, { board_id: done.id });
    const ignored = await readChanges({ ...feed, ignore: ({ type }) => type === 'ticket.updated' });
    expect(brief(ignored.changes)).toEqual([['ticket.moved', first.id, 'board_id', 'started_at']]);
    expect(brief(await sweep())).toEqual([['ticket.moved', first.id, 'board_id', 'started_at']]);
  });

  it('rejects an asynchronous `ignore`, and reports the changes in the next sweep', async () => {
    const { client, first, feed, sweep } = await start();
    await client.tickets.update(first.id, { title: 'New' });
    const ignore = (async () => false) as never;
    await expect(readChanges({ ...feed, ignore })).rejects.toThrow(
      'option "ignore" must return a boolean, not a promise',
    );
    expect(brief(await sweep())).toEqual([['ticket.updated', first.id, 'title']]);
  });

  it('returns all existing records on the first run if `initial` is `emit`', async () => {
    const { client, project, first, second, third } = await start();
    const feed = {
      client,
      project: project.id,
      include: ['ticket'],
      initial: 'emit',
      snapshot: memorySnapshot(),
    } as const;
    const { changes, ack } = await readChanges(feed);
    expect(changes.map(({ recordId }) => recordId).sort()).toEqual([first.id, second.id, third.id].sort());
    await ack(changes[0]);
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
