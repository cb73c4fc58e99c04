import ky from 'ky';
import { Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { startPlainServer } from './support/server.js';

/** CPU time of one GET and one POST over loopback HTTP, the client's validation on, by both its transports. */
export const clientCpu: Benchmark = async () => {
  const { url, stop } = await startPlainServer();
  try {
    const client = new Worktrack({ baseUrl: url, token: 'wt_bench', organization: 'org_1' });
    const pooled = new Worktrack({
      baseUrl: url,
      token: 'wt_bench',
      organization: 'org_1',
      transport: nodeTransport(),
    });
    const headers = { authorization: 'Bearer wt_bench', accept: 'application/json' };
    const body = { board_id: 'brd_1', title: 'Launch' };
    const get = `${url}/api/v1/tickets/tkt_1`;
    const post = `${url}/api/v1/projects/prj_1/tickets`;
    const sides = {
      GET: {
        ours: (client: Worktrack) => client.tickets.get('tkt_1'),
        fetch: async () => (await fetch(get, { headers })).json(),
        ky: () => ky(get, { headers }).json(),
        most: { fetch: 1.35, ky: 1, pooled: 0.75 },
      },
      POST: {
        ours: (client: Worktrack) => client.tickets.create('prj_1', { board_id: 'brd_1', title: 'Launch' }),
        fetch: async () =>
          (
            await fetch(post, {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            })
          ).json(),
        ky: () => ky.post(post, { headers, json: body }).json(),
        most: { fetch: 1.5, ky: 1, pooled: 0.6 },
      },
    };
    const rows = [];
    for (const [method, { ours, most, ...peers }] of Object.entries(sides)) {
      for (const peer of ['fetch', 'ky'] as const) {
        rows.push({
          what: `CPU time of one ${method} through the client`,
          against: peer === 'fetch' ? '`fetch` + `json()`' : 'bare `ky`',
          figure: await ratio(() => ours(client), peers[peer], { repeat: 300 }),
          reach: { most: most[peer] },
        });
      }
      rows.push({
        what: `CPU time of one ${method} through the client with \`nodeTransport()\``,
        against: '`fetch` + `json()`',
        figure: await ratio(() => ours(pooled), peers.fetch, { repeat: 300 }),
        reach: { most: most.pooled },
      });
    }
    return rows;
  } finally {
    stop();
  }
};
