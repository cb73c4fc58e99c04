import { describe, expect, test } from 'vitest';
import { expectRefusal, type Json, wire } from './support.js';
import { expectUnchanged } from './unchanged.js';
import { serve } from './world.js';

const tickets = '/projects/prj_apollo/tickets';

describe('tickets.create', () => {
  test('answers the new ticket with its defaults, and it can be read back', async () => {
    const mock = serve();
    const { status, data } = await wire(mock).post(tickets, { board_id: 'brd_todo', title: 'Launch' });
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
    expect((await wire(mock).get(`/tickets/${data.id}`)).data).toEqual(data);
  });

  test('keeps every field that is given', async () => {
    const { data } = await wire(serve()).post(tickets, {
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

  test('takes the board by its id or by its slug', async () => {
    const api = wire(serve());
    const byId = await api.post(tickets, { board_id: 'brd_doing', title: 'x' });
    const bySlug = await api.post(tickets, { board_slug: 'to-do', title: 'x' });
    expect([byId.data.board_id, bySlug.data.board_id]).toEqual(['brd_doing', 'brd_todo']);
  });

  test('wants exactly one of board_id and board_slug (422)', async () => {
    const mock = serve();
    const api = wire(mock);
    expectRefusal(await api.post(tickets, { title: 'x' }), 'validation_failed', 'board_id');
    const both = { title: 'x', board_id: 'brd_todo', board_slug: 'to-do' };
    expectRefusal(await api.post(tickets, both), 'validation_failed', 'board_id');
    await expectUnchanged(mock);
  });

  test.each(['brd_nobody', 'brd_zeus', 'brd_other', 'to-do'])(
    'refuses the board_id %s, which is no live board of the project (422)',
    async (board_id) => {
      const mock = serve();
      expectRefusal(await wire(mock).post(tickets, { title: 'x', board_id }), 'invalid_board', 'board_id');
      await expectUnchanged(mock);
    },
  );

  test.each(['nothing', 'To do', 'brd_todo', 'TO-DO'])(
    'refuses the board_slug %s, which no live board of the project has (422)',
    async (board_slug) => {
      const mock = serve();
      expectRefusal(
        await wire(mock).post(tickets, { title: 'x', board_slug }),
        'invalid_board',
        'board_slug',
      );
      await expectUnchanged(mock);
    },
  );

  test('finds a slug in its own project only', async () => {
    const api = wire(serve());
    const { data } = await api.post('/projects/prj_zeus/tickets', { board_slug: 'to-do', title: 'x' });
    expect(data.board_id).toBe('brd_zeus');
    const doing = await api.post('/projects/prj_zeus/tickets', { board_slug: 'doing', title: 'x' });
    expectRefusal(doing, 'invalid_board', 'board_slug');
  });

  test('numbers count up in the project and are never given twice', async () => {
    const api = wire(serve());
    const create = async (project: string, board_id: string) =>
      (await api.post(`/projects/${project}/tickets`, { board_id, title: 'x' })).data;
    const first = await create('prj_apollo', 'brd_todo');
    const elsewhere = await create('prj_zeus', 'brd_zeus');
    await api.delete(`/tickets/${first.id}`);
    const second = await create('prj_apollo', 'brd_done');
    expect([first.number, second.number]).toEqual([6, 7]);
    expect(elsewhere.number).toBe(2);
    const { data } = await api.get(tickets);
    const numbers: number[] = data.data.map(({ number }: Json) => number);
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 7]);
  });

  test('a refused creation uses up no number', async () => {
    const api = wire(serve());
    await api.post(tickets, { board_id: 'brd_todo', title: 'x', label_ids: ['lbl_nobody'] });
    await api.post(tickets, { board_id: 'brd_nobody', title: 'x' });
    expect((await api.post(tickets, { board_id: 'brd_todo', title: 'x' })).data.number).toBe(6);
  });
});

describe.each([
  { operation: 'tickets.create', method: 'POST', path: tickets, rest: { board_id: 'brd_todo', title: 'x' } },
  { operation: 'tickets.update', method: 'PATCH', path: '/tickets/tkt_b', rest: {} },
])('relations of $operation', ({ method, path, rest }) => {
  const send = (mock: ReturnType<typeof serve>, body: object) =>
    wire(mock).send(method, path, { ...rest, ...body });

  test.each([
    ['usr_cat', 'cannot see the project'],
    ['usr_eve', 'belongs to another organization'],
    ['usr_nobody', 'does not exist'],
    ['lbl_bug', 'is a label'],
  ])(`refuses the assignee %s, who %s (422)`, async (id) => {
    const mock = serve();
    expectRefusal(await send(mock, { assignee_ids: ['usr_bob', id] }), 'invalid_relation');
    const { body } = await send(serve(), { assignee_ids: ['usr_bob', id] });
    expect(Object.keys(body.errors).every((field) => field.startsWith('assignee_ids'))).toBe(true);
    await expectUnchanged(mock);
  });

  test.each([
    ['lbl_zeus', 'of another project'],
    ['lbl_other', 'of another organization'],
    ['lbl_nobody', 'that does not exist'],
    ['bug', 'given by its name'],
  ])(`refuses the label %s, %s (422)`, async (id) => {
    const mock = serve();
    const answer = await send(mock, { label_ids: ['lbl_bug', id] });
    expectRefusal(answer, 'invalid_relation');
    expect(Object.keys(answer.body.errors).every((field) => field.startsWith('label_ids'))).toBe(true);
    await expectUnchanged(mock);
  });

  test(`takes members of the project, owners and admins as assignees`, async () => {
    const { data } = await send(serve(), { assignee_ids: ['usr_amy', 'usr_bob', 'usr_ada'] });
    expect(data.assignees.map(({ name }: Json) => name)).toEqual(['Amy', 'Bob', 'Ada']);
  });

  test(`a repeated assignee or label counts once`, async () => {
    const { data } = await send(serve(), {
      assignee_ids: ['usr_bob', 'usr_ada', 'usr_bob'],
      label_ids: ['lbl_idea', 'lbl_idea'],
    });
    expect(data.assignees.map(({ id }: Json) => id)).toEqual(['usr_bob', 'usr_ada']);
    expect(data.labels.map(({ id }: Json) => id)).toEqual(['lbl_idea']);
  });
});
