// `npm run docs:write`: updates the code blocks and tables that the hand-written pages copy from other files,
// so that the pages are also complete on GitHub.
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { withCurrentParts, writtenPages } from './support/copied-parts.js';

for (const page of writtenPages()) {
  const file = `${root}docs/${page}`;
  const text = readFileSync(file, 'utf8');
  const current = withCurrentParts(page, text);
  if (current !== text) writeFileSync(file, current);
}
