import { describe, expect, test } from 'vitest';
import { checkEach } from '../support/check-each.js';
import { boardsOf, expectError, ticketsOn } from './expectations.js';
import { origin, rawApi } from './requests.js';
import { serve } from './world.js';

const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

describe('concurrent requests', () => {
  test("W-2, C-28 concurrent tickets.create requests don't exceed a WIP limit", async () => {
    const mock = serve();
    const create = () =>
      rawApi(mock).post('/projects/prj_apollo/tickets', { board_id: 'brd_doing', title: 'Me first' });
    expect(statuses(await Promise.all(Array.from({ length: 8 }, create)))).toEqual([
      201,
      ...Array(7).fill(422),
    ]);
    expect(await ticketsOn(mock, 'brd_doing')).toHaveLength(2);
  });

  test("W-2, C-28 concurrent tickets.move requests don't exceed a WIP limit", async () => {
    const mock = serve();
    const responses = await Promise.all(
      ['tkt_a', 'tkt_b', 'tkt_c', 'tkt_e'].map((id) =>
        rawApi(mock).post(`/tickets/${id}/move`, { board_id: 'brd_doing' }),
      ),
    );
    expect(statuses(responses)).toEqual([200, 422, 422, 422]);
    expect(await ticketsOn(mock, 'brd_doing')).toHaveLength(2);
  });

  test('G-8, C-28 only one of several concurrent deletions succeeds, and the others return 404', async () => {
    await checkEach(
      [
        ['/projects/prj_apollo', undefined],
        ['/boards/brd_todo', { move_to_board_id: 'brd_done' }],
        ['/boards/brd_doing', undefined],
        ['/tickets/tkt_a', undefined],
        ['/documents/doc_guide', undefined],
      ],
      async ([path, body]) => {
        const mock = serve();
        await rawApi(mock).delete('/tickets/tkt_d');
        const responses = await Promise.all([1, 2, 3].map(() => rawApi(mock).delete(path, body)));
        expect(statuses(responses)).toEqual([204, 404, 404]);
        if (!path.startsWith('/projects')) await boardsOf(mock);
      },
    );
  });

  test('C-28 an update that arrives after a concurrent deletion returns 404', async () => {
    await checkEach(
      ['/projects/prj_apollo', '/boards/brd_doing', '/tickets/tkt_a', '/documents/doc_guide'],
      async (path) => {
        const mock = serve();
        await rawApi(mock).delete('/tickets/tkt_d');
        const [deleted, patched] = await Promise.all([rawApi(mock).delete(path), rawApi(mock).patch(path)]);
        expect([deleted.status, patched.status]).toEqual([204, 404]);
      },
    );
  });

  test("C-28 a request isn't processed until its entire body has arrived", async () => {
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
    expect((await rawApi(mock).delete('/tickets/tkt_a')).status).toBe(204);
    finish('{"title":"Too late"}');
    const response = await slow;
    expectError(
      { status: response.status, headers: response.headers, body: await response.json(), data: undefined },
      'not_found',
    );
  });
});
