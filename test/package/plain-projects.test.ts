import { expect, test } from 'vitest';
import { expectRan, project } from './support/project.js';
import {
  asCommonJs,
  expectedOutput,
  failingSuites,
  programs,
  readmeFiles,
  suites,
} from './support/readme.js';

test('the README contains programs and test suites', () => {
  expect(programs().length).toBeGreaterThan(0);
  expect(suites().length).toBeGreaterThan(0);
  expect(failingSuites().length).toBeGreaterThan(0);
});

test("the README's programs run as ES modules and as CommonJS, with the same output", () => {
  const expected = expectedOutput();
  for (const [index, [name, code]] of programs().entries()) {
    const { run } = project({ 'main.js': asCommonJs(code), 'package.json': {} });
    expectRan(name, run('main.js'), expected[index] ?? '');
  }
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
