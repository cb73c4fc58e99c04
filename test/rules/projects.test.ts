import { describe, expect, test } from 'vitest';
import { expectRefusal, type Json, wire } from './support.js';
import { readable } from './unchanged.js';
import { serve } from './world.js';

const projects = '/organizations/org_acme/projects';
const minute = (count: number) => `2026-01-01T00:0${count}:00.000Z`;
const ids = (records: Json) => records.map(({ id }: Json) => id);

describe('organization and projects', () => {
  test('organization.get answers the organization of the path', async () => {
    const { data } = await wire(serve()).get('/organizations/org_acme');
    expect(data).toMatchObject({ id: 'org_acme', name: 'Acme' });
  });

  test('projects.list has the projects of the organization by creation, and no other', async () => {
    const mock = serve();
    const api = wire(mock);
    expect(ids((await api.get(projects)).data)).toEqual(['prj_apollo', 'prj_zeus']);
    const { data } = await api.post(projects, { name: 'Aardvark', key: 'AAA' });
    expect(ids((await api.get(projects)).data)).toEqual(['prj_apollo', 'prj_zeus', data.id]);
    expect(ids((await wire(mock, 'wt_other').get('/organizations/org_other/projects')).data)).toEqual([
      'prj_other',
    ]);
  });

  test('projects.create answers the new project, empty, and it can be read back', async () => {
    const mock = serve();
    const api = wire(mock);
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

  test('projects.create refuses no key for being taken: the specification does not', async () => {
    const api = wire(serve());
    expect((await api.post(projects, { name: 'Apollo', key: 'APO' })).status).toBe(201);
  });

  test('projects.update changes name and description, and null clears the description', async () => {
    const api = wire(serve());
    const before = (await api.get('/projects/prj_apollo')).data;
    const { status, data } = await api.patch('/projects/prj_apollo', {
      name: 'Apollo 2',
      description: 'Moon',
    });
    expect([status, data]).toEqual([200, { ...before, name: 'Apollo 2', description: 'Moon' }]);
    const cleared = await api.patch('/projects/prj_apollo', { description: null });
    expect(cleared.data.description).toBeNull();
  });

  test('projects.update has no key field: a key in it is ignored', async () => {
    const { status, data } = await wire(serve()).patch('/projects/prj_apollo', { key: 'NEW' });
    expect([status, data.key]).toEqual([200, 'APO']);
  });

  test('archived sets archived_at to the time and clears it again', async () => {
    const mock = serve();
    const api = wire(mock);
    mock.clock.advance(60_000);
    const archived = await api.patch('/projects/prj_apollo', { archived: true });
    expect(archived.data.archived_at).toBe(minute(1));
    mock.clock.advance(60_000);
    expect((await api.patch('/projects/prj_apollo', { archived: true })).data.archived_at).toBe(minute(1));
    expect((await api.patch('/projects/prj_apollo', { archived: false })).data.archived_at).toBeNull();
  });

  test('an archived project is listed, readable and writable as before', async () => {
    const mock = serve();
    const api = wire(mock);
    await api.patch('/projects/prj_apollo', { archived: true });
    expect(ids((await api.get(projects)).data)).toContain('prj_apollo');
    const tickets = '/projects/prj_apollo/tickets';
    expect((await api.get(tickets)).data.total).toBe(5);
    expect((await api.post(tickets, { board_id: 'brd_todo', title: 'x' })).status).toBe(201);
    expect((await api.post('/projects/prj_apollo/boards', { name: 'x' })).status).toBe(201);
  });

  test('projects.delete is soft: 204, and its boards and tickets are gone with it', async () => {
    const mock = serve();
    const api = wire(mock);
    const answer = await api.delete('/projects/prj_apollo');
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect(ids((await api.get(projects)).data)).toEqual(['prj_zeus']);
    for (const ticket of ['tkt_a', 'tkt_d']) {
      expectRefusal(await api.get(`/tickets/${ticket}`), 'not_found');
    }
    expectRefusal(await api.patch('/boards/brd_todo', { name: 'x' }), 'not_found');
    const seen = await readable(mock);
    expect(JSON.stringify(seen)).not.toMatch(/tkt_a|brd_todo/);
  });

  test('projects.delete leaves the other projects as they were', async () => {
    const [mock, twin] = [serve(), serve()];
    await wire(mock).delete('/projects/prj_apollo');
    const [left, before] = [await readable(mock), await readable(twin)];
    for (const path of Object.keys(left)) {
      if (path.startsWith('/projects/')) expect(left[path]).toEqual(before[path]);
    }
    expect(Object.keys(left).some((path) => path.startsWith('/projects/prj_zeus'))).toBe(true);
  });
});
