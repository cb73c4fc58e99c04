import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { expectError } from './expectations.js';
import { type Json, rawApi } from './requests.js';
import { serve } from './world.js';

const found = ({ data }: { data: Json }) => data.data.map(({ id }: Json) => id);

describe('tickets.list', () => {
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
    found(await rawApi(world()).get(`/projects/prj_apollo/tickets?${query}`));

  test('F-10 tickets.list filters tickets by `board_id`', async () => {
    expect(await list('board_id=brd_1')).toEqual(['tkt_1', 'tkt_2', 'tkt_3']);
    expect(await list('board_id=brd_2')).toEqual(['tkt_4']);
  });

  test("C-24 tickets.list returns an empty page if `board_id` doesn't belong to the project", async () => {
    await checkEach(['brd_nobody', 'brd_zeus', 'brd_other', '__proto__', ''], async (id) => {
      expect(await list(`board_id=${id}`)).toEqual([]);
    });
  });

  test('C-24 tickets.list returns an empty page if `board_id` is the ID of a deleted board', async () => {
    const api = rawApi(world());
    await api.delete('/boards/brd_1', { move_to_board_id: 'brd_2' });
    expect(found(await api.get('/projects/prj_apollo/tickets?board_id=brd_1'))).toEqual([]);
  });

  test('F-10, C-22 tickets.list searches titles and descriptions for `q`, ignoring case', async () => {
    expect(await list('q=fix')).toEqual(['tkt_1']);
    expect(await list('q=OTHER')).toEqual(['tkt_2']);
    expect(await list('q=FAILS')).toEqual(['tkt_2']);
  });

  test('C-22 a `q` search ignores markup', async () => {
    expect(await list('q=login')).toEqual(['tkt_1', 'tkt_2', 'tkt_4']);
    expect(await list('q=href')).toEqual([]);
    expect(await list(`q=${encodeURIComponent('fails & more')}`)).toEqual(['tkt_2']);
  });

  test('C-22 a `q` search looks for the exact string, not for a pattern', async () => {
    expect(await list(`q=${encodeURIComponent('[a.*b]')}`)).toEqual(['tkt_3']);
    expect(await list(`q=${encodeURIComponent('100% (')}`)).toEqual(['tkt_3']);
    expect(await list(`q=${encodeURIComponent('.*')}`)).toEqual(['tkt_3']);
    expect(await list('q=%25')).toEqual(['tkt_3']);
    expect(await list('q=_')).toEqual([]);
    expect(await list('q=%00')).toEqual([]);
  });

  test('C-22 an empty `q` matches every ticket', async () => {
    expect(await list('q=')).toHaveLength(4);
  });

  test('F-10 tickets.list can combine `board_id` and `q`', async () => {
    expect(await list('q=login&board_id=brd_2')).toEqual(['tkt_4']);
    expect(await list('q=fix&board_id=brd_2')).toEqual([]);
  });

  test("G-7 a `q` search doesn't find tickets in other projects", async () => {
    expect(await list('q=bolt')).toEqual([]);
    expect(await list('q=plan')).toEqual([]);
  });
});

