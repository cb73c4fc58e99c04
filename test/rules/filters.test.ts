import { describe, expect, test } from 'vitest';
import { expectRefusal, type Json, wire } from './support.js';
import { serve } from './world.js';

const found = ({ data }: { data: Json }) => data.data.map(({ id }: Json) => id);

describe('tickets.list filters', () => {
  const world = () =>
    serve({
      boards: [
        {
          id: 'brd_1',
          name: 'One',
          tickets: [
            { id: 'tkt_1', title: 'Fix the LOGIN page' },
            { id: 'tkt_2', title: 'Other', description_html: '<p>log<b>in</b> fails &amp; more</p>' },
            { id: 'tkt_3', title: '100% (really) [a.*b]', description_html: '<a href="login">x</a>' },
          ],
        },
        { id: 'brd_2', name: 'Two', tickets: [{ id: 'tkt_4', title: 'Straße login' }] },
      ],
    });
  const list = async (query: string) =>
    found(await wire(world()).get(`/projects/prj_apollo/tickets?${query}`));

  test('board_id keeps the tickets of that board', async () => {
    expect(await list('board_id=brd_1')).toEqual(['tkt_1', 'tkt_2', 'tkt_3']);
    expect(await list('board_id=brd_2')).toEqual(['tkt_4']);
  });

  test.each(['brd_nobody', 'brd_zeus', 'brd_other', '__proto__', ''])(
    'the board_id %j, which no board of the project has, gives an empty page',
    async (id) => {
      expect(await list(`board_id=${id}`)).toEqual([]);
    },
  );

  test('the board_id of a deleted board gives an empty page', async () => {
    const api = wire(world());
    await api.delete('/boards/brd_1', { move_to_board_id: 'brd_2' });
    expect(found(await api.get('/projects/prj_apollo/tickets?board_id=brd_1'))).toEqual([]);
  });

  test('q finds title and description without regard to case', async () => {
    expect(await list('q=fix')).toEqual(['tkt_1']);
    expect(await list('q=OTHER')).toEqual(['tkt_2']);
    expect(await list('q=FAILS')).toEqual(['tkt_2']);
  });

  test('q looks at the text, not at the markup', async () => {
    expect(await list('q=login')).toEqual(['tkt_1', 'tkt_2', 'tkt_4']);
    expect(await list('q=href')).toEqual([]);
    expect(await list(`q=${encodeURIComponent('fails & more')}`)).toEqual(['tkt_2']);
  });

  test('q is literal text, never a pattern', async () => {
    expect(await list(`q=${encodeURIComponent('[a.*b]')}`)).toEqual(['tkt_3']);
    expect(await list(`q=${encodeURIComponent('100% (')}`)).toEqual(['tkt_3']);
    expect(await list(`q=${encodeURIComponent('.*')}`)).toEqual(['tkt_3']);
    expect(await list('q=%25')).toEqual(['tkt_3']);
    expect(await list('q=_')).toEqual([]);
    expect(await list('q=%00')).toEqual([]);
  });

  test('an empty q matches all', async () => {
    expect(await list('q=')).toHaveLength(4);
  });

  test('filters combine', async () => {
    expect(await list('q=login&board_id=brd_2')).toEqual(['tkt_4']);
    expect(await list('q=fix&board_id=brd_2')).toEqual([]);
  });

  test('other projects are never found', async () => {
    expect(await list('q=bolt')).toEqual([]);
    expect(await list('q=plan')).toEqual([]);
  });
});

