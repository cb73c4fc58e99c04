import { setTimeout as wait } from 'node:timers/promises';
import { Worktrack } from 'worktrack';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';

const pages = 20;
const perPage = 100;
const milliseconds = 5;

/** Iterating 2,000 items, 100 a page, 5 ms a request, by a consumer that takes 5 ms a page. */
export const iterate: Benchmark = async () => {
  const fetch = async (input: string | URL | Request) => {
    const url = input instanceof Request ? input.url : String(input);
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    await wait(milliseconds);
    return Response.json(envelope(page));
  };
  const client = new Worktrack({
    baseUrl: 'http://127.0.0.1',
    token: 'wt_bench',
    responseValidation: 'off',
    fetch: fetch as typeof globalThis.fetch,
  });
  const ours = async () => {
    let seen = 0;
    for await (const _ of client.tickets.list('prj_1', { per_page: perPage }, { prefetch: true })) {
      seen += 1;
      if (seen % perPage === 0) await wait(milliseconds);
    }
    if (seen !== pages * perPage) throw new Error(`saw ${seen} items`);
  };
  const loop = async () => {
    for (let page = 1; page <= pages; page++) {
      await (await fetch(`http://127.0.0.1/api/v1/projects/prj_1/tickets?page=${page}`)).json();
      await wait(milliseconds);
    }
  };
  return [
    {
      what: 'iterating a list with prefetch, 5 ms a request, a consumer that takes 5 ms a page',
      against: 'a sequential `fetch` loop',
      figure: await ratio(ours, loop, { repeat: 1, rounds: 9, clock: 'wall' }),
      reach: { most: 0.62 },
    },
  ];
};

const envelope = (page: number) => ({
  data: {
    data: Array.from({ length: perPage }, (_, index) => ({ id: `tkt_${page}_${index}` })),
    current_page: page,
    per_page: perPage,
    last_page: pages,
    total: pages * perPage,
    from: (page - 1) * perPage + 1,
    to: page * perPage,
    next_page_url: page < pages ? 'http://127.0.0.1/next' : null,
  },
});
