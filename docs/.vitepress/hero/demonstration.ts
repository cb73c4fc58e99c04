import { type Ref, ref } from 'vue';

/** The pointer that the demonstration draws, in window coordinates. */
export interface DemonstratedPointer {
  x: number;
  y: number;
  pressed: boolean;
}

const approachSteps = 24;
const dragSteps = 40;
const pauseBefore = 500;
const pauseAtCard = 250;

/**
 * Drags a ticket to a board once, with the pointer events that a user's mouse would send. Stops as soon as the
 * user moves the pointer over the board or presses a key or a button.
 */
export function useDemonstration() {
  const pointer: Ref<DemonstratedPointer | undefined> = ref();
  let isStopped = false;

  /** Returns whether the ticket was dropped on the board. */
  async function play(host: HTMLElement, ticketId: string, boardId: string): Promise<boolean> {
    const card = await appearance(() => host.querySelector(`[data-ticket="${ticketId}"]`));
    const board = host.querySelector(`[data-board="${boardId}"]`);
    if (!card || !board || !isVisible(card) || !isVisible(board)) return false;
    const release = watchUser(host);
    try {
      await pause(pauseBefore);
      const grip = pointIn(card, 0.7, 0.75);
      await glide(pointIn(host, 0.55, 0.8), grip, approachSteps);
      if (isStopped) return false;
      await pause(pauseAtCard);
      send('pointerdown', card.querySelector('.card-line') ?? card, grip);
      const drop = pointIn(board, 0.6, 0.35);
      await glide(grip, drop, dragSteps, (at) => send('pointermove', window, at));
      send(isStopped ? 'pointercancel' : 'pointerup', window, drop);
      return !isStopped;
    } finally {
      release();
      pointer.value = undefined;
    }
  }

  function watchUser(host: HTMLElement): () => void {
    const onInput = (event: Event) => {
      if (!event.isTrusted) return;
      const isElsewhere = !(event.target instanceof Node && host.contains(event.target));
      // The board listens for pointer moves in the whole window, so it would mistake the user's moves for the
      // drawn pointer's.
      if (event.type === 'pointermove') event.stopImmediatePropagation();
      if (event.type === 'pointermove' && isElsewhere) return;
      isStopped = true;
    };
    const types = ['pointermove', 'pointerdown', 'keydown'];
    for (const type of types) window.addEventListener(type, onInput, true);
    return () => {
      for (const type of types) window.removeEventListener(type, onInput, true);
    };
  }

  async function glide(from: Point, to: Point, steps: number, onStep: (at: Point) => void = () => {}) {
    for (let step = 1; step <= steps && !isStopped; step++) {
      const done = easeInOut(step / steps);
      const at = { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done };
      pointer.value = { ...at, pressed: steps === dragSteps };
      onStep(at);
      await pause(16);
    }
  }

  return { pointer, play };
}

interface Point {
  x: number;
  y: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the element once it exists, because boards load their tickets after they're shown. */
async function appearance(find: () => Element | null): Promise<Element | null> {
  for (let tries = 0; tries < 100 && !find(); tries++) await pause(50);
  return find();
}

const easeInOut = (done: number) => (done < 0.5 ? 2 * done * done : 1 - (2 - 2 * done) ** 2 / 2);

function pointIn(element: Element, right: number, down: number): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width * right, y: top + height * down };
}

/** Whether a pointer can reach the part of the element that the demonstration uses. */
function isVisible(element: Element): boolean {
  const { x, y } = pointIn(element, 0.6, 0.5);
  return element.contains(document.elementFromPoint(x, y));
}

function send(type: string, target: EventTarget, { x, y }: Point): void {
  target.dispatchEvent(
    new PointerEvent(type, { clientX: x, clientY: y, button: 0, pointerType: 'mouse', bubbles: true }),
  );
}
