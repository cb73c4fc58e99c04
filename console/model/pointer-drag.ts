import { ref } from 'vue';
import type { Ticket } from 'worktrack';
import type { MovingControl } from './moving.js';

/** How far the pointer must move before a press becomes a drag, in pixels. */
const dragThreshold = 5;

/**
 * Lets users drag cards with a mouse, or by their handles on a touch screen. Swiping elsewhere on a card
 * scrolls the page.
 */
export function usePointerDrag(control: MovingControl) {
  const ghost = ref<{ x: number; y: number; title: string }>();

  function start(event: PointerEvent, ticket: Ticket): void {
    const target = event.target as HTMLElement;
    const onHandle = target.closest('[data-handle]') !== null;
    if (event.button !== 0 || (!onHandle && (event.pointerType !== 'mouse' || target.closest('button, a'))))
      return;
    const from = { x: event.clientX, y: event.clientY };
    let dragging = false;

    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      if (!dragging && Math.hypot(x - from.x, y - from.y) < dragThreshold) return;
      if (!dragging) control.pickUp(ticket, 'pointer');
      dragging = true;
      ghost.value = { x, y, title: ticket.title };
      const place = placeAt(x, y, ticket.id);
      if (place) control.moveTo(place.boardId, place.position);
    };
    const end = (last: Event) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', cancelOnEscape);
      ghost.value = undefined;
      if (!dragging) return;
      if (last.type === 'pointerup') void control.drop();
      else control.cancel();
    };
    const cancelOnEscape = (pressed: KeyboardEvent) => pressed.key === 'Escape' && end(pressed);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', cancelOnEscape);
    if (onHandle) event.preventDefault();
  }

  return { ghost, start };
}

/** Returns the board at a point and the number of cards above it, not counting the card being moved. */
function placeAt(x: number, y: number, movingId: string): { boardId: string; position: number } | undefined {
  const board = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-board]');
  if (!board?.dataset.board) return undefined;
  const cards = [...board.querySelectorAll<HTMLElement>('[data-ticket]')].filter(
    (card) => card.dataset.ticket !== movingId,
  );
  const cardsAbove = cards.filter((card) => {
    const { top, height } = card.getBoundingClientRect();
    return top + height / 2 < y;
  });
  return { boardId: board.dataset.board, position: cardsAbove.length };
}
