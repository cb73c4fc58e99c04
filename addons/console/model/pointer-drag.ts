import { ref } from 'vue';
import type { Ticket } from 'worktrack';
import type { MovingControl } from './moving.js';

/** The distance the pointer must move before a press becomes a drag, in pixels. */
const dragThreshold = 5;

/**
 * The distance from an edge within which dragging scrolls, and the maximum distance to scroll per frame, in
 * pixels.
 */
const scrollZone = 48;
const scrollSpeed = 14;

/**
 * Lets users drag cards with a mouse, or by their handles on a touch screen. Swiping elsewhere on a card
 * scrolls the page.
 */
export function usePointerDrag(control: MovingControl) {
  const ghost = ref<{ x: number; y: number; title: string }>();

  function start(event: PointerEvent, ticket: Ticket): void {
    const target = event.target as HTMLElement;
    const onHandle = target.closest('[data-handle]') !== null;
    if (event.button !== 0 || (!onHandle && event.pointerType !== 'mouse')) return;
    let at = { x: event.clientX, y: event.clientY };
    const from = at;
    let frame = 0;
    let dragging = false;

    const place = () => {
      ghost.value = { ...at, title: ticket.title };
      const found = placeAt(at.x, at.y, ticket.id);
      if (found) control.moveTo(found.boardId, found.index);
    };
    const scroll = () => {
      if (scrollNearEdges(at.x, at.y)) place();
      frame = requestAnimationFrame(scroll);
    };
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      at = { x, y };
      if (!dragging && Math.hypot(x - from.x, y - from.y) < dragThreshold) return;
      if (!dragging) {
        control.pickUp(ticket, 'pointer');
        frame = requestAnimationFrame(scroll);
      }
      dragging = true;
      place();
    };
    const end = (last: Event) => {
      listeners.abort();
      cancelAnimationFrame(frame);
      ghost.value = undefined;
      if (!dragging) return;
      ignoreNextClick();
      if (last.type === 'pointerup') void control.drop();
      else control.cancel();
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('pointermove', move, { signal });
    window.addEventListener('pointerup', end, { signal });
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', (pressed) => pressed.key === 'Escape' && end(pressed), { signal });
    if (onHandle) event.preventDefault();
  }

  return { ghost, start };
}

/** Keeps the click that ends a drag from opening the ticket. */
function ignoreNextClick(): void {
  const ignore = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', ignore, { capture: true, once: true });
  // The browser fires the click event right after `pointerup`, or not at all.
  setTimeout(() => window.removeEventListener('click', ignore, { capture: true }));
}

/** Returns the board at a point, and the index of the first listed ticket whose middle is below the point. */
function placeAt(x: number, y: number, movingId: string): { boardId: string; index: number } | undefined {
  const board = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-board]');
  if (!board?.dataset.board) return undefined;
  let index = 0;
  for (const card of board.querySelectorAll<HTMLElement>('[data-index]')) {
    const { top, height } = card.getBoundingClientRect();
    const own = Number(card.dataset.index);
    if (top + height / 2 >= y && card.dataset.ticket !== movingId)
      return { boardId: board.dataset.board, index: own };
    index = own + 1;
  }
  return { boardId: board.dataset.board, index };
}

/** Scrolls the list or the boards if the point is near one of their edges. Returns whether anything scrolled. */
function scrollNearEdges(x: number, y: number): boolean {
  const element = document.elementFromPoint(x, y);
  const list = element?.closest('[data-board]')?.querySelector('.cards');
  const boards = element?.closest('.columns');
  let scrolled = false;
  if (list) {
    const { top, bottom } = list.getBoundingClientRect();
    scrolled = scrollBy(list, 'scrollTop', speedAt(y, top, bottom));
  }
  if (boards) {
    const { left, right } = boards.getBoundingClientRect();
    scrolled = scrollBy(boards, 'scrollLeft', speedAt(x, left, right)) || scrolled;
  }
  return scrolled;
}

function scrollBy(element: Element, side: 'scrollTop' | 'scrollLeft', by: number): boolean {
  const before = element[side];
  element[side] += by;
  return element[side] !== before;
}

/** Returns the scroll speed at a point: negative near the start, positive near the end, and 0 in between. */
function speedAt(point: number, start: number, end: number): number {
  if (point < start + scrollZone)
    return -scrollSpeed * Math.min(1, (start + scrollZone - point) / scrollZone);
  if (point > end - scrollZone) return scrollSpeed * Math.min(1, (point - end + scrollZone) / scrollZone);
  return 0;
}
