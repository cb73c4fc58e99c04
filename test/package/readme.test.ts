import { expect, test } from 'vitest';
import { project } from './support/project.js';
import { readmeFiles } from './support/readme.js';

const files = readmeFiles();
const programs = Object.keys(files).filter((name) => !name.includes('.test.'));
const suites = Object.keys(files).filter((name) => name.includes('.test.'));

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

test('the README shows programs and test suites', () => {
  expect(programs.length).toBeGreaterThan(0);
  expect(suites.length).toBeGreaterThan(0);
});

test('the programs of the README compile and run in a project that installed the package', () => {
  const { run, tool } = project({
    ...files,
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions },
  });
  expect(tool('typescript/bin/tsc')).toEqual({ status: 0, output: '' });
  for (const name of programs) {
    const ran = run(`out/${name.replace(/ts$/, 'js')}`);
    expect({ name, ...ran }).toMatchObject({
      name,
      status: 0,
      output: expect.not.stringMatching(/warning/i),
    });
    expect(ran.output, `${name} prints something`).not.toBe('');
  }
});

test('the test suites of the README pass in a project that installed the package', () => {
  const { tool } = project({ ...files, 'package.json': { type: 'module' } });
  const { status, output } = tool('vitest/vitest.mjs', 'run', '--root', '.');
  expect(status, output).toBe(0);
  expect(output).toMatch(new RegExp(`Test Files\\S*\\s+\\S*${suites.length} passed`));
});
