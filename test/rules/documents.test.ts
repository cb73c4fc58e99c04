import { describe, expect, test } from 'vitest';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError } from './expectations.js';
import { type Json, rawApi, start } from './requests.js';
import { type Mock, serve } from './world.js';

const documents = '/organizations/org_acme/documents';
const minute = (count: number) => `2026-01-01T00:0${count}:00.000Z`;
const names = (records: Json) => records.map(({ name }: Json) => name);

describe('documents', () => {
  test('O-24, D-2 documents.create stores and returns a document with default values', async () => {
    const mock = serve();
    const { status, data } = await rawApi(mock).post(documents, { title: 'Runbook' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/./),
      organization_id: 'org_acme',
      project_id: null,
      author_id: null,
      author: { type: 'api_credential', id: 'crd_ci', name: 'CI bot' },
      api_credential_id: 'crd_ci',
      title: 'Runbook',
      caption: null,
      content_html: null,
      status: 'draft',
      tags: [],
      editors: [],
      published_at: null,
      archived_at: null,
      created_at: minute(0),
      updated_at: minute(0),
    });
    expect((await rawApi(mock).get(`/documents/${data.id}`)).data).toEqual(data);
  });

  test('O-24, O-26, D-2 documents.create and documents.update store every field', async () => {
    const api = rawApi(serve());
    const created = await api.post(documents, {
      project_id: 'prj_zeus',
      title: 'Runbook',
      caption: 'How to',
      content_html: '<h1>Runbook</h1>',
      status: 'published',
      editor_ids: ['usr_cat', 'usr_ada'],
      tag_names: ['ops', 'on call'],
    });
    expect(created.data).toMatchObject({
      project_id: 'prj_zeus',
      title: 'Runbook',
      caption: 'How to',
      content_html: '<h1>Runbook</h1>',
      status: 'published',
      editors: [
        { id: 'usr_cat', name: 'Cat' },
        { id: 'usr_ada', name: 'Ada' },
      ],
    });
    expect(names(created.data.tags)).toEqual(['ops', 'on call']);
    const change = { project_id: null, title: 'Runbook 2', caption: null, content_html: null };
    const updated = await api.patch(`/documents/${created.data.id}`, change);
    expect(updated.status).toBe(200);
    expect(updated.data).toEqual({ ...created.data, ...change });
  });

  test('C-15 documents.update replaces entire lists and removes duplicate entries', async () => {
    const api = rawApi(serve());
    const replaced = await api.patch('/documents/doc_guide', {
      editor_ids: ['usr_bob', 'usr_ada', 'usr_bob'],
      tag_names: ['b', 'a', 'b'],
    });
    expect(names(replaced.data.editors)).toEqual(['Bob', 'Ada']);
    expect(names(replaced.data.tags)).toEqual(['b', 'a']);
    const cleared = await api.patch('/documents/doc_guide', { editor_ids: [], tag_names: [] });
    expect([cleared.data.editors, cleared.data.tags]).toEqual([[], []]);
  });

  test('a tag has the same ID on every document', async () => {
    const api = rawApi(serve());
    const one = await api.post(documents, { title: 'x', tag_names: ['ops', 'new'] });
    const two = await api.post(documents, { title: 'y', tag_names: ['new', 'ops'] });
    const id = ({ data }: { data: Json }, name: string) =>
      data.tags.find((tag: Json) => tag.name === name).id;
    expect(id(one, 'new')).toBe(id(two, 'new'));
    expect(id(one, 'ops')).not.toBe(id(one, 'new'));
  });

  test.each([
    ['documents.create', 'POST', documents, { title: 'x', tag_names: ['new'] }],
    ['documents.update', 'PATCH', '/documents/doc_loose', { tag_names: ['new'] }],
  ])(
    "D-1, E-11 %s rejects an editor or project from outside the organization and doesn't change anything",
    async (_, method, path, rest) => {
      const send = (mock: Mock, relation: object) =>
        rawApi(mock).send(method, path, { ...rest, ...relation });
      const mock = serve();
      for (const id of ['usr_eve', 'usr_nobody', 'crd_ci']) {
        const response = await send(mock, { editor_ids: ['usr_ada', id] });
        expectError(response, 'invalid_relation', 'editor_ids.1');
      }
      for (const project_id of ['prj_other', 'prj_nobody', 'org_acme']) {
        expectError(await send(mock, { project_id }), 'invalid_relation', 'project_id');
      }
      await expectUnchanged(mock);
      const other = serve();
      await rawApi(other).delete('/projects/prj_zeus');
      expectError(await send(other, { project_id: 'prj_zeus' }), 'invalid_relation', 'project_id');
    },
  );

  test('D-2, C-17 a document can be published and unpublished any number of times, and `published_at` is when it was last published', async () => {
    const { mock, api } = start();
    const set = async (change: object) => {
      mock.clock.advance(60_000);
      const { data } = await api.patch('/documents/doc_loose', change);
      expect(data).toMatchObject(change);
      return data.published_at;
    };
    expect(await set({ title: 'x' })).toBeNull();
    expect(await set({ status: 'published' })).toBe(minute(2));
    expect(await set({ status: 'published' })).toBe(minute(2));
    expect(await set({ title: 'y' })).toBe(minute(2));
    expect(await set({ status: 'draft' })).toBeNull();
    expect(await set({ status: 'published' })).toBe(minute(6));
    const created = await api.post(documents, { title: 'x', status: 'published' });
    expect(created.data.published_at).toBe(minute(6));
  });

  test("C-16 archiving a document doesn't change its status, and it can still be read and commented on", async () => {
    const api = rawApi(serve());
    const { data } = await api.patch('/documents/doc_loose', { archived: true });
    expect(data.status).toBe('draft');
    expect((await api.get('/documents/doc_loose')).status).toBe(200);
    expect((await api.post('/documents/doc_loose/comments', { body_html: 'x' })).status).toBe(201);
  });
});
