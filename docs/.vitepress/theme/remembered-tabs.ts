const key = 'worktrack-docs-tab';

/** Applies the user's last choice of a tab, such as `pnpm`, to all code groups that have this tab. */
export function rememberTabs(): void {
  window.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return;
    const [label] = target.labels ?? [];
    const name = label?.textContent ?? '';
    // Accessing the storage throws an error if it is disabled.
    try {
      localStorage.setItem(key, name);
    } catch {}
    selectTabs(name);
  });
}

/** Selects the remembered tab in the code groups of a new page. */
export function restoreTabs(): void {
  try {
    selectTabs(localStorage.getItem(key) ?? '');
  } catch {}
}

function selectTabs(name: string): void {
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const inputs = [...group.querySelectorAll('input')];
    const index = inputs.findIndex(({ labels }) => labels?.[0]?.textContent === name);
    const input = inputs[index];
    if (!input) continue;
    input.checked = true;
    const blocks = [...(group.querySelector('.blocks')?.children ?? [])];
    for (const [number, block] of blocks.entries()) block.classList.toggle('active', number === index);
  }
}
