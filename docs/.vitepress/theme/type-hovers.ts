/**
 * Shows the types of identifiers in code blocks and lets users move between them with the keyboard.
 */
export function enableTypeHovers(): void {
  document.addEventListener('mouseover', ({ target }) => show(target));
  document.addEventListener('focusin', ({ target }) => show(target));
  document.addEventListener('keydown', onKeydown);
}

const nameOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.typed') : null;

const blockOf = (name: Element) => name.closest('div[class*="language-"]');

/** Aligns the popup with the identifier it describes, but keeps it inside the code block. */
function show(target: EventTarget | null): void {
  const name = nameOf(target);
  const popup = name?.querySelector<HTMLElement>('.type-popup');
  const block = name && blockOf(name);
  // Keep the popup in place while the pointer is over it.
  if (!name || !popup || !block || (target instanceof Node && popup.contains(target))) return;
  block.classList.remove('types-dismissed');
  const margin = 12;
  const desiredLeft = name.getBoundingClientRect().left - block.getBoundingClientRect().left;
  const maxLeft = block.clientWidth - popup.offsetWidth - margin;
  popup.style.setProperty('--popup-left', `${Math.max(margin, Math.min(desiredLeft, maxLeft))}px`);
}

function onKeydown(event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    for (const name of document.querySelectorAll('.typed:is(:hover, :focus)'))
      blockOf(name)?.classList.add('types-dismissed');
    return;
  }
  const name = nameOf(event.target);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!name || !step) return;
  const names = [...(blockOf(name)?.querySelectorAll<HTMLElement>('.typed') ?? [])];
  const next = names[names.indexOf(name) + step];
  if (!next) return;
  // Prevent the arrow key from scrolling the code.
  event.preventDefault();
  name.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
