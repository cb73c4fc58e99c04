import { setTimeout as wait } from 'node:timers/promises';
import { Worktrack } from 'worktrack';
import { load, type OpenAIModule } from './peers/sdks.js';
import { ratioOf, takeTurns, type Work } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark } from './support/report.js';

const pages = 100;
const perPage = 100;
const milliseconds = 5;

/**
 * Compares ways to iterate over 10,000 items. Each request takes 5 ms, and processing a page takes another 5
 * ms.
 */
export const iterate: Benchmark = {
  title: 'Iterating over a list',
  about: `This benchmark measures how long it takes to iterate over 10,000 items, with 100 items per page. A \`fetch\` function in
the same process responds after 5 ms, and the loop spends 5 ms processing each page. \`openai\` lists files and
receives the same items.`,
  peers: ['openai'],
  run: async () => {
    const client = new Worktrack({
      baseUrl: 'http://127.0.0.1',
      token: 'wt_bench',
      responseValidation: 'off',
      fetch: respond,
    });
    const { running, notRun } = await start<Work>({
      [openai]: async () => {
        const { default: OpenAI } = await load<OpenAIModule>('openai');
        const client = new OpenAI({ baseURL: 'http://127.0.0.1', apiKey: 'sk_bench', fetch: respond });
        return () => consume(client.files.list({ limit: perPage }));
      },
    });
    const sides = {
      [ours]: () => consume(client.tickets.list('prj_1', { per_page: perPage }, { prefetch: true })),
      [loop]: () => consume(sequentially()),
      ...running,
    };
    const times = await takeTurns<string>(sides, { rounds: 7 });
    return [ours, openai].map((side) => {
      const row = { what: `time to iterate over 10,000 items with ${side}`, against: loop };
      if (notRun[side]) return { ...row, notRun: notRun[side] };
      return { ...row, figure: ratioOf(times, side, loop), ...(side === ours && { goal: { max: 0.62 } }) };
    });
  },
};

const ours = '`prefetch`';
const openai = '`openai`';
const loop = 'a sequential `fetch` loop';

async function consume(items: AsyncIterable<unknown>): Promise<void> {
  let seen = 0;
  for await (const _ of items) {
    seen += 1;
    if (seen % perPage === 0) await wait(milliseconds);
  }
  if (seen !== pages * perPage) throw new Error(`iterate: received ${seen} of ${pages * perPage} items`);
}

async function* sequentially() {
  for (let page = 1; page <= pages; page++) {
    const response = await respond(`http://127.0.0.1/api/v1/projects/prj_1/tickets?page=${page}`);
    yield* ((await response.json()) as ReturnType<typeof envelope>).data.data;
  }
}

/** Returns a page. Our client requests pages by number, while `openai` passes the ID of the last item. */
const respond = async (input: string | URL | Request) => {
  const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
  await wait(milliseconds);
  if (pathname !== '/files') return Response.json(envelope(Number(searchParams.get('page') ?? 1)));
  const page = Number(searchParams.get('after')?.split('_')[1] ?? 0) + 1;
  return Response.json({ data: items(page), has_more: page < pages });
};

const items = (page: number) =>
  Array.from({ length: perPage }, (_, index) => ({ id: `tkt_${page}_${index}` }));

const envelope = (page: number) => ({
  data: {
    data: items(page),
    current_page: page,
    per_page: perPage,
    last_page: pages,
    total: pages * perPage,
    from: (page - 1) * perPage + 1,
    to: page * perPage,
    next_page_url: page < pages ? 'http://127.0.0.1/next' : null,
  },
});
