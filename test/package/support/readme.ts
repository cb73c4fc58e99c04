import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { root } from '../../../tools/entries.js';
import { expectRan, project } from './project.js';

/** A code block of the README or the quick start. */
interface Block {
  /** The file's name, from the block's first line, such as `// file: quickstart.ts`. */
  name: string;
  code: string;
  /** For a suite whose test fails, as in `// file: mock-server.test.ts (fails)`, the error shown in the README. */
  failure: string | undefined;
}

/** Returns the code of the README and the quick start, keyed by file name. */
export function readmeFiles(): Record<string, string> {
  return Object.fromEntries(blocks().map(({ name, code }) => [name, code]));
}

/** Returns the code blocks that are complete programs, in order. */
export const programs = () => named(blocks().filter(({ name }) => !name.includes('.test.')));

/** Runs each program as an ES module and returns its output. */
export const expectedOutput = (): readonly string[] => {
  outputs ??= programs().map(([name, code]) => {
    const { run } = project({ 'main.mjs': asModule(code) });
    return expectRan(name, run('main.mjs'), /\S/);
  });
  return outputs;
};

let outputs: readonly string[] | undefined;

/** Returns the code blocks that are passing Vitest suites. */
export const suites = () => named(blocks().filter((block) => isSuite(block) && block.failure === undefined));

/** Returns the code blocks that are failing Vitest suites, with the errors that they print. */
export const failingSuites = () => blocks().filter((block) => isSuite(block) && block.failure !== undefined);

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

const isSuite = ({ name }: Block) => name.includes('.test.');

const named = (list: readonly Block[]): [name: string, code: string][] =>
  list.map(({ name, code }) => [name, code]);

function blocks(): Block[] {
  const found = ['README.md', 'docs/quick-start.md'].flatMap((page) => blocksOf(page));
  const names = found.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error(`two code blocks have the same name: ${names}`);
  return found;
}

const blocksOf = (page: string): Block[] =>
  [...readFileSync(`${root}${page}`, 'utf8').matchAll(block)].flatMap(([, code = '', failure]) => {
    const [, name, fails] = /^\/\/ file: (\S+)( \(fails\))?\n/.exec(code) ?? [];
    // Code blocks must have a name only in the README, because other pages also show snippets.
    if (!name && page !== 'README.md') return [];
    if (!name) throw new Error(`${page}: a code block doesn't start with "// file: name":\n${code}`);
    if (fails && !failure) throw new Error(`${page}: the error of ${name} is missing`);
    return { name, code, failure: fails && failure?.trim() };
  });

/** Matches a code block and, if the block is directly followed by an error that it prints, the error. */
const block = /^```(?:ts|js)(?: [^\n]*)?\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms;
