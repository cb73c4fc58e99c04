import { expect, it } from 'vitest';
import type { Ticket } from 'worktrack';
import { BoardTickets } from '../../../addons/console/model/board-tickets.js';

const titled = (id: string) => ({ id, title: id, position: 0 }) as Ticket;

/** A board with tickets that a test can change, and a list of the pages that have been read. */
function boardOf(count: number) {
  const tickets = Array.from({ length: count }, (_, index) => titled(`tkt_${index}`));
  const read: number[] = [];
  const errors: unknown[] = [];
  const board = new BoardTickets(
    async (page) => {
      read.push(page);
      if (tickets.length === 0) throw new Error('no response');
      return { data: tickets.slice((page - 1) * 50, page * 50), total: tickets.length };
    },
    (load) => load().catch((error) => void errors.push(error)),
  );
  return { tickets, read, errors, board };
}

it('BoardTickets loads only the visible pages, and each page only once', async () => {
  const { read, board } = boardOf(10_000);
  await board.show(0, 20);
  await board.show(5, 25);
  await board.show(4_990, 5_010);
  expect(read).toEqual([1, 100, 101]);
  expect(board.list.value).toHaveLength(10_000);
  expect(board.list.value[5_010]?.id).toBe('tkt_5010');
  expect(board.list.value[60]).toBeUndefined();
});

it('BoardTickets reloads the visible page, reuses unchanged tickets, and discards the other pages', async () => {
  const { tickets, read, board } = boardOf(200);
  await board.show(0, 20);
  await board.show(60, 80);
  const kept = board.list.value[60];
  tickets[61] = titled('tkt_new');
  read.length = 0;
  await board.reload();
  expect(read).toEqual([2]);
  expect(board.list.value[60]).toBe(kept);
  expect(board.list.value[61]?.id).toBe('tkt_new');
  expect(board.list.value[0]).toBeUndefined();
});

it("BoardTickets doesn't request anything while the board is out of view, and updates the board once it's visible", async () => {
  const { tickets, read, board } = boardOf(3);
  await board.show(0, 20);
  board.hide();
  tickets.pop();
  await board.reload();
  expect(read).toEqual([1]);
  await board.show(0, 20);
  expect(board.list.value).toHaveLength(2);
});

it('BoardTickets shows an unconfirmed move until the caller releases it, even if a reload starts or ends in the meantime', async () => {
  const { board } = boardOf(3);
  await board.show(0, 20);
  board.resize(3);
  const started = board.reload();
  const release = board.hold();
  board.insert(0, titled('moved'));
  await started;
  await board.reload();
  expect(board.resize(3)).toBe(false);
  expect([board.list.value[0]?.id, board.total.value]).toEqual(['moved', 4]);
  await release();
  expect(board.list.value[0]?.id).toBe('tkt_0');
});

it("BoardTickets reports a page that can't be loaded, and tries again when the page is visible again", async () => {
  const { tickets, read, errors, board } = boardOf(100);
  await board.show(0, 20);
  const removed = tickets.splice(0);
  await board.show(60, 80);
  expect(errors).toEqual([new Error('no response')]);
  tickets.push(...removed);
  await board.show(60, 80);
  expect(read).toEqual([1, 2, 2]);
  expect(board.list.value[60]?.id).toBe('tkt_60');
});
