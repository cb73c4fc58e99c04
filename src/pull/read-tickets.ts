import { isComplete } from '../changes/records.js';
import type { Worktrack } from '../client.js';
import type { Board, Ticket } from '../contract/index.js';
import { NotFoundError } from '../errors/index.js';

/** Where a ticket is, and the number of its text in the spool. */
export interface PlacedTicket {
  id: string;
  boardId: string;
  position: number;
  number: number;
  spooled: number;
}

export interface TicketSource {
  client: Worktrack;
  projectId: string;
  signal: AbortSignal | undefined;
  /** Stores a ticket's content. @returns its number in the spool */
  store(ticket: Ticket): Promise<number>;
}

/** A project's boards, and its tickets in any order. */
export interface BoardsAndTickets {
  boards: Board[];
  tickets: ReadonlyMap<string, PlacedTicket>;
}

/**
 * Reads a project's tickets and boards while people change them. Each ticket is on one of the boards, and no board
 * has more tickets than its WIP limit allows unless it really does.
 *
 * The tickets are read first, so labels, members, and boards that are read later include those of new tickets. A
 * ticket that was read before it moved can seem to be on a deleted or full board, so it's read again.
 */
export async function readBoardsAndTickets(source: TicketSource): Promise<BoardsAndTickets> {
  const { client, projectId, signal } = source;
  const tickets = new Map<string, PlacedTicket>();
  const put = async (ticket: Ticket) => {
    const { id, board_id: boardId, position, number } = ticket;
    tickets.set(id, { id, boardId, position, number, spooled: await source.store(ticket) });
  };
  const withDetails = detailReader(source);
  const list = client.tickets.list(projectId, { per_page: 200 }, { signal });
  for await (const { data } of list.pages({ complete: true })) {
    for (const ticket of await withDetails(data)) await put(ticket);
  }
  const rereads = new Map<string, number>();
  for (;;) {
    const boards = await client.boards.list(projectId, { signal });
    const doubtful = misplaced(boards, tickets).filter(({ id }) => (rereads.get(id) ?? 0) < maxRereads);
    if (doubtful.length === 0) return { boards: [...boards, ...unlisted(boards, tickets)], tickets };
    for (const batch of batchesOf(doubtful)) {
      const current = await Promise.all(
        batch.map(({ id }) => unlessMissing(client.tickets.get(id, { signal }))),
      );
      for (const [index, { id, boardId }] of batch.entries()) {
        const ticket = current[index];
        tickets.delete(id);
        if (!ticket) continue;
        await put(ticket);
        rereads.set(id, ticket.board_id === boardId ? maxRereads : (rereads.get(id) ?? 0) + 1);
      }
    }
  }
}

/** How often a ticket that keeps moving is read again. */
const maxRereads = 5;

/** Returns the tickets on unknown boards, and those on boards that have more tickets than their WIP limit. */
function misplaced(boards: readonly Board[], tickets: BoardsAndTickets['tickets']): PlacedTicket[] {
  const counts = new Map<string, number>();
  for (const { boardId } of tickets.values()) counts.set(boardId, (counts.get(boardId) ?? 0) + 1);
  const fine = boards.filter(({ id, wip_limit }) => (counts.get(id) ?? 0) <= (wip_limit ?? Infinity));
  const ids = new Set(fine.map(({ id }) => id));
  return [...tickets.values()].filter(({ boardId }) => !ids.has(boardId));
}

/** Returns hidden boards for tickets whose boards the deployment doesn't list. */
function unlisted(boards: readonly Board[], tickets: BoardsAndTickets['tickets']): Board[] {
  const known = new Set(boards.map(({ id }) => id));
  const ids = new Set([...tickets.values()].map(({ boardId }) => boardId));
  return [...ids]
    .filter((id) => !known.has(id))
    .sort()
    .map((id) => ({ id, name: 'Unlisted board', is_hidden: true }) as Board);
}

/** Some servers leave fields out of list items. Returns a function that then gets each ticket. */
function detailReader({ client, signal }: TicketSource) {
  let areNeeded = true;
  return async (listed: readonly Ticket[]): Promise<readonly Ticket[]> => {
    const first = listed.find((ticket) => !isComplete('ticket', ticket));
    if (!areNeeded || !first) return listed;
    const details = await unlessMissing(client.tickets.get(first.id, { signal }));
    // The server may not have the missing fields at all.
    if (details && Object.keys(details).length <= Object.keys(first).length) areNeeded = false;
    if (!areNeeded) return listed;
    const found: Ticket[] = [];
    for (const batch of batchesOf(listed)) {
      const tickets = await Promise.all(
        batch.map(({ id }) => unlessMissing(client.tickets.get(id, { signal }))),
      );
      found.push(...tickets.filter((ticket) => ticket !== undefined));
    }
    return found;
  };
}

function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += concurrency)
    yield items.slice(start, start + concurrency);
}

const concurrency = 8;

async function unlessMissing<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
