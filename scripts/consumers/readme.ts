import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { root } from '../entries.js';

/**
 * The README's code: every fenced block of TypeScript or JavaScript, by the name in its first
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

/** The blocks that are programs of their own, in the order in which the README has them. */
export const programs = () => some((name) => !name.includes('.test.'));

/** The blocks that are test suites, for vitest. */
export const suites = () => some((name) => name.includes('.test.'));

/** As somebody without TypeScript writes it. */
export const asModule = (code: string) => transformSync(code, { loader: 'ts', format: 'esm' }).code;

/** As somebody without ES modules writes it: `require()`, and a function where there is an `await`. */
export function asCommonJs(code: string): string {
  const imports = [...code.matchAll(importLine)].join('\n');
  const wrapped = `${imports}\n(async () => {\n${code.replaceAll(importLine, '')}\n})();`;
  return transformSync(wrapped, { loader: 'ts', format: 'cjs' }).code;
}

/** A suite for another runner than vitest, whose names come from `module`. */
export const forRunner = (code: string, module: string) =>
  code.replace(/from 'vitest';$/m, `from '${module}';`);

const importLine = /^import .*;$/gm;

const some = (wanted: (name: string) => boolean) =>
  Object.entries(readmeFiles()).filter(([name]) => wanted(name));

const blocks = () =>
  [...readFileSync(`${root}README.md`, 'utf8').matchAll(/^```(?:ts|js)\n(.*?)^```$/gms)].map(
    ([, code]) => code as string,
  );
