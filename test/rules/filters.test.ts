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

  test('F-10, C-22, G-7 tickets.list searches the titles and descriptions in the project for exactly `q`, ignoring case and markup', async () => {
    const all = ['tkt_1', 'tkt_2', 'tkt_3', 'tkt_4'];
    await checkEach(
      [
        ['fix', ['tkt_1']],
        ['OTHER', ['tkt_2']],
        ['FAILS', ['tkt_2']],
        ['login', ['tkt_1', 'tkt_2', 'tkt_4']],
        ['href', []],
        ['fails & more', ['tkt_2']],
        ['[a.*b]', ['tkt_3']],
        ['100% (', ['tkt_3']],
        ['.*', ['tkt_3']],
        ['%', ['tkt_3']],
        ['_', []],
        ['\0', []],
        ['', all],
        // These tickets are in other projects.
        ['bolt', []],
        ['plan', []],
      ],
      async ([q, ids]) => expect(await list(`q=${encodeURIComponent(q)}`)).toEqual(ids),
    );
  });

  test('F-10 tickets.list can combine `board_id` and `q`', async () => {
    expect(await list('q=login&board_id=brd_2')).toEqual(['tkt_4']);
    expect(await list('q=fix&board_id=brd_2')).toEqual([]);
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

  test('F-11, C-23 documents.list returns only documents with all of the given tags, which it trims and compares exactly', async () => {
    await checkEach(
      [
        ['ops', ['doc_1', 'doc_2']],
        ['ops,On Call', ['doc_1']],
        ['ops,nothing', []],
        ['Ops', ['doc_3']],
        [' ops , ', ['doc_1', 'doc_2']],
        ['op', []],
        [', ,', ['doc_1', 'doc_2', 'doc_3', 'doc_4']],
        ['', ['doc_1', 'doc_2', 'doc_3', 'doc_4']],
      ],
      async ([tags, ids]) => expect(await list(`tags=${encodeURIComponent(tags)}`)).toEqual(ids),
    );
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
