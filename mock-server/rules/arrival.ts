import type { BoardRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { moveTicket, ticketCount } from '../state/tickets.js';
import { refuseField } from './refusal.js';

/** Puts a ticket on another board, with what follows for `started_at` and `completed_at`. */
export function arrive(state: State, ticket: TicketRow, board: BoardRow, index: number): TicketRow {
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

/** @throws Refusal where the tickets that arrive would exceed the board's WIP limit */
export function refuseFull(state: State, board: BoardRow, arriving: number, field: string): void {
  if (board.wip_limit === null || arriving === 0) return;
  const count = ticketCount(state, board.id);
  if (count + arriving <= board.wip_limit) return;
  throw refuseField(
    'wip_limit_reached',
    field,
    `names board ${JSON.stringify(board.name)}, whose WIP limit of ${board.wip_limit} would be exceeded: ` +
      `${count} on it, ${arriving} to arrive`,
  );
}
