import { inQuotes } from '../../src/shared/quote.js';
import type { BoardRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { moveTicket, ticketCount } from '../state/tickets.js';
import { invalidField } from './error-response.js';

/**
 * Moves a ticket to another board and updates `started_at` and `completed_at` accordingly. Doesn't check the
 * board's WIP limit.
 */
export function moveToBoard(state: State, ticket: TicketRow, board: BoardRow, index: number): TicketRow {
  const now = state.clock.iso();
  const row: TicketRow = {
    ...ticket,
    board_id: board.id,
    started_at: ticket.started_at ?? (board.is_done ? null : now),
    completed_at: board.is_done ? now : null,
    updated_at: now,
  };
  moveTicket(state, row, index);
  return row;
}

/**
 * Checks that a board has room for more tickets: new tickets, moved tickets, or tickets from a deleted board
 * (rule W-2). Callers skip the check for moves within a board.
 *
 * @param field the request field that specifies the board, for the error message
 * @throws ErrorResponse `wip_limit_reached` (422) if the tickets would exceed the board's WIP limit
 */
export function checkWipLimit(state: State, board: BoardRow, arriving: number, field: string): void {
  // If nothing arrives, the board may already be over its limit. For example, the deleted board had no
  // tickets.
  if (board.wip_limit === null || arriving === 0) return;
  const count = countTowardLimit(state, board);
  if (count + arriving <= board.wip_limit) return;
  throw invalidField(
    'wip_limit_reached',
    field,
    `would exceed the WIP limit of board ${inQuotes(board.name)}: it has ${tickets(count)} and a limit of ` +
      `${board.wip_limit}, and this would add ${arriving}`,
  );
}

/** Counts a board's tickets. Some deployments don't count archived ones. */
function countTowardLimit(state: State, board: BoardRow): number {
  if (!state.settings.get().ignoresArchivedInLimits) return ticketCount(state, board.id);
  const slots = state.ticketOrder.slice(state.boards.slotOf(board.id));
  return slots.filter((slot) => state.tickets.at(slot).archived_at === null).length;
}

const tickets = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`);
