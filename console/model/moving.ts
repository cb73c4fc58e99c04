import { computed, shallowRef } from 'vue';
import type { Board, Ticket } from 'worktrack';
import type { Workspace } from './workspace.js';

/** The ticket the user is moving and its current drop position. */
export interface Moving {
  ticket: Ticket;
  boardId: string;
  /** The index on that board, not counting the ticket being moved. */
  position: number;
  by: 'pointer' | 'keyboard';
}

/** Lets users pick up, move, and drop a ticket with a pointer or the keyboard. */
export function useMoving(workspace: Workspace) {
  const moving = shallowRef<Moving>();
  const boards = workspace.boards;
  const others = (boardId: string, ticket: Ticket) =>
    workspace.tickets.value.filter((other) => other.board_id === boardId && other.id !== ticket.id);
  const announce = (text: string) => {
    workspace.announcement.value = text;
  };
  const place = (at: Moving) => {
    const board = boards.value.find(({ id }) => id === at.boardId);
    return `${board?.name}, position ${at.position + 1} of ${others(at.boardId, at.ticket).length + 1}`;
  };

  function pickUp(ticket: Ticket, by: Moving['by']): void {
    moving.value = { ticket, boardId: ticket.board_id, position: ticket.position, by };
    if (by === 'keyboard')
      announce(
        `Picked up ${ticket.title}. Use the arrow keys to choose a position, Space to drop the ticket, or Escape to cancel.`,
      );
  }

  function moveTo(boardId: string, position: number): void {
    if (moving.value) moving.value = { ...moving.value, boardId, position };
  }

  function step(key: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'): void {
    const at = moving.value;
    if (!at) return;
    let { boardId, position } = at;
    if (key === 'ArrowUp') position -= 1;
    else if (key === 'ArrowDown') position += 1;
    else {
      const index = boards.value.findIndex(({ id }) => id === boardId) + (key === 'ArrowLeft' ? -1 : 1);
      boardId = boards.value[index]?.id ?? boardId;
    }
    const last = others(boardId, at.ticket).length;
    moveTo(boardId, Math.max(0, Math.min(position, last)));
    if (moving.value) announce(place(moving.value));
  }

  /** Drops the ticket. Doesn't send a request if the ticket's position didn't change. */
  async function drop(): Promise<void> {
    const at = moving.value;
    moving.value = undefined;
    if (!at) return;
    const board: Board | undefined = boards.value.find(({ id }) => id === at.boardId);
    if (!board) return;
    if (at.ticket.board_id === at.boardId && at.ticket.position === at.position) {
      announce(`${at.ticket.title} was not moved.`);
      return;
    }
    await workspace.move(at.ticket, board, at.position);
  }

  function cancel(): void {
    if (moving.value) announce(`${moving.value.ticket.title} was not moved.`);
    moving.value = undefined;
  }

  return { moving: computed(() => moving.value), pickUp, moveTo, step, drop, cancel };
}

export type MovingControl = ReturnType<typeof useMoving>;
