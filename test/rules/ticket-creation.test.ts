import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { expectUnchanged } from './expect-unchanged.js';
import { expectError, ticketsOn } from './expectations.js';
import { type Json, rawApi, start } from './requests.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';

describe('tickets.create', () => {
  test('O-15, T-1 tickets.create adds a ticket with default values at the end of its board', async () => {
    const mock = serve();
    const { status, data } = await rawApi(mock).post(tickets, { board_id: 'brd_todo', title: 'Launch' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/./),
      project_id: 'prj_apollo',
      board_id: 'brd_todo',
      number: expect.any(Number),
      title: 'Launch',
      description_html: null,
      priority: 'normal',
      position: 3,
      due_at: null,
      started_at: null,
      completed_at: null,
      api_credential_id: 'crd_ci',
      creator: { type: 'api_credential', id: 'crd_ci', name: 'CI bot' },
      assignees: [],
      labels: [],
      tags: [],
      archived_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await rawApi(mock).get(`/tickets/${data.id}`)).data).toEqual(data);
    expect(await ticketsOn(mock, 'brd_todo')).toEqual(['tkt_a', 'tkt_b', 'tkt_c', data.id]);
  });

  test('O-15 tickets.create stores every field', async () => {
    const { data } = await rawApi(serve()).post(tickets, {
      board_id: 'brd_todo',
      title: 'Launch',
      description_html: '<p>Soon</p>',
      priority: 'critical',
      due_at: '2026-02-01T12:00:00.000Z',
      assignee_ids: ['usr_bob', 'usr_ada'],
      label_ids: ['lbl_idea', 'lbl_bug'],
    });
    expect(data).toMatchObject({
      description_html: '<p>Soon</p>',
      priority: 'critical',
      due_at: '2026-02-01T12:00:00.000Z',
      assignees: [
        { id: 'usr_bob', name: 'Bob' },
        { id: 'usr_ada', name: 'Ada' },
      ],
      labels: [
        { id: 'lbl_idea', name: 'idea', color: null },
        { id: 'lbl_bug', name: 'bug', color: '#ff0000' },
      ],
    });
  });

  test('T-1, C-26 tickets.create accepts either `board_id` or `board_slug`', async () => {
    const api = rawApi(serve());
    const byId = await api.post(tickets, { board_id: 'brd_doing', title: 'x' });
    const bySlug = await api.post(tickets, { board_slug: 'to-do', title: 'x' });
    expect([byId.data.board_id, bySlug.data.board_id]).toEqual(['brd_doing', 'brd_todo']);
  });

  test('C-26 tickets.create rejects a body with both `board_id` and `board_slug`, or with neither', async () => {
    const { mock, api } = start();
    expectError(await api.post(tickets, { title: 'x' }), 'validation_failed', 'board_id');
    const both = { title: 'x', board_id: 'brd_todo', board_slug: 'to-do' };
    expectError(await api.post(tickets, both), 'validation_failed', 'board_id');
    await expectUnchanged(mock);
  });

  test("T-1, C-26, E-12 tickets.create rejects a `board_id` or `board_slug` that doesn't belong to the project", async () => {
    const mock = serve();
    const boards = [
      ...['brd_nobody', 'brd_zeus', 'brd_other', 'to-do'].map((board_id) => ({ board_id })),
      ...['nothing', 'To do', 'brd_todo', 'TO-DO'].map((board_slug) => ({ board_slug })),
    ];
    await checkEach(boards, async (board) => {
      const [field] = Object.keys(board);
      expectError(await rawApi(mock).post(tickets, { title: 'x', ...board }), 'invalid_board', field);
    });
    await expectUnchanged(mock);
  });

  test('C-12 tickets.create looks up `board_slug` only within the project', async () => {
    const api = rawApi(serve());
    const { data } = await api.post('/projects/prj_zeus/tickets', { board_slug: 'to-do', title: 'x' });
    expect(data.board_id).toBe('brd_zeus');
    const doing = await api.post('/projects/prj_zeus/tickets', { board_slug: 'doing', title: 'x' });
    expectError(doing, 'invalid_board', 'board_slug');
  });

  test('T-1, C-13 tickets.create numbers tickets sequentially in each project and never reuses a number', async () => {
    const api = rawApi(serve());
    const create = async (project: string, board_id: string) =>
      (await api.post(`/projects/${project}/tickets`, { board_id, title: 'x' })).data;
    const first = await create('prj_apollo', 'brd_todo');
    const otherProject = await create('prj_zeus', 'brd_zeus');
    await api.delete(`/tickets/${first.id}`);
    const second = await create('prj_apollo', 'brd_done');
    expect([first.number, second.number]).toEqual([6, 7]);
    expect(otherProject.number).toBe(2);
    const { data } = await api.get(tickets);
    const numbers: number[] = data.data.map(({ number }: Json) => number);
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 7]);
  });
});

describe.each([
  ['tickets.create', 'POST', tickets, { board_id: 'brd_todo', title: 'x' }],
  ['tickets.update', 'PATCH', '/tickets/tkt_b', {}],
])('%s', (_, method, path, rest) => {
  const send = (mock: ReturnType<typeof serve>, body: object) =>
    rawApi(mock).send(method, path, { ...rest, ...body });

  test("T-2, E-11 a request with an assignee who isn't a project member, or with a label that doesn't belong to the project, is rejected", async () => {
    const mock = serve();
    const lists = [
      ...['usr_cat', 'usr_eve', 'usr_nobody', 'lbl_bug'].map((id) => ({ assignee_ids: ['usr_bob', id] })),
      ...['lbl_zeus', 'lbl_other', 'lbl_nobody', 'bug'].map((id) => ({ label_ids: ['lbl_bug', id] })),
    ];
    await checkEach(lists, async (list) => {
      const response = await send(mock, list);
      expectError(response, 'invalid_relation');
      expect(Object.keys(response.body.errors)).toEqual([`${Object.keys(list)[0]}.1`]);
    });
    await expectUnchanged(mock);
  });

  test('T-2 project members, owners, and admins can be assignees', async () => {
    const { data } = await send(serve(), { assignee_ids: ['usr_amy', 'usr_bob', 'usr_ada'] });
    expect(data.assignees.map(({ name }: Json) => name)).toEqual(['Amy', 'Bob', 'Ada']);
  });

  test('C-15 duplicate assignees and labels are removed', async () => {
    const { data } = await send(serve(), {
      assignee_ids: ['usr_bob', 'usr_ada', 'usr_bob'],
      label_ids: ['lbl_idea', 'lbl_idea'],
    });
    expect(data.assignees.map(({ id }: Json) => id)).toEqual(['usr_bob', 'usr_ada']);
    expect(data.labels.map(({ id }: Json) => id)).toEqual(['lbl_idea']);
  });
});
