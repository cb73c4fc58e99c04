import { describe, expect, it, vi } from 'vitest';
import { type Change, memoryBook, type ReadChangesOptions, readChanges, watchChanges } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { connect } from '../support/clients.js';
import { startProject } from './support/feed-project.js';

/** A project whose access a test can take away, and a feed that has read its baseline. */
async function start(options: Partial<ReadChangesOptions> = {}) {
  const setting = startProject();
  const { mock, project } = setting;
  const access: { status?: 403 | 404 } = {};
  const client = connect(mock, {
    retry: 0,
    fetch: async (...args) => {
      const url = args[0] instanceof Request ? args[0].url : String(args[0]);
      if (access.status && url.includes(project.id)) {
        const error = { code: access.status === 403 ? 'wrong_organization' : 'not_found', message: 'No' };
        return Response.json({ error }, { status: access.status });
      }
      return mock.fetch(...args);
    },
  });
  mock.override('projects.list', async (_, next) =>
    (await next()).filter(({ id }) => !access.status || id !== project.id),
  );
  const feed: ReadChangesOptions = { client, project: project.id, book: memoryBook(), ...options };
  const sweep = async () => {
    const { changes, commit } = await readChanges(feed);
    await commit();
    return changes;
  };
  expect(await sweep()).toEqual([]);
  return { ...setting, access, feed, sweep };
}

const brief = (changes: readonly Change[]) => changes.map(({ type, recordId }) => `${type} ${recordId}`);

describe('a feed that loses access to a project', () => {
  it.each([403, 404] as const)(
    'reports a %i once, then the return, and then what happened in between',
    async (status) => {
      const { client, project, first, second, access, sweep } = await start();
      access.status = status;
      expect(await sweep()).toMatchObject([
        { type: 'project.inaccessible', recordId: project.id, before: { name: project.name }, after: null },
      ]);
      expect(await sweep()).toEqual([]);
      await client.tickets.update(first.id, { title: 'New' });
      await client.tickets.delete(second.id);
      expect(await sweep()).toEqual([]);
      delete access.status;
      const changes = await sweep();
      expect(brief(changes).sort()).toEqual([
        `project.accessible ${project.id}`,
        `ticket.deleted ${second.id}`,
        `ticket.updated ${first.id}`,
      ]);
      expect(changes.find(({ type }) => type === 'project.accessible')).toMatchObject({
        before: null,
        after: { id: project.id },
      });
      expect(await sweep()).toEqual([]);
    },
  );

  it('reports the loss and the return even if only tickets are watched', async () => {
    const { project, access, sweep } = await start({ include: ['ticket'] });
    const ids = new Set<string>();
    for (let round = 0; round < 2; round++) {
      access.status = 404;
      const lost = await sweep();
      expect(lost).toMatchObject([{ type: 'project.inaccessible', before: { id: project.id } }]);
      expect(await sweep()).toEqual([]);
      delete access.status;
      const found = await sweep();
      expect(found).toMatchObject([{ type: 'project.accessible', after: { name: project.name } }]);
      expect(await sweep()).toEqual([]);
      for (const { id } of [...lost, ...found]) ids.add(id);
    }
    expect(ids.size).toBe(4);
  });

  it('reports an uncommitted loss again with the same ID', async () => {
    const { access, feed } = await start();
    access.status = 403;
    const { changes } = await readChanges(feed);
    const again = await readChanges(feed);
    expect(changes).toHaveLength(1);
    expect(again.changes.map(({ id }) => id)).toEqual(changes.map(({ id }) => id));
  });

  it('still reports changes in the other projects', async () => {
    const { mock, client, project, access, feed } = await start();
    const other = mock.add.project();
    const both = { ...feed, project: [project.id, other.id], book: memoryBook() };
    await readChanges(both);
    access.status = 404;
    await client.projects.update(other.id, { name: 'Renamed' });
    const { changes } = await readChanges(both);
    expect(brief(changes)).toEqual([`project.updated ${other.id}`, `project.inaccessible ${project.id}`]);
  });

  it('keeps watching a deleted project', async () => {
    vi.useFakeTimers();
    const { client, project, feed } = await start();
    const stop = new AbortController();
    const sweeps: number[] = [];
    const changes: Change[] = [];
    const watch = async () => {
      const options = { ...feed, every: 1000, signal: stop.signal };
      const onSweep = ({ changes }: { changes: number }) => sweeps.push(changes);
      for await (const change of watchChanges({ ...options, onSweep })) changes.push(change);
    };
    const watching = watch();
    await client.projects.delete(project.id);
    await vi.advanceTimersByTimeAsync(3500);
    stop.abort();
    await watching;
    vi.useRealTimers();
    expect(brief(changes)).toEqual([`project.inaccessible ${project.id}`]);
    expect(sweeps.slice(-2)).toEqual([0, 0]);
  });

  it("fails if the project was never accessible, or if a project's list alone results in a 403", async () => {
    const { mock, access, feed, sweep } = await start();
    mock.faults.add({ operation: 'tickets.list', times: 1, status: 403 });
    await expect(sweep()).rejects.toMatchObject({ status: 403, operation: 'tickets.list' });
    expect(await sweep()).toEqual([]);
    access.status = 404;
    await expect(readChanges({ ...feed, book: memoryBook() })).rejects.toMatchObject({ status: 404 });
  });

  it('fails if the organization is inaccessible as well, for example because a scope was removed', async () => {
    const { mock, access, sweep } = await start();
    access.status = 403;
    mock.faults.add({ operation: 'projects.list', status: 403, times: 1 });
    await expect(sweep()).rejects.toMatchObject({ status: 403 });
    mock.faults.add({ operation: 'projects.list', status: 503, times: 1 });
    await expect(sweep()).rejects.toMatchObject({ status: 503 });
    expect(await sweep()).toMatchObject([{ type: 'project.inaccessible' }]);
  });

  it('reports no deletions if the token belongs to another organization', async () => {
    const organization = (id: string, key: string) => ({
      id: `org_${id}`,
      name: id,
      credentials: [{ token: `wt_${id}` }],
      projects: [{ id: `prj_${id}`, name: id, key, boards: [{ name: 'Todo', tickets: [{ title: 'One' }] }] }],
    });
    const mock = createMockServer({
      world: { organizations: [organization('apollo', 'APO'), organization('gemini', 'GEM')] },
    });
    const feed = { project: 'prj_apollo', book: memoryBook() };
    const read = async (id: string) => {
      const client = connect(mock, { token: `wt_${id}`, organization: `org_${id}` });
      const { changes, commit } = await readChanges({ ...feed, client });
      await commit();
      return brief(changes);
    };
    expect(await read('apollo')).toEqual([]);
    expect(await read('gemini')).toEqual(['project.inaccessible prj_apollo']);
    expect(await read('apollo')).toEqual(['project.accessible prj_apollo']);
  });

  it.each([403, 404] as const)(
    "reports the loss and the return of one of the organization's projects (%i)",
    async (status) => {
      const { project, access, sweep } = await start({ project: undefined });
      access.status = status;
      expect(brief(await sweep())).toEqual([`project.inaccessible ${project.id}`]);
      expect(await sweep()).toEqual([]);
      delete access.status;
      expect(brief(await sweep())).toEqual([`project.accessible ${project.id}`]);
      expect(await sweep()).toEqual([]);
    },
  );
});
