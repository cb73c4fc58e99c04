import { defaultWire, type PageWire } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, boardId, projectId, ticketId } from './support/world.js';

/** Compares `mock.fetch` with a function that returns a `Response` with the same bytes. */
export const mockFetch: Benchmark = {
  title: 'CPU time per mock server request',
  about: `This benchmark measures the CPU time per request through \`mock.fetch\`. The mock server has 1,000 tickets on four
boards. Each round consists of 2,000 requests.`,
  run: async () => {
    const mock = createMockServer({ world: apollo(1000, 4) });
    const base = `${mock.clientOptions().baseUrl}/api/v1`;
    const headers = { authorization: 'Bearer wt_bench', 'content-type': 'application/json' };
    const post = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
    let turn = 0;
    const requests: Record<string, { max?: number; request: () => Request }> = {
      'get a ticket': { max: 2.5, request: () => new Request(`${base}/tickets/${ticketId(7)}`, { headers }) },
      'list 50 tickets': { request: () => new Request(`${base}/projects/${projectId}/tickets`, { headers }) },
      'create a ticket': {
        request: () =>
          new Request(`${base}/projects/${projectId}/tickets`, post({ board_id: boardId(3), title: 'New' })),
      },
      'move a ticket': {
        max: 2.5,
        request: () =>
          new Request(
            `${base}/tickets/${ticketId(7)}/move`,
            post({ board_id: boardId(turn++ % 2), position: 0 }),
          ),
      },
    };
    const rows = [];
    for (const [name, { request, max }] of Object.entries(requests)) {
      const sample = await mock.fetch(request());
      const bytes = await sample.text();
      const { status } = sample;
      const plain = async (incoming: Request) => {
        if (incoming.body) JSON.parse(await incoming.text());
        return new Response(bytes, { status, headers: { 'content-type': 'application/json' } });
      };
      rows.push({
        what: `${name} with \`mock.fetch\``,
        against: 'a function that returns the same bytes',
        figure: await ratio(
          async () => (await mock.fetch(request())).text(),
          async () => (await plain(request())).text(),
          { repeat: 2000, rounds: 9 },
        ),
        ...(max && { goal: { max } }),
      });
    }
    rows.push(await byteCache());
    return rows;
  },
};

/** Compares serving pages from the cache of serialized records with serializing them for each request. */
async function byteCache() {
  const { page } = defaultWire;
  // The server caches serialized records only for its own page encoder, so a wrapper turns the cache off.
  const sameFormat: PageWire = { ...page, encode: (...content) => page.encode(...content) };
  const readerOf = (wire: { page?: PageWire }) => {
    const mock = createMockServer({ world: apollo(1000, 4), wire });
    const url = `${mock.clientOptions().baseUrl}/api/v1/projects/${projectId}/tickets?per_page=200`;
    const headers = { authorization: 'Bearer wt_bench' };
    return async () => (await mock.fetch(url, { headers })).arrayBuffer();
  };
  return {
    what: 'list 200 tickets again with the cache of serialized records',
    against: 'the same server without the cache',
    figure: await ratio(readerOf({}), readerOf({ page: sameFormat }), { repeat: 2000, rounds: 9 }),
    goal: { max: 0.67 },
  };
}
