import type { Worktrack } from '../../../src/client.js';
import type { Board, Ticket } from '../../../src/contract/index.js';
import { unlessMissing } from '../../../src/errors/expected-errors.js';
import { batchesOf } from '../../shared/lists.js';
import { isComplete } from '../changes/records.js';

/** A ticket's position, and its number in the spool. */
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
 * Reads a project's tickets and boards, even if they change during the read. In the result, each ticket is on
 * a listed board, and no board exceeds its WIP limit unless it does on the server.
 *
 * The tickets are read first, so that the labels, members, and boards read later include those of new
 * tickets. A ticket that moved after it was read can seem to be on a deleted or full board, so it's read
 * again.
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
  const checked = new Set<string>();
  const rereads = new Map<string, number>();
  for (;;) {
    const boards = await client.boards.list(projectId, { signal });
    const doubtful = await findMisplaced(source, boards, tickets, checked);
    const fresh = doubtful.filter(({ id }) => (rereads.get(id) ?? 0) < maxRereads);
    if (fresh.length === 0) return { boards: [...boards, ...unlisted(boards, tickets)], tickets };
    for (const batch of batchesOf(fresh, concurrency)) {
      const current = await getAll(source, batch);
      for (const { id } of batch) {
        rereads.set(id, (rereads.get(id) ?? 0) + 1);
        tickets.delete(id);
      }
      for (const ticket of current) await put(ticket);
    }
  }
}

/** The maximum number of times to read a ticket again if its board is unknown. */
const maxRereads = 5;

/**
 * Returns the tickets on unknown boards. If a board seems to exceed its WIP limit, also returns the tickets
 * that have left it.
 *
 * @param checked the IDs of the full boards that have been checked
 */
async function findMisplaced(
  { client, projectId, signal }: TicketSource,
  boards: readonly Board[],
  tickets: BoardsAndTickets['tickets'],
  checked: Set<string>,
): Promise<PlacedTicket[]> {
  const onBoards = new Map<string, PlacedTicket[]>(boards.map(({ id }) => [id, []]));
  const misplaced: PlacedTicket[] = [];
  for (const ticket of tickets.values()) (onBoards.get(ticket.boardId) ?? misplaced).push(ticket);
  for (const { id, wip_limit } of boards) {
    const onBoard = onBoards.get(id) as PlacedTicket[];
    if (onBoard.length <= (wip_limit ?? Infinity) || checked.has(id)) continue;
    checked.add(id);
    const list = client.tickets.list(projectId, { board_id: id }, { signal });
    const current = new Set((await list.toArray({ complete: true })).map((ticket) => ticket.id));
    misplaced.push(...onBoard.filter((ticket) => !current.has(ticket.id)));
  }
  return misplaced;
}

/** Returns a hidden board for each board that has tickets but isn't listed by the deployment. */
function unlisted(boards: readonly Board[], tickets: BoardsAndTickets['tickets']): Board[] {
  const known = new Set(boards.map(({ id }) => id));
  const ids = new Set([...tickets.values()].map(({ boardId }) => boardId));
  return [...ids]
    .filter((id) => !known.has(id))
    .sort()
    .map((id) => ({ id, name: 'Unlisted board', is_hidden: true }) as Board);
}

/** Returns a function that gets each ticket individually if the server omits fields from list items. */
function detailReader(source: TicketSource) {
  let areNeeded = true;
  return async (listed: readonly Ticket[]): Promise<readonly Ticket[]> => {
    const first = listed.find((ticket) => !isComplete('ticket', ticket));
    if (!areNeeded || !first) return listed;
    const [details] = await getAll(source, [first]);
    // If the server never sends the missing fields, requesting each ticket is pointless.
    if (details && Object.keys(details).length <= Object.keys(first).length) areNeeded = false;
    if (!areNeeded) return listed;
    const found: Ticket[] = [];
    for (const batch of batchesOf(listed, concurrency)) found.push(...(await getAll(source, batch)));
    return found;
  };
}

/** Gets tickets by ID. Omits deleted tickets. */
async function getAll(
  { client, signal }: TicketSource,
  tickets: readonly { id: string }[],
): Promise<Ticket[]> {
  const found = await Promise.all(tickets.map(({ id }) => unlessMissing(client.tickets.get(id, { signal }))));
  return found.filter((ticket) => ticket !== undefined);
}

/** The maximum number of records to request at the same time. */
export const concurrency = 8;
