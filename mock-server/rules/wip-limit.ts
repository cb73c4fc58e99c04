import { inQuotes } from '../../src/shared/quote.js';
import type { BoardRow, TicketRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { ticketCount } from '../state/tickets.js';
import { invalidField } from './rejected-request.js';

/**
 * Checks that a board has room for more tickets, whether they're new, moved, or from a deleted board (rule
 * W-2). Callers skip the check for moves within a board.
 *
 * @param arriving the number of additional tickets that count toward WIP limits
 * @param field the request field that specifies the board, for the error message
 * @throws RejectedRequest `wip_limit_reached` (422) if the tickets would exceed the board's WIP limit
 */
export function checkWipLimit(state: State, board: BoardRow, arriving: number, field: string): void {
  // If no tickets are added, as when the deleted board was empty, the board may already exceed its limit.
  if (board.wip_limit === null || arriving === 0) return;
  const count = countedTickets(state, board);
  if (count + arriving <= board.wip_limit) return;
  throw invalidField(
    'wip_limit_reached',
    field,
    `would exceed the WIP limit of board ${inQuotes(board.name)}: it has ${describeTickets(count)} and a limit of ` +
      `${board.wip_limit}, and this would add ${arriving}`,
  );
}

/** Counts a board's tickets that count toward WIP limits. */
export function countedTickets(state: State, board: BoardRow): number {
  if (!state.settings.ignoresArchivedInLimits) return ticketCount(state, board.id);
  const slots = state.ticketOrder.slice(state.boards.slotOf(board.id));
  return slots.filter((slot) => isCounted(state, state.tickets.at(slot))).length;
}

/** Returns whether a ticket counts toward WIP limits. In some deployments, archived ones don't. */
export const isCounted = (state: State, ticket: TicketRow): boolean =>
  !(state.settings.ignoresArchivedInLimits && ticket.archived_at);

export const describeTickets = (count: number): string => (count === 1 ? '1 ticket' : `${count} tickets`);