describe('documents.list', () => {
  const world = () =>
    serve(
      {},
      {
        documents: [
          { id: 'doc_1', title: 'Runbook', project: 'prj_apollo', tags: ['ops', 'On Call'] },
          { id: 'doc_2', title: 'Plan', caption: 'A run through', tags: ['ops'], status: 'published' },
          {
            id: 'doc_3',
            title: 'Notes',
            content_html: '<i>Run</i>ning',
            project: 'prj_zeus',
            tags: [' Ops '],
          },
          { id: 'doc_4', title: 'Empty' },
        ],
      },
    );
  const documents = '/organizations/org_acme/documents';
  const list = async (query: string) => found(await rawApi(world()).get(`${documents}?${query}`));

  test('C-25 documents.list returns all documents in creation order if no filter is set', async () => {
    expect(await list('')).toEqual(['doc_1', 'doc_2', 'doc_3', 'doc_4']);
  });

  test('F-11, C-24 documents.list filters documents by `project_id` and returns none for an unknown project', async () => {
    expect(await list('project_id=prj_apollo')).toEqual(['doc_1']);
    expect(await list('project_id=prj_zeus')).toEqual(['doc_3']);
    for (const id of ['prj_nobody', 'prj_other', '']) expect(await list(`project_id=${id}`)).toEqual([]);
  });

  test('F-7, F-11 documents.list filters documents by `status` and rejects unknown values', async () => {
    expect(await list('status=draft')).toEqual(['doc_1', 'doc_3', 'doc_4']);
    expect(await list('status=published')).toEqual(['doc_2']);
    for (const status of ['archived', '', 'Draft']) {
      const response = await rawApi(world()).get(`${documents}?status=${status}`);
      expectError(response, 'validation_failed', 'status');
    }
  });

  test('F-11, C-22 documents.list searches titles, captions, and content for `q`, ignoring case', async () => {
    expect(await list('q=RUN')).toEqual(['doc_1', 'doc_2', 'doc_3']);
    expect(await list('q=running')).toEqual(['doc_3']);
    expect(await list('q=%3Ci%3E')).toEqual([]);
    expect(await list('q=')).toHaveLength(4);
  });

  test('F-11 documents.list returns only documents with all of the given tags', async () => {
    expect(await list('tags=ops')).toEqual(['doc_1', 'doc_2']);
    expect(await list('tags=ops,On%20Call')).toEqual(['doc_1']);
    expect(await list('tags=ops,nothing')).toEqual([]);
  });

  test('C-23 documents.list trims tag names, compares them exactly, and ignores empty names', async () => {
    expect(await list('tags=Ops')).toEqual(['doc_3']);
    expect(await list('tags=%20ops%20,%20')).toEqual(['doc_1', 'doc_2']);
    expect(await list('tags=op')).toEqual([]);
    expect(await list('tags=,%20,')).toHaveLength(4);
    expect(await list('tags=')).toHaveLength(4);
  });

  test('F-11 documents.list can combine `project_id`, `status`, `q`, and `tags`', async () => {
    expect(await list('q=run&tags=ops&status=draft&project_id=prj_apollo')).toEqual(['doc_1']);
    expect(await list('q=plans')).toEqual([]);
    expect(await list('q=run&status=published&project_id=prj_apollo')).toEqual([]);
    expect(await list('tags=ops&status=published&project_id=prj_apollo')).toEqual([]);
  });

  test('C-16 documents.list returns archived documents and documents in archived projects', async () => {
    const api = rawApi(world());
    await api.patch('/documents/doc_1', { archived: true });
    await api.patch('/projects/prj_zeus', { archived: true });
    expect(found(await api.get(documents))).toEqual(['doc_1', 'doc_2', 'doc_3', 'doc_4']);
  });

  test('D-3 a document can be read, updated, and found by `project_id` after its project is deleted', async () => {
    const api = rawApi(world());
    await api.delete('/projects/prj_apollo');
    const { status, data } = await api.get('/documents/doc_1');
    expect([status, data.project_id]).toEqual([200, 'prj_apollo']);
    expect((await api.patch('/documents/doc_1', { title: 'Runbook 2' })).data.title).toBe('Runbook 2');
    expect(found(await api.get(`${documents}?project_id=prj_apollo`))).toEqual(['doc_1']);
  });

  test('D-3 documents.update accepts a deleted project only if the document already belongs to that project', async () => {
    const api = rawApi(world());
    await api.delete('/projects/prj_apollo');
    const { title, project_id } = (await api.get('/documents/doc_1')).data;
    const updated = await api.patch('/documents/doc_1', { title: `${title} 2`, project_id });
    expect([updated.status, updated.data.project_id]).toEqual([200, 'prj_apollo']);
    expectError(await api.patch('/documents/doc_4', { project_id }), 'invalid_relation', 'project_id');
    await api.patch('/documents/doc_1', { project_id: null });
    expectError(await api.patch('/documents/doc_1', { project_id }), 'invalid_relation', 'project_id');
  });
});
