import type { BoardRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { moveTicket } from '../state/tickets.js';

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
