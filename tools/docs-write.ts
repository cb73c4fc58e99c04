// `npm run docs:write`: updates the code blocks and tables that the handwritten pages copy from other files.
// The copies make the pages complete on GitHub, too.
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './entries.js';
import { withCurrentParts, writtenPages } from './support/copied-parts.js';

for (const page of writtenPages()) {
  const file = `${root}docs/${page}`;
  const text = readFileSync(file, 'utf8');
  const current = withCurrentParts(page, text);
  if (current !== text) writeFileSync(file, current);
}
