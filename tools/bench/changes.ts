import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worktrack } from 'worktrack';
import { type Book, memoryBook, readChanges, sqliteBook } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { figure, heapUsed, ratio } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';
import { inTemporaryFolder } from './support/temporary-folder.js';
import { apollo, projectId } from './support/world.js';

/** Compares reading the change feed with reading the same tickets into an array. */
export const changes: Benchmark = {
  title: 'Change feed',
  about: `This benchmark measures \`readChanges\` when nothing has changed, relative to reading the same tickets. A \`fetch\`
function returns stored responses, so the server isn't measured. Memory is the growth of the heap, including the
book, measured after garbage collection.`,
  run: async () => {
    const rows: Row[] = [];
    for (const [size, rounds] of [
      [1000, 15],
      [10_000, 9],
      [100_000, 5],
    ] as const) {
      rows.push(...(await measure(size, rounds)));
    }
    return rows;
  },
};

async function measure(size: number, rounds: number): Promise<Row[]> {
  const { client, requests } = await storedResponses(size);
  const options = { client, project: projectId, include: ['ticket'] } as const;
  const read = async (book: Book) => {
    const { changes, records } = await readChanges({ ...options, book });
    if (changes.length > 0 || records !== size) throw new Error(`changes: read ${records} records`);
  };
  const list = () =>
    client.tickets.list(projectId, { per_page: 200 }).toArray({ limit: Number.POSITIVE_INFINITY });
  const count = async (work: () => Promise<unknown>) => {
    const before = requests();
    await work();
    return requests() - before;
  };

  const beforeBook = heapUsed();
  const book = memoryBook();
  await read(book);
  const bookMemory = heapUsed() - beforeBook;
  const sweepMemory = bookMemory + (await growth(() => read(book)));
  const beforeList = heapUsed();
  const tickets = await list();
  const listMemory = heapUsed() - beforeList;
  if (tickets.length !== size) throw new Error('changes: tickets are missing');

  const label = `${size.toLocaleString('en-US')} tickets`;
  const row = (what: string, ours: number, base: number): Row => ({
    ...{ what: `${what} (${label})`, against: baseline, figure: figure([ours / base]) },
  });
  const rows: Row[] = [
    row('requests per read', await count(() => read(book)), await count(list)),
    {
      ...{ what: `CPU time per read (${label})`, against: baseline },
      figure: await ratio(() => read(book), list, { rounds, collect: true }),
      goal: { max: 1.6 },
    },
    row('memory during a read', sweepMemory, listMemory),
  ];
  if (size < 100_000) return rows;
  const inMegabytes = (what: string, bytes: number): Row => ({
    ...{ what: `${what} (${label})`, against: '–', unit: 'MB', figure: figure([bytes / 1e6]) },
  });
  return [
    ...rows,
    inMegabytes('memory of a feed with `memoryBook()`', bookMemory),
    inMegabytes('size of the file of `sqliteBook()`', await fileSize(read)),
  ];
}

const baseline = '`tickets.list().toArray()`';

/** Creates a client whose `fetch` function replays each response of a mock server. */
async function storedResponses(tickets: number) {
  const mock = createMockServer({ world: apollo(tickets, 4) });
  const responses = new Map<string, string>();
  let requests = 0;
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      requests++;
      const stored = responses.get(url);
      if (stored !== undefined)
        return new Response(stored, { headers: { 'content-type': 'application/json' } });
      const response = await mock.fetch(input, init);
      responses.set(url, await response.clone().text());
      return response;
    },
  });
  await client.tickets.list(projectId, { per_page: 200 }).toArray({ limit: Number.POSITIVE_INFINITY });
  return { client, requests: () => requests };
}

/** Returns how much the heap grows while a function runs, before its memory is freed. */
async function growth(run: () => Promise<unknown>): Promise<number> {
  const before = heapUsed();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, heapUsed());
  }, 100);
  await run();
  clearInterval(timer);
  return Math.max(most, heapUsed()) - before;
}

function fileSize(read: (book: Book) => Promise<void>): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'feed.db');
    const book = sqliteBook(file);
    await read(book).finally(() => book.close());
    return statSync(file).size;
  });
}
