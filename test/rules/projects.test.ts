import { describe, expect, test } from 'vitest';
import { readable } from './expect-unchanged.js';
import { type Json, rawApi, start } from './requests.js';
import { serve } from './world.js';

const projects = '/organizations/org_acme/projects';
const minute = (count: number) => `2026-01-01T00:0${count}:00.000Z`;
const ids = (records: Json) => records.map(({ id }: Json) => id);

describe('organization and projects', () => {
  test('O-1 organization.get returns the organization', async () => {
    const { data } = await rawApi(serve()).get('/organizations/org_acme');
    expect(data).toMatchObject({ id: 'org_acme', name: 'Acme' });
  });

  test("G-1, C-25 projects.list returns only the organization's projects, in creation order", async () => {
    const { mock, api } = start();
    expect(ids((await api.get(projects)).data)).toEqual(['prj_apollo', 'prj_zeus']);
    const { data } = await api.post(projects, { name: 'Aardvark', key: 'AAA' });
    expect(ids((await api.get(projects)).data)).toEqual(['prj_apollo', 'prj_zeus', data.id]);
    expect(ids((await rawApi(mock, 'wt_other').get('/organizations/org_other/projects')).data)).toEqual([
      'prj_other',
    ]);
  });

  test('O-3, P-1 projects.create stores and returns an empty project', async () => {
    const api = rawApi(serve());
    const { status, data } = await api.post(projects, { name: 'Hermes', key: 'HER', description: 'Fast' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/./),
      organization_id: 'org_acme',
      name: 'Hermes',
      key: 'HER',
      description: 'Fast',
      archived_at: null,
      created_at: minute(0),
      updated_at: minute(0),
    });
    expect((await api.get(`/projects/${data.id}`)).data).toEqual(data);
    for (const part of ['boards', 'labels', 'tags']) {
      expect((await api.get(`/projects/${data.id}/${part}`)).data).toEqual([]);
    }
    expect((await api.get(`/projects/${data.id}/tickets`)).data.total).toBe(0);
  });

  test('projects.create accepts a key that another project uses', async () => {
    const api = rawApi(serve());
    expect((await api.post(projects, { name: 'Apollo', key: 'APO' })).status).toBe(201);
  });

  test('O-5, F-2 projects.update changes the name and description, and null clears the description', async () => {
    const api = rawApi(serve());
    const before = (await api.get('/projects/prj_apollo')).data;
    const { status, data } = await api.patch('/projects/prj_apollo', {
      name: 'Apollo 2',
      description: 'Moon',
    });
    expect([status, data]).toEqual([200, { ...before, name: 'Apollo 2', description: 'Moon' }]);
    const cleared = await api.patch('/projects/prj_apollo', { description: null });
    expect(cleared.data.description).toBeNull();
  });

  test('C-16 an archived project can be listed, read, and changed', async () => {
    const api = rawApi(serve());
    await api.patch('/projects/prj_apollo', { archived: true });
    expect(ids((await api.get(projects)).data)).toContain('prj_apollo');
    const tickets = '/projects/prj_apollo/tickets';
    expect((await api.get(tickets)).data.total).toBe(5);
    expect((await api.post(tickets, { board_id: 'brd_todo', title: 'x' })).status).toBe(201);
    expect((await api.post('/projects/prj_apollo/boards', { name: 'x' })).status).toBe(201);
  });

  test("P-2 projects.delete doesn't affect other projects", async () => {
    const [mock, reference] = [serve(), serve()];
    await rawApi(mock).delete('/projects/prj_apollo');
    const [left, before] = [await readable(mock), await readable(reference)];
    for (const path of Object.keys(left)) {
      if (path.startsWith('/projects/')) expect(left[path]).toEqual(before[path]);
    }
    expect(Object.keys(left).some((path) => path.startsWith('/projects/prj_zeus'))).toBe(true);
  });
});
