import { onBeforeUnmount } from 'vue';

/**
 * Handles key presses while the component is shown, unless the user is typing or a dialog is open. `mod+k`
 * stands for `Ctrl+K` or `⌘K` and always works.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKeydown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const isTyping = (event.target as HTMLElement).closest('input, textarea, select, dialog') !== null;
    if (isTyping && !hasModifier) return;
    const run = keys[hasModifier ? `mod+${event.key.toLowerCase()}` : event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  window.addEventListener('keydown', onKeydown);
  onBeforeUnmount(() => window.removeEventListener('keydown', onKeydown));
}

/** Focuses the view's search input. */
export function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.select();
}