describe('documents.list filters', () => {
  const world = () =>
    serve(
      {},
      {
        documents: [
          { id: 'doc_1', title: 'Runbook', project: 'prj_apollo', tags: ['ops', 'On Call'] },
          { id: 'doc_2', title: 'Plan', caption: 'A run through', tags: ['ops'], status: 'published' },
          { id: 'doc_3', title: 'Notes', content_html: '<i>Run</i>ning', project: 'prj_zeus', tags: ['Ops'] },
          { id: 'doc_4', title: 'Empty' },
        ],
      },
    );
  const documents = '/organizations/org_acme/documents';
  const list = async (query: string) => found(await wire(world()).get(`${documents}?${query}`));

  test('without filters all documents come, by creation', async () => {
    expect(await list('')).toEqual(['doc_1', 'doc_2', 'doc_3', 'doc_4']);
  });

  test('project_id keeps the documents of that project', async () => {
    expect(await list('project_id=prj_apollo')).toEqual(['doc_1']);
    expect(await list('project_id=prj_zeus')).toEqual(['doc_3']);
    for (const id of ['prj_nobody', 'prj_other', '']) expect(await list(`project_id=${id}`)).toEqual([]);
  });

  test('status keeps drafts or published ones, and nothing else is a status (422)', async () => {
    expect(await list('status=draft')).toEqual(['doc_1', 'doc_3', 'doc_4']);
    expect(await list('status=published')).toEqual(['doc_2']);
    for (const status of ['archived', '', 'Draft']) {
      const answer = await wire(world()).get(`${documents}?status=${status}`);
      expectRefusal(answer, 'validation_failed', 'status');
    }
  });

  test('q finds title, caption and content without regard to case', async () => {
    expect(await list('q=RUN')).toEqual(['doc_1', 'doc_2', 'doc_3']);
    expect(await list('q=running')).toEqual(['doc_3']);
    expect(await list('q=%3Ci%3E')).toEqual([]);
    expect(await list('q=')).toHaveLength(4);
  });

  test('tags requires every name', async () => {
    expect(await list('tags=ops')).toEqual(['doc_1', 'doc_2']);
    expect(await list('tags=ops,On%20Call')).toEqual(['doc_1']);
    expect(await list('tags=ops,nothing')).toEqual([]);
  });

  test('tags compares names exactly after trimming, and empty ones do not count', async () => {
    expect(await list('tags=Ops')).toEqual(['doc_3']);
    expect(await list('tags=%20ops%20,%20')).toEqual(['doc_1', 'doc_2']);
    expect(await list('tags=op')).toEqual([]);
    expect(await list('tags=,%20,')).toHaveLength(4);
    expect(await list('tags=')).toHaveLength(4);
  });

  test('filters combine with each other and with the organization of the path', async () => {
    expect(await list('q=run&tags=ops&status=draft&project_id=prj_apollo')).toEqual(['doc_1']);
    expect(await list('q=plans')).toEqual([]);
    expect(await list('q=run&status=published&project_id=prj_apollo')).toEqual([]);
  });

  test('archived documents, and documents of archived projects, are listed', async () => {
    const api = wire(world());
    await api.patch('/documents/doc_1', { archived: true });
    await api.patch('/projects/prj_zeus', { archived: true });
    expect(found(await api.get(documents))).toEqual(['doc_1', 'doc_2', 'doc_3', 'doc_4']);
  });

  test('a document whose project is deleted stays, readable, editable and found by project_id', async () => {
    const api = wire(world());
    await api.delete('/projects/prj_apollo');
    const { status, data } = await api.get('/documents/doc_1');
    expect([status, data.project_id]).toEqual([200, 'prj_apollo']);
    expect((await api.patch('/documents/doc_1', { title: 'Runbook 2' })).data.title).toBe('Runbook 2');
    expect(found(await api.get(`${documents}?project_id=prj_apollo`))).toEqual(['doc_1']);
  });

  test('a document keeps its deleted project through an update that names it; no other document can take it', async () => {
    const api = wire(world());
    await api.delete('/projects/prj_apollo');
    const { title, project_id } = (await api.get('/documents/doc_1')).data;
    const kept = await api.patch('/documents/doc_1', { title: `${title} 2`, project_id });
    expect([kept.status, kept.data.project_id]).toEqual([200, 'prj_apollo']);
    expectRefusal(await api.patch('/documents/doc_4', { project_id }), 'invalid_relation', 'project_id');
    await api.patch('/documents/doc_1', { project_id: null });
    expectRefusal(await api.patch('/documents/doc_1', { project_id }), 'invalid_relation', 'project_id');
  });
});
