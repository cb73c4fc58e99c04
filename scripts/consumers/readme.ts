import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { root } from '../entries.js';

/**
 * The code blocks of the README, by the file name in their first line, such as `// file: quickstart.ts`.
 */
export function readmeFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const block of blocks()) {
    const name = /^\/\/ file: (\S+)\n/.exec(block)?.[1];
    if (!name) throw new Error(`README.md: a code block doesn't start with "// file: name":\n${block}`);
    if (files[name]) throw new Error(`README.md: two blocks are called ${name}`);
    files[name] = block;
  }
  return files;
}

/** The code blocks that are complete programs, in the order of the README. */
export const programs = () => filesNamed((name) => !name.includes('.test.'));

/** The code blocks that are Vitest suites. */
export const suites = () => filesNamed((name) => name.includes('.test.'));

/** The same code as an ES module, without types. */
export const asModule = (code: string) => transformSync(code, { loader: 'ts', format: 'esm' }).code;

/** The same code with `require()`, inside an async function because CommonJS has no top-level `await`. */
export function asCommonJs(code: string): string {
  const imports = [...code.matchAll(importLine)].join('\n');
  const wrapped = `${imports}\n(async () => {\n${code.replaceAll(importLine, '')}\n})();`;
  return transformSync(wrapped, { loader: 'ts', format: 'cjs' }).code;
}

/** A suite for another test runner, which imports its functions from `module`. */
export const forRunner = (code: string, module: string) =>
  code.replace(/from 'vitest';$/m, `from '${module}';`);

const importLine = /^import .*;$/gm;

const filesNamed = (matches: (name: string) => boolean) =>
  Object.entries(readmeFiles()).filter(([name]) => matches(name));

const blocks = () =>
  [...readFileSync(`${root}README.md`, 'utf8').matchAll(/^```(?:ts|js)\n(.*?)^```$/gms)].map(
    ([, code]) => code as string,
  );
