import type { ProjectRow, TagRow, TicketRow } from './rows.js';
import type { State } from './state.js';

// These functions keep the ticket table and its indexes consistent. They expect validated rows.

/** Adds a ticket to the end of its board, and updates the project's last number and tag counts. */
export function addTicket(state: State, ticket: TicketRow): void {
  const project = state.projects.get(ticket.project_id) as ProjectRow;
  if (ticket.number > project.lastNumber) {
    state.projects.put(project.id, { ...project, lastNumber: ticket.number });
  }
  state.tickets.put(ticket.id, ticket);
  const slot = state.tickets.slotOf(ticket.id);
  state.ticketOrder.append(state.boards.slotOf(ticket.board_id), slot);
  indexDue(state, ticket, slot);
  countTags(state, ticket, 1);
}

/** Replaces a ticket without moving it. */
export function replaceTicket(state: State, ticket: TicketRow): void {
  const slot = state.tickets.slotOf(ticket.id);
  const before = state.tickets.at(slot);
  const isRescheduled = before.due_at !== ticket.due_at;
  // The index finds a ticket by the due date in its row, so remove it before replacing the row.
  if (isRescheduled && before.due_at !== null) state.dueTickets.remove(before.board_id, slot);
  state.tickets.put(ticket.id, ticket);
  if (isRescheduled) indexDue(state, ticket, slot);
}

/** Moves a ticket to an index on its new board, or to the end if the board has fewer tickets. */
export function moveTicket(state: State, ticket: TicketRow, index: number): void {
  const slot = state.tickets.slotOf(ticket.id);
  const before = state.tickets.at(slot);
  detach(state, before, slot);
  state.tickets.put(ticket.id, ticket);
  state.ticketOrder.insert(state.boards.slotOf(ticket.board_id), index, slot);
  indexDue(state, ticket, slot);
}

/** Removes a deleted ticket from its board but keeps its row. */
export function removeTicket(state: State, ticket: TicketRow): void {
  const slot = state.tickets.slotOf(ticket.id);
  detach(state, state.tickets.at(slot), slot);
  state.tickets.put(ticket.id, ticket);
  countTags(state, ticket, -1);
}

/** Returns a live ticket's index on its board. */
export const positionOf = (state: State, { id, board_id }: TicketRow): number =>
  state.ticketOrder.indexOf(state.boards.slotOf(board_id), state.tickets.slotOf(id));

export const ticketCount = (state: State, boardId: string): number =>
  state.ticketOrder.length(state.boards.slotOf(boardId));

/** Returns the key of a project's tag in `state.ticketTags`. */
export const ticketTagKey = (projectId: string, name: string): string => `${projectId}\n${name}`;

function detach(state: State, ticket: TicketRow, slot: number): void {
  const board = state.boards.slotOf(ticket.board_id);
  state.ticketOrder.remove(board, state.ticketOrder.indexOf(board, slot));
  if (ticket.due_at !== null) state.dueTickets.remove(ticket.board_id, slot);
}

function indexDue(state: State, ticket: TicketRow, slot: number): void {
  if (ticket.due_at !== null) state.dueTickets.add(ticket.board_id, slot);
}

function countTags(state: State, ticket: TicketRow, by: number): void {
  for (const { name } of ticket.tags) {
    const key = ticketTagKey(ticket.project_id, name);
    const { tag, count } = state.ticketTags.get(key) as TagRow;
    state.ticketTags.put(key, { tag, count: count + by });
  }
}
