import { describe, expect, test } from 'vitest';
import { boardsOf, expectRefusal, origin, ticketsOn, wire } from './support.js';
import { serve } from './world.js';

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('requests at the same time', () => {
  test('a board takes no more than its WIP limit from creations at the same time', async () => {
    const mock = serve();
    const create = () =>
      wire(mock).post('/projects/prj_apollo/tickets', { board_id: 'brd_doing', title: 'Me first' });
    expect(statuses(await Promise.all(Array.from({ length: 8 }, create)))).toEqual([
      201,
      ...Array(7).fill(422),
    ]);
    expect(await ticketsOn(mock, 'brd_doing')).toHaveLength(2);
  });

  test('a board takes no more than its WIP limit from moves at the same time', async () => {
    const mock = serve();
    const answers = await Promise.all(
      ['tkt_a', 'tkt_b', 'tkt_c', 'tkt_e'].map((id) =>
        wire(mock).post(`/tickets/${id}/move`, { board_id: 'brd_doing' }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 422, 422, 422]);
    expect(await ticketsOn(mock, 'brd_doing')).toHaveLength(2);
  });

  test.each([
    ['/projects/prj_apollo', undefined],
    ['/boards/brd_todo', { move_to_board_id: 'brd_done' }],
    ['/boards/brd_doing', undefined],
    ['/tickets/tkt_a', undefined],
    ['/documents/doc_guide', undefined],
  ])('DELETE %s succeeds once and then finds nothing', async (path, body) => {
    const mock = serve();
    await wire(mock).delete('/tickets/tkt_d');
    const answers = await Promise.all([1, 2, 3].map(() => wire(mock).delete(path, body)));
    expect(statuses(answers)).toEqual([204, 404, 404]);
    if (!path.startsWith('/projects')) await boardsOf(mock);
  });

  test.each(['/projects/prj_apollo', '/boards/brd_doing', '/tickets/tkt_a', '/documents/doc_guide'])(
    'PATCH %s without a body finds nothing once it is deleted',
    async (path) => {
      const mock = serve();
      await wire(mock).delete('/tickets/tkt_d');
      const [deleted, patched] = await Promise.all([wire(mock).delete(path), wire(mock).patch(path)]);
      expect([deleted.status, patched.status]).toEqual([204, 404]);
    },
  );

  test('a body that is still coming in is judged by the state when it is complete', async () => {
    const mock = serve();
    let finish: (text: string) => void = () => {};
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        };
      },
    });
    const slow = mock.fetch(`${origin}/api/v1/tickets/tkt_a`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer wt_acme' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect((await wire(mock).delete('/tickets/tkt_a')).status).toBe(204);
    finish('{"title":"Too late"}');
    const answer = await slow;
    expectRefusal(
      { status: answer.status, headers: answer.headers, body: await answer.json(), data: undefined },
      'not_found',
    );
  });
});
