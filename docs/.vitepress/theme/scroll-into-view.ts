/** Scrolls the page as little as possible to show an element, without an animation if the user prefers reduced motion. */
export function scrollIntoView(element: Element | null | undefined): void {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' });
}
