import { readFileSync } from 'node:fs';
import { root } from '../../../scripts/entries.js';

/**
 * The README's programs: every fenced block of TypeScript or JavaScript, by the name in its first
 * line, `// file: quickstart.ts`.
 */
export function readmeFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const block of blocks()) {
    const name = /^\/\/ file: (\S+)\n/.exec(block)?.[1];
    if (!name) throw new Error(`README.md: a block of code does not say "// file: name" first:\n${block}`);
    if (files[name]) throw new Error(`README.md: two blocks are called ${name}`);
    files[name] = block;
  }
  return files;
}

const blocks = () =>
  [...readFileSync(`${root}README.md`, 'utf8').matchAll(/^```(?:ts|js)\n(.*?)^```$/gms)].map(
    ([, code]) => code as string,
  );
