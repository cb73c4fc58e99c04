import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { type Json, rawApi } from './requests.js';
import { serve } from './world.js';

const later = '2026-01-01T00:01:00.000Z';
const start = '2026-01-01T00:00:00.000Z';

/** Creates a server whose clock is one minute past the seed data's creation time. */
const aMinuteLater = () => {
  const mock = serve();
  mock.clock.advance(60_000);
  return mock;
};

const changes = [
  { path: '/projects/prj_apollo', change: { name: 'New' } },
  { path: '/projects/prj_apollo', change: { description: 'New' } },
  { path: '/projects/prj_apollo', change: { archived: true } },
  { path: '/boards/brd_todo', change: { name: 'New' } },
  { path: '/boards/brd_todo', change: { color: 'red' } },
  { path: '/boards/brd_todo', change: { wip_limit: 9 } },
  { path: '/boards/brd_todo', change: { is_done: true } },
  { path: '/boards/brd_todo', change: { is_hidden: true } },
  { path: '/tickets/tkt_a', change: { title: 'New' } },
  { path: '/tickets/tkt_a', change: { description_html: 'New' } },
  { path: '/tickets/tkt_a', change: { priority: 'high' } },
  { path: '/tickets/tkt_a', change: { due_at: '2027-01-01T00:00:00Z' } },
  { path: '/tickets/tkt_a', change: { assignee_ids: [] } },
  { path: '/tickets/tkt_a', change: { label_ids: ['lbl_idea'] } },
  { path: '/tickets/tkt_a', change: { archived: true } },
  { path: '/documents/doc_guide', change: { project_id: null } },
  { path: '/documents/doc_guide', change: { title: 'New' } },
  { path: '/documents/doc_guide', change: { caption: 'New' } },
  { path: '/documents/doc_guide', change: { content_html: 'New' } },
  { path: '/documents/doc_guide', change: { status: 'published' } },
  { path: '/documents/doc_guide', change: { archived: true } },
  { path: '/documents/doc_guide', change: { editor_ids: [] } },
  { path: '/documents/doc_guide', change: { tag_names: ['ops', 'new'] } },
];

describe('updated_at', () => {
  test('C-18 updating any field changes `updated_at`, but never `created_at`', async () => {
    await checkEach(changes, async ({ path, change }) => {
      const { data } = await rawApi(aMinuteLater()).patch(path, change);
      expect([data.updated_at, data.created_at]).toEqual([later, start]);
    });
  });

  test("C-18 an update that has no effect doesn't change `updated_at`", async () => {
    await checkEach(
      [
        { path: '/projects/prj_apollo', same: { name: 'Apollo', description: null, archived: false } },
        {
          path: '/boards/brd_doing',
          same: { name: 'Doing', color: null, wip_limit: 2, is_done: false, is_hidden: false },
        },
        {
          path: '/tickets/tkt_a',
          same: {
            title: 'Alpha',
            description_html: null,
            priority: 'normal',
            due_at: null,
            assignee_ids: ['usr_bob'],
            label_ids: ['lbl_bug', 'lbl_bug'],
            archived: false,
          },
        },
        {
          path: '/documents/doc_guide',
          same: {
            project_id: 'prj_apollo',
            title: 'Guide',
            caption: null,
            content_html: null,
            status: 'draft',
            editor_ids: ['usr_cat'],
            tag_names: ['ops'],
            archived: false,
          },
        },
      ],
      async ({ path, same }) => {
        const { status, data } = await rawApi(aMinuteLater()).patch(path, same);
        expect([status, data.updated_at]).toEqual([200, start]);
      },
    );
  });

  test('C-18 creating, moving, or deleting a ticket changes `updated_at` for a moved ticket, but not for its neighbors', async () => {
    const api = rawApi(aMinuteLater());
    const same = await api.post('/tickets/tkt_b/move', { board_id: 'brd_todo', position: 1 });
    expect(same.data.updated_at).toBe(start);
    const moved = await api.post('/tickets/tkt_a/move', { board_id: 'brd_done', position: 0 });
    expect(moved.data.updated_at).toBe(later);
    await api.delete('/tickets/tkt_a');
    await api.post('/projects/prj_apollo/tickets', { board_id: 'brd_todo', title: 'x' });
    for (const neighbor of ['tkt_b', 'tkt_c', 'tkt_e']) {
      expect((await api.get(`/tickets/${neighbor}`)).data.updated_at).toBe(start);
    }
  });

  test('C-18 reordering changes `updated_at` only for records whose position changes', async () => {
    const mock = aMinuteLater();
    const api = rawApi(mock);
    const ticket_ids = ['tkt_b', 'tkt_a', 'tkt_c'];
    await api.put('/projects/prj_apollo/tickets/reorder', { board_id: 'brd_todo', ticket_ids });
    const times = async (path: string) =>
      (await api.get(path)).data.data.map(({ id, updated_at }: Json) => [id, updated_at]);
    expect(await times('/projects/prj_apollo/tickets?board_id=brd_todo')).toEqual([
      ['tkt_b', later],
      ['tkt_a', later],
      ['tkt_c', start],
    ]);
    const board_ids = ['brd_todo', 'brd_done', 'brd_doing'];
    const { data } = await api.put('/projects/prj_apollo/boards/reorder', { board_ids });
    expect(data.map(({ id, updated_at }: Json) => [id, updated_at])).toEqual([
      ['brd_todo', start],
      ['brd_done', later],
      ['brd_doing', later],
    ]);
  });

  test("C-18 changing a ticket doesn't change `updated_at` for its project or boards, and boards.delete changes it only for the tickets it moves", async () => {
    const mock = aMinuteLater();
    const api = rawApi(mock);
    await api.post('/tickets/tkt_a/move', { board_id: 'brd_done' });
    await api.patch('/tickets/tkt_b', { title: 'x' });
    expect((await api.get('/projects/prj_apollo')).data.updated_at).toBe(start);
    const boards = (await api.get('/projects/prj_apollo/boards')).data;
    expect(boards.map(({ updated_at }: Json) => updated_at)).toEqual([start, start, start]);
    await api.delete('/boards/brd_doing', { move_to_board_id: 'brd_todo' });
    expect((await api.get('/tickets/tkt_d')).data.updated_at).toBe(later);
    expect((await api.get('/tickets/tkt_c')).data.updated_at).toBe(start);
  });
});

test('P-6 `archived_at` is the time when a record was archived, and null once it is unarchived', async () => {
  await checkEach(['/projects/prj_apollo', '/tickets/tkt_a', '/documents/doc_guide'], async (path) => {
    const mock = aMinuteLater();
    const update = async (change: object) => (await rawApi(mock).patch(path, change)).data;
    expect((await update({ archived: true })).archived_at).toBe(later);
    mock.clock.advance(60_000);
    expect((await update({ archived: true })).archived_at).toBe(later);
    expect(await update(path.startsWith('/projects/') ? { name: 'New' } : { title: 'New' })).toMatchObject({
      archived_at: later,
      updated_at: '2026-01-01T00:02:00.000Z',
    });
    expect((await update({ archived: false })).archived_at).toBeNull();
  });
});
