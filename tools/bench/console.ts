import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type ListeningServer, listen } from 'worktrack/mock-server/node';
import { launchChromium } from '../support/chromium.js';
import type { Benchmark, Row } from './support/report.js';
import { apollo, boardId, ticketId } from './support/world.js';

const boards = 5;
/** How long to measure each rate of moves, in milliseconds. */
const duration = 4000;
/** How long to wait between batches of moves, in milliseconds. */
const interval = 20;

/** Measures how smoothly the console's boards update as a mock server receives requests. */
export const consoleBoards: Benchmark = {
  title: 'Web console',
  about: `This benchmark opens the console's five boards in headless Chromium without a GPU. For ${duration / 1000} seconds,
a program on the same machine moves random tickets. The table shows how smoothly the console draws the boards and
how many requests it sends.`,
  run: async () => {
    const browser = await launchChromium();
    const rows: Row[] = [];
    try {
      for (const tickets of [100, 1000, 10_000]) {
        const server = await listen({ world: apollo(tickets, boards), now: 'real' });
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
        await page.goto(`${server.url}/__admin/#/boards`);
        await page.waitForSelector('.card', { timeout: 60_000 });
        const size = `${tickets.toLocaleString('en-US')} tickets`;
        rows.push(row(`requests sent after one move (${size})`, await requestsAfterOneMove(page, server)));
        for (const rate of [50, 1000]) {
          const { framesPerSecond, longestGap, requestsPerSecond } = await measure(
            page,
            server,
            tickets,
            rate,
          );
          const load = `${rate.toLocaleString('en-US')} moves per second`;
          rows.push(row(`frames per second at ${load} (${size})`, framesPerSecond));
          rows.push(row(`longest time without a frame at ${load} (${size})`, longestGap, 'ms'));
          rows.push(row(`requests sent per second at ${load} (${size})`, requestsPerSecond));
        }
        await page.close();
        await server.close();
      }
    } finally {
      await browser.close();
    }
    return rows;
  },
};

const row = (what: string, value: number, unit = ''): Row => ({
  what,
  against: '–',
  figure: { median: value, low: value, high: value },
  unit,
});

async function requestsAfterOneMove(page: Page, server: ListeningServer): Promise<number> {
  await delay(1000);
  const sent = countRequests(page);
  await move(server, ticketId(0), boardId(1));
  await delay(1500);
  return sent();
}

async function measure(page: Page, server: ListeningServer, tickets: number, rate: number) {
  const sent = countRequests(page);
  const frames = page.evaluate(countFrames, duration);
  const end = performance.now() + duration;
  let moves = 0;
  const start = performance.now();
  while (performance.now() < end) {
    for (; moves < ((performance.now() - start) * rate) / 1000; moves++) {
      await move(server, ticketId(random(tickets)), boardId(random(boards)));
    }
    await delay(interval);
  }
  const { count, longestGap } = await frames;
  const seconds = duration / 1000;
  return { framesPerSecond: count / seconds, longestGap, requestsPerSecond: sent() / seconds };
}

const move = ({ mock }: ListeningServer, ticket: string, board: string) =>
  mock.fetch(`${mock.clientOptions().baseUrl}/api/v1/tickets/${ticket}/move`, {
    method: 'POST',
    headers: { authorization: 'Bearer wt_bench', 'content-type': 'application/json' },
    body: JSON.stringify({ board_id: board, position: 0 }),
  });

/** Starts counting a page's requests. Returns a function that stops counting and returns the count. */
function countRequests(page: Page): () => number {
  let count = 0;
  const onRequest = () => {
    count++;
  };
  page.on('request', onRequest);
  return () => {
    page.off('request', onRequest);
    return count;
  };
}

let seed = 1;

/** Returns the same sequence of integers below `limit` on every run. */
function random(limit: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % limit;
}

/** Counts the frames that the page renders in the given time. Runs in the page. */
async function countFrames(milliseconds: number): Promise<{ count: number; longestGap: number }> {
  const start = performance.now();
  let last = start;
  let count = 0;
  let longestGap = 0;
  while (last - start < milliseconds) {
    const now: number = await new Promise((resolve) =>
      requestAnimationFrame(() => resolve(performance.now())),
    );
    longestGap = Math.max(longestGap, now - last);
    last = now;
    count++;
  }
  return { count, longestGap };
}
