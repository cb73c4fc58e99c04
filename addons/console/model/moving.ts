import { computed, shallowRef } from 'vue';
import type { Board, Ticket } from 'worktrack';
import type { Workspace } from './workspace.js';

/** The ticket the user is moving and its current drop position. */
export interface Moving {
  ticket: Ticket;
  boardId: string;
  /** The index among that board's listed tickets, not counting the ticket being moved. */
  index: number;
  by: 'pointer' | 'keyboard';
}

/** Lets users pick up, move, and drop a ticket with a pointer or the keyboard. */
export function useMoving(workspace: Workspace) {
  const moving = shallowRef<Moving>();
  const boards = workspace.boards;
  /** Returns a board's listed tickets, excluding the one that's being moved. */
  const others = (boardId: string, ticket: Ticket) =>
    workspace.ticketsOn(boardId).list.value.filter((other) => other?.id !== ticket.id);
  const announce = (text: string) => {
    workspace.announcement.value = text;
  };
  const place = (at: Moving) => {
    const board = boards.value.find(({ id }) => id === at.boardId);
    return `${board?.name}, position ${at.index + 1} of ${others(at.boardId, at.ticket).length + 1}`;
  };

  function pickUp(ticket: Ticket, by: Moving['by']): void {
    const index = Math.max(0, workspace.ticketsOn(ticket.board_id).indexOf(ticket.id));
    moving.value = { ticket, boardId: ticket.board_id, index, by };
    if (by === 'keyboard')
      announce(
        `Picked up ${ticket.title}. Use the arrow keys to choose a position, Space to drop the ticket, or Escape to cancel.`,
      );
  }

  /** @param index the index among all listed tickets of the board */
  function moveTo(boardId: string, index: number): void {
    const at = moving.value;
    if (!at) return;
    const own = workspace.ticketsOn(boardId).indexOf(at.ticket.id);
    moving.value = { ...at, boardId, index: own >= 0 && own < index ? index - 1 : index };
  }

  function step(key: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'): void {
    const at = moving.value;
    if (!at) return;
    let { boardId, index } = at;
    if (key === 'ArrowUp') index -= 1;
    else if (key === 'ArrowDown') index += 1;
    else {
      const next = boards.value.findIndex(({ id }) => id === boardId) + (key === 'ArrowLeft' ? -1 : 1);
      boardId = boards.value[next]?.id ?? boardId;
    }
    const last = others(boardId, at.ticket).length;
    moving.value = { ...at, boardId, index: Math.max(0, Math.min(index, last)) };
    announce(place(moving.value));
  }

  /**
   * Converts an index to a position. The two differ during a search, which lists only some of the board's
   * tickets.
   */
  function positionOf({ ticket, boardId, index }: Moving): number {
    const listed = others(boardId, ticket);
    const withoutTicket = ({ position }: Ticket) =>
      position - Number(boardId === ticket.board_id && ticket.position < position);
    const next = listed[index];
    if (next) return withoutTicket(next);
    const previous = listed[index - 1];
    return previous ? withoutTicket(previous) + 1 : index;
  }

  /** Drops the ticket. Doesn't send a request if the ticket's position didn't change. */
  async function drop(): Promise<void> {
    const at = moving.value;
    moving.value = undefined;
    if (!at) return;
    const board: Board | undefined = boards.value.find(({ id }) => id === at.boardId);
    if (!board) return;
    const position = positionOf(at);
    if (at.ticket.board_id === at.boardId && at.ticket.position === position) {
      announce(`${at.ticket.title} was not moved.`);
      return;
    }
    await workspace.move(at.ticket, board, position, at.index);
  }

  function cancel(): void {
    if (moving.value) announce(`${moving.value.ticket.title} was not moved.`);
    moving.value = undefined;
  }

  return { moving: computed(() => moving.value), pickUp, moveTo, step, drop, cancel };
}

export type MovingControl = ReturnType<typeof useMoving>;
