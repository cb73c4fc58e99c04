import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { figure, ratio, time, type Work } from './support/measure.js';
import type { Benchmark, Row } from './support/report.js';
import { apollo, boardId, projectId, ticketId } from './support/world.js';

const small = 1000;
const large = 100_000;

/** Compares how long the mock server's operations take with 100,000 tickets and with 1,000. */
export const scale: Benchmark = {
  title: 'Mock server performance with many tickets',
  about: `This benchmark measures the CPU time per request through \`mock.fetch\` on a mock server that contains 100,000
tickets and as many documents. The baseline is a mock server with 1,000 of each. For reorder requests, which contain
every ticket ID, the table compares the time per ID.`,
  run: async () => {
    // Run these benchmarks first, because they take up to twice as long with a larger heap.
    const firstRows = [await reordering(), ...(await searching())];
    const rows: Row[] = [];
    for (const boards of [1, 100]) {
      const layout = boards === 1 ? 'one board' : `${boards} boards`;
      const [onSmall, onLarge] = [small, large].map((size) => {
        const mock = createMockServer({ world: apollo(size, boards, size) });
        return operations(mock, size, boards);
      }) as [Record<string, Work>, Record<string, Work>];
      for (const name of Object.keys(onSmall)) {
        rows.push({
          what: `${name} (100,000 tickets on ${layout})`,
          against: 'the same request with 1,000 tickets',
          figure: await ratio(onLarge[name] as Work, onSmall[name] as Work, { repeat: 1000, rounds: 9 }),
          goal: { max: 1.5 },
        });
      }
    }
    return [...rows, ...firstRows];
  },
};

/** Measures how long searches take, in milliseconds. */
async function searching(): Promise<Row[]> {
  const rows: Row[] = [];
  const mock = createMockServer({ world: apollo(large) });
  for (const q of ['nothing like it', 'ticket 4711', 'restart logic', 'x']) {
    const search = () =>
      send(mock, 'GET', `/projects/${projectId}/tickets?per_page=1&q=${encodeURIComponent(q)}`);
    await search();
    rows.push({
      what: `CPU time to search 100,000 tickets for ${JSON.stringify(q)}`,
      against: '–',
      unit: 'ms',
      // Measure CPU time, because other load on the machine would distort the elapsed time of such a short
      // search.
      figure: figure(await times(search, 15)),
      goal: { max: 40 },
    });
  }
  return rows;
}

/**
 * Measures the time per ID, because a reorder request contains the ID of every ticket on the board. The
 * request bodies are created in advance, so only the server's work is measured.
 */
async function reordering(): Promise<Row> {
  const [onSmall, onLarge] = [small, large].map((size) => {
    const mock = createMockServer({ world: apollo(size), bodyLimit: 2 ** 22 });
    const [first, second, ...rest] = Array.from({ length: size }, (_, index) => ticketId(index));
    const bodies = [
      [second, first, ...rest],
      [first, second, ...rest],
    ].map((ticket_ids) => JSON.stringify({ board_id: boardId(0), ticket_ids }));
    let turn = 0;
    return () => send(mock, 'PUT', `/projects/${projectId}/tickets/reorder`, bodies[turn++ % 2]);
  }) as [Work, Work];
  const sameIdCount = async () => {
    for (let turn = 0; turn < large / small; turn++) await onSmall();
  };
  return {
    what: 'reorder tickets, time per ID (100,000 tickets on one board)',
    against: 'the same request with 1,000 tickets',
    figure: await ratio(onLarge, sameIdCount, { repeat: 3, rounds: 9 }),
    goal: { max: 1.5 },
  };
}

function operations(mock: MockServer, size: number, boards: number): Record<string, Work> {
  const tickets = `/projects/${projectId}/tickets`;
  const last = ticketId(size - 1);
  const lastBoard = boardId(boards - 1);
  const middle = Math.floor(size / 50 / 2);
  return {
    'get a ticket': () => send(mock, 'GET', `/tickets/${last}`),
    'list the first page of tickets': () => send(mock, 'GET', tickets),
    'list the middle page of tickets': () => send(mock, 'GET', `${tickets}?page=${middle}`),
    "list a board's tickets": () => send(mock, 'GET', `${tickets}?board_id=${lastBoard}&per_page=10`),
    'create a ticket': () =>
      send(mock, 'POST', tickets, JSON.stringify({ board_id: lastBoard, title: 'New' })),
    'move a ticket to the front': () =>
      send(mock, 'POST', `/tickets/${last}/move`, JSON.stringify({ board_id: lastBoard, position: 0 })),
    'filter documents by tag': () => send(mock, 'GET', `/organizations/org_acme/documents?tags=ops`),
  };
}

async function send(mock: MockServer, method: string, path: string, body?: string): Promise<string> {
  const response = await mock.fetch(`http://worktrack.test/api/v1${path}`, {
    method,
    headers: { authorization: 'Bearer wt_bench' },
    ...(body && { body }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.text();
}

async function times(work: Work, rounds: number): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await time(work, { repeat: 20, clock: 'cpu' }));
  return measured;
}
