import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A board with three columns. The middle one is full. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2f5bd0"/>
<g fill="#fff"><rect x="6" y="7" width="5" height="12" rx="1.5"/><rect x="13.5" y="7" width="5" height="18" rx="1.5"/>
<rect x="21" y="7" width="5" height="7" rx="1.5"/></g></svg>`;

const docs = fileURLToPath(new URL('..', import.meta.url));

/** The first paragraph of a page as plain text, for search engines and link previews. */
export function descriptionOf(relativePath: string): string {
  const page = readFileSync(docs + relativePath, 'utf8');
  const [, description] = /^---\n.*?^description: (.*?)$.*?^---$/ms.exec(page) ?? [];
  if (description) return description;
  const source = page.replace(/^---\n.*?\n---\n/s, '').replace(/<script.*?<\/script>|<!--.*?-->/gs, '');
  const paragraph = source
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Z`[]/.test(block) && !block.startsWith('```'));
  const text = (paragraph ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s\S*$/, '')}…` : text;
}
