import { onBeforeUnmount, onMounted } from 'vue';

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

/**
 * Moves focus if the focused element is removed: to the same control of the ticket, if it moved, or of the row
 * that takes its place. Otherwise, screen readers would continue at the top of the page.
 */
export function useFocusRecovery(): void {
  let focused: Element | undefined;
  let findReplacement: () => HTMLElement | undefined;
  const remember = ({ target }: FocusEvent) => {
    focused = target as Element;
    const row = focused.closest('li');
    const rows = row?.parentElement?.children;
    const index = row && rows ? [...rows].indexOf(row) : -1;
    const control = row ? controlsIn(row).indexOf(focused as HTMLElement) : -1;
    const ticket = row?.dataset.ticket;
    findReplacement = () => {
      const moved = ticket && document.querySelector(`[data-ticket="${CSS.escape(ticket)}"]`);
      const other = moved || rows?.[Math.min(index, rows.length - 1)];
      return other?.isConnected ? controlsIn(other)[control] : undefined;
    };
  };
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    const target = findReplacement() ?? document.querySelector<HTMLElement>('main');
    target?.focus({ preventScroll: true });
  });
  onMounted(() => {
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
  });
  onBeforeUnmount(() => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  });
}

const controlsIn = (row: Element): HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>('a, button, input, summary'),
];
