import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createMockServer } from 'worktrack/mock-server';
import { figure, time } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { apollo, ticketId } from './support/world.js';

/** Compares the mock server's MSW handlers with a single trivial handler. */
export const msw: Benchmark = {
  title: 'MSW interception',
  about: `This benchmark measures the CPU time per \`fetch\` call that MSW intercepts.`,
  peers: ['msw'],
  run: async () => {
    const mock = createMockServer({ world: apollo(100) });
    const url = `${mock.clientOptions().baseUrl}/api/v1/tickets/${ticketId(1)}`;
    const headers = { authorization: 'Bearer wt_bench' };
    const request = async () => (await fetch(url, { headers })).text();
    const under = async (handlers: Parameters<typeof setupServer>) => {
      const server = setupServer(...handlers);
      server.listen({ onUnhandledFrame: 'error' });
      try {
        return await time(request, { repeat: 1000, clock: 'cpu' });
      } finally {
        server.close();
      }
    };
    const bytes = await (await mock.fetch(url, { headers })).json();
    const trivial = [http.get(url, () => HttpResponse.json(bytes))];
    const ratios: number[] = [];
    for (let round = -2; round < 9; round++) {
      const ours = await under([...mock.handlers]);
      const peer = await under(trivial);
      if (round >= 0) ratios.push(ours / peer);
    }
    return [
      {
        what: 'CPU time per intercepted call with `mock.handlers`',
        against: 'MSW with one trivial handler',
        figure: figure(ratios),
        goal: { max: 1.3 },
      },
    ];
  },
};
