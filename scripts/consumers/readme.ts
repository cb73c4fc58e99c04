import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { root } from '../entries.js';

/**
 * Returns the README's code blocks, keyed by the file name in each block's first line, such as
 * `// file: quickstart.ts`.
 */
export function readmeFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const block of blocks()) {
    const name = /^\/\/ file: (\S+)\n/.exec(block)?.[1];
    if (!name) throw new Error(`README.md: a code block doesn't start with "// file: name":\n${block}`);
    if (files[name]) throw new Error(`README.md: two code blocks have the name ${name}`);
    files[name] = block;
  }
  return files;
}

/** Returns the code blocks that are complete programs, in README order. */
export const programs = () => filesNamed((name) => !name.includes('.test.'));

/** Returns the code blocks that are Vitest suites. */
export const suites = () => filesNamed((name) => name.includes('.test.'));

/** Transpiles TypeScript to a JavaScript ES module. */
export const asModule = (code: string) => transformSync(code, { loader: 'ts', format: 'esm' }).code;

/** Converts code to CommonJS. Wraps it in an async function, because CommonJS doesn't support top-level `await`. */
export function asCommonJs(code: string): string {
  const imports = [...code.matchAll(importLine)].join('\n');
  const wrapped = `${imports}\n(async () => {\n${code.replaceAll(importLine, '')}\n})();`;
  return transformSync(wrapped, { loader: 'ts', format: 'cjs' }).code;
}

/** Rewrites a Vitest suite to import its test functions from `module`. */
export const forRunner = (code: string, module: string) =>
  code.replace(/from 'vitest';$/m, `from '${module}';`);

const importLine = /^import .*;$/gm;

const filesNamed = (matches: (name: string) => boolean) =>
  Object.entries(readmeFiles()).filter(([name]) => matches(name));

const blocks = () =>
  [...readFileSync(`${root}README.md`, 'utf8').matchAll(/^```(?:ts|js)\n(.*?)^```$/gms)].map(
    ([, code]) => code as string,
  );
