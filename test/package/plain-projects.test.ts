import { expect, test } from 'vitest';
import { expectRan, project } from './support/project.js';
import { expectedOutput, failingSuites, programs, readmeFiles, suites } from './support/readme.js';

test('the README contains programs and test suites', () => {
  expect(programs().length).toBeGreaterThan(0);
  expect(suites().length).toBeGreaterThan(0);
  expect(failingSuites().length).toBeGreaterThan(0);
});

test("the README's programs and test suites compile in a TypeScript project", () => {
  const expected = expectedOutput();
  const files = Object.entries(readmeFiles()).map(([name, code]) => [name.replace(/js$/, 'ts'), code]);
  const { run, tool } = project({
    ...Object.fromEntries(files),
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions },
  });
  expectRan('tsc', tool('typescript/bin/tsc'), '');
  for (const [index, [name]] of programs().entries()) {
    expectRan(name, run(`out/${name.replace(/ts$/, 'js')}`), expected[index] ?? '');
  }
});

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
