import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, boardId, projectId, ticketId } from './support/world.js';

/** One operation through `mock.fetch`, against a plain function from a Request to a Response of the same bytes. */
export const mockFetch: Benchmark = {
  title: 'An operation of the reference server',
  about: `CPU time through \`mock.fetch\`, with 1,000 tickets on four boards; 2,000 calls a side in each round.`,
  run: async () => {
    const mock = createMockServer({ world: apollo(1000, 4) });
    const base = `${mock.clientOptions().baseUrl}/api/v1`;
    const headers = { authorization: 'Bearer wt_bench', 'content-type': 'application/json' };
    const post = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
    let turn = 0;
    const requests: Record<string, { most?: number; request: () => Request }> = {
      get: { most: 2.5, request: () => new Request(`${base}/tickets/${ticketId(7)}`, { headers }) },
      'list 50': { request: () => new Request(`${base}/projects/${projectId}/tickets`, { headers }) },
      create: {
        request: () =>
          new Request(`${base}/projects/${projectId}/tickets`, post({ board_id: boardId(3), title: 'New' })),
      },
      move: {
        most: 2.5,
        request: () =>
          new Request(
            `${base}/tickets/${ticketId(7)}/move`,
            post({ board_id: boardId(turn++ % 2), position: 0 }),
          ),
      },
    };
    const rows = [];
    for (const [name, { request, most }] of Object.entries(requests)) {
      const sample = await mock.fetch(request());
      const bytes = await sample.text();
      const { status } = sample;
      const plain = async (incoming: Request) => {
        if (incoming.body) JSON.parse(await incoming.text());
        return new Response(bytes, { status, headers: { 'content-type': 'application/json' } });
      };
      rows.push({
        what: `${name} through \`mock.fetch\``,
        against: 'a plain function that answers the same bytes',
        figure: await ratio(
          async () => (await mock.fetch(request())).text(),
          async () => (await plain(request())).text(),
          { repeat: 2000, rounds: 9 },
        ),
        ...(most && { reach: { most } }),
      });
    }
    return rows;
  },
};
