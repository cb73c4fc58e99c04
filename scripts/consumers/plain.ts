import { type Consumer, expectRan } from './consumer.js';
import { projectIn } from './project.js';
import { asCommonJs, asModule, programs, readmeFiles } from './readme.js';

/**
 * Runs each README program as an ES module and returns its output. All other projects must print the same
 * output.
 */
export function expectedOutput(home: string): readonly string[] {
  const output = outputs.get(home) ?? programs().map(([name, code]) => outputOf(home, name, code));
  outputs.set(home, output);
  return output;
}

function outputOf(home: string, name: string, code: string): string {
  const { run } = projectIn(home, { 'main.mjs': asModule(code) });
  return expectRan(name, run('main.mjs'), /\S/);
}

const outputs = new Map<string, readonly string[]>();

/** Projects that need only Node.js, or Node.js and a compiler. */
export const plain: readonly Consumer[] = [
  {
    name: 'ES modules',
    tools: [],
    run: (home) => {
      expectedOutput(home);
    },
  },
  {
    name: 'CommonJS',
    tools: [],
    run(home) {
      const expected = expectedOutput(home);
      for (const [index, [name, code]] of programs().entries()) {
        const { run } = projectIn(home, { 'main.js': asCommonJs(code), 'package.json': {} });
        expectRan(name, run('main.js'), expected[index] ?? '');
      }
    },
  },
  {
    name: 'TypeScript',
    tools: ['typescript', '@types/node', 'vitest', 'msw'],
    run(home) {
      const expected = expectedOutput(home);
      const { run, tool } = projectIn(home, {
        ...readmeFiles(),
        'package.json': { type: 'module' },
        'tsconfig.json': { compilerOptions },
      });
      expectRan('tsc', tool('typescript/bin/tsc'), '');
      for (const [index, [name]] of programs().entries()) {
        expectRan(name, run(`out/${name.replace(/ts$/, 'js')}`), expected[index] ?? '');
      }
    },
  },
];

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  outDir: 'out',
};
