import { computed, shallowRef } from 'vue';
import type { Board, Ticket } from 'worktrack';
import type { Session } from './session.js';

/** A ticket in somebody's hand, and where it would go. */
export interface Moving {
  ticket: Ticket;
  boardId: string;
  /** Index on that board, the moving ticket not counted. */
  position: number;
  by: 'pointer' | 'keyboard';
}

/** Picking a ticket up, carrying it, putting it down; the same for mouse and keyboard. */
export function useMoving(session: Session) {
  const moving = shallowRef<Moving>();
  const boards = session.boards;
  const others = (boardId: string, ticket: Ticket) =>
    session.tickets.value.filter((other) => other.board_id === boardId && other.id !== ticket.id);
  const say = (text: string) => {
    session.announcement.value = text;
  };
  const place = (at: Moving) => {
    const board = boards.value.find(({ id }) => id === at.boardId);
    return `${board?.name}, position ${at.position + 1} of ${others(at.boardId, at.ticket).length + 1}`;
  };

  function pickUp(ticket: Ticket, by: Moving['by']): void {
    moving.value = { ticket, boardId: ticket.board_id, position: ticket.position, by };
    if (by === 'keyboard')
      say(`${ticket.title} is picked up. Arrow keys choose a place, Space puts it down, Escape leaves it.`);
  }

  function over(boardId: string, position: number): void {
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
    over(boardId, Math.max(0, Math.min(position, last)));
    if (moving.value) say(place(moving.value));
  }

  /** Puts it down; nothing is asked of the server where it already is. */
  async function drop(): Promise<void> {
    const at = moving.value;
    moving.value = undefined;
    if (!at) return;
    const board: Board | undefined = boards.value.find(({ id }) => id === at.boardId);
    if (!board) return;
    if (at.ticket.board_id === at.boardId && at.ticket.position === at.position) {
      say(`${at.ticket.title} stays where it was.`);
      return;
    }
    await session.move(at.ticket, board, at.position);
  }

  function cancel(): void {
    if (moving.value) say(`${moving.value.ticket.title} stays where it was.`);
    moving.value = undefined;
  }

  return { moving: computed(() => moving.value), pickUp, over, step, drop, cancel };
}

export type MovingControl = ReturnType<typeof useMoving>;
