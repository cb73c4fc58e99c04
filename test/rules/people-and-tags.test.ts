import { describe, expect, test } from 'vitest';
import { type Json, rawApi } from './requests.js';
import { serve } from './world.js';

const ids = (records: Json) => records.map(({ id }: Json) => id).sort();

describe('members, labels, and tags', () => {
  test("P-3 projects.members.list returns the project's explicit members and the organization's owners and admins", async () => {
    const { status, data } = await rawApi(serve()).get('/projects/prj_apollo/members');
    expect(status).toBe(200);
    expect(ids(data)).toEqual(['usr_ada', 'usr_amy', 'usr_bob']);
    expect(data).toContainEqual({ id: 'usr_bob', name: 'Bob', email: 'bob@acme.test', role: 'member' });
    expect(data).toContainEqual({ id: 'usr_ada', name: 'Ada', email: 'ada@acme.test', role: 'owner' });
    expect(data).toContainEqual({ id: 'usr_amy', name: 'Amy', email: 'amy@acme.test', role: 'admin' });
    expect(ids((await rawApi(serve()).get('/projects/prj_zeus/members')).data)).toEqual([
      'usr_ada',
      'usr_amy',
    ]);
    // An owner who is also an explicit member is listed only once.
    const mock = serve({ members: ['usr_ada', 'usr_cat', 'usr_amy'], boards: [] });
    const explicit = await rawApi(mock).get('/projects/prj_apollo/members');
    expect(ids(explicit.data)).toEqual(['usr_ada', 'usr_amy', 'usr_cat']);
  });

  test("G-1 projects.labels.list returns only the project's labels", async () => {
    const { data } = await rawApi(serve()).get('/projects/prj_apollo/labels');
    expect(data).toEqual([
      { id: 'lbl_bug', name: 'bug', color: '#ff0000' },
      { id: 'lbl_idea', name: 'idea', color: null },
    ]);
  });

  const tagged = () =>
    serve({
      boards: [
        {
          id: 'brd_todo',
          name: 'To do',
          tickets: [
            { id: 'tkt_a', title: 'A', tags: ['infra', 'ui'] },
            { id: 'tkt_b', title: 'B', tags: ['infra'] },
            { id: 'tkt_c', title: 'C' },
          ],
        },
        { id: 'brd_done', name: 'Done', tickets: [{ id: 'tkt_d', title: 'D', tags: ['infra'] }] },
      ],
    });
  const counts = async (mock: ReturnType<typeof serve>, project = 'prj_apollo') =>
    Object.fromEntries(
      (await rawApi(mock).get(`/projects/${project}/tags`)).data.map((tag: Json) => [
        tag.name,
        tag.ticket_count,
      ]),
    );

  test("P-4 projects.tags.list counts each tag's tickets on all boards, but omits document tags and other projects' tags", async () => {
    expect(await counts(tagged())).toEqual({ infra: 3, ui: 1 });
    expect(await counts(tagged(), 'prj_zeus')).toEqual({});
  });

  test('P-4 projects.tags.list ignores deleted tickets and omits tags without tickets', async () => {
    const mock = tagged();
    await rawApi(mock).delete('/tickets/tkt_a');
    expect(await counts(mock)).toEqual({ infra: 2 });
    await rawApi(mock).delete('/tickets/tkt_b');
    await rawApi(mock).delete('/tickets/tkt_d');
    expect(await counts(mock)).toEqual({});
  });

  test('P-4, C-16 projects.tags.list counts archived and moved tickets', async () => {
    const mock = tagged();
    await rawApi(mock).patch('/tickets/tkt_a', { archived: true });
    await rawApi(mock).post('/tickets/tkt_b/move', { board_id: 'brd_done' });
    await rawApi(mock).delete('/boards/brd_todo', { move_to_board_id: 'brd_done' });
    expect(await counts(mock)).toEqual({ infra: 3, ui: 1 });
  });
});
