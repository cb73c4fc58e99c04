import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { expectRan, project } from './support/project.js';
import { asModule, failingSuites, forRunner, suites } from './support/readme.js';

// These projects run the README's test suites and the test files included in the guides.

test('the suites pass in Vitest', () => {
  const { tool } = project({
    ...Object.fromEntries(withMsw()),
    ...recipes('fixture.test.ts'),
    'package.json': { type: 'module' },
  });
  const count = withMsw().length + 1;
  const passed = new RegExp(`Test Files +${count} passed \\(${count}\\)`);
  expectRan('vitest', tool('vitest/vitest.mjs', 'run', '--root', '.'), passed);
});

test('the suites that are broken on purpose fail in Vitest with the error shown in the README', () => {
  for (const { name, code, failure = '' } of failingSuites()) {
    const { tool } = project({ [name]: code, 'package.json': { type: 'module' } });
    const { status, output } = tool('vitest/vitest.mjs', 'run', '--root', '.');
    expect(output).toContain(failure);
    expect(status).toBe(1);
  }
});

test('the recipes pass in Jest as CommonJS', () => {
  const { folder, run } = project({
    ...recipes('jest-first.test.js', 'jest-fetch.test.js'),
    'package.json': {},
  });
  expectRan(
    'jest',
    run(...vmModules, `${folder}/../node_modules/jest/bin/jest.js`),
    /^Test Suites: 2 passed, 2 total$/m,
  );
});

test('the suites pass in Jest as ES modules, with MSW', () => {
  const { folder, run } = project({
    ...forEach((code) => asModule(forRunner(code, '@jest/globals'))),
    'package.json': { type: 'module' },
  });
  const passed = new RegExp(`^Test Suites: ${withMsw().length} passed, ${withMsw().length} total$`, 'm');
  expectRan('jest', run(...vmModules, `${folder}/../node_modules/jest/bin/jest.js`), passed);
});

test('the suites pass in node:test', () => {
  const { run } = project({
    ...forEach((code) => asModule(forRunner(code, './names.js'))),
    ...recipes('node-test.ts'),
    // This module provides the functions that the README's tests normally import from Vitest.
    'names.js': `export { after as afterAll, afterEach, before as beforeAll, beforeEach, test } from 'node:test';
      export { expect } from 'expect';`,
    'package.json': { type: 'module' },
  });
  const passed = new RegExp(`^# pass ${withMsw().length + 1}$`, 'm');
  expectRan('node --test', run('--test', '--test-reporter=tap'), passed);
});

/** Jest needs this option to load ES modules. */
const vmModules = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** The README's suites, and the guides' suite that uses MSW. */
const withMsw = () => [...suites(), ['msw.test.ts', sourceOf('msw.test.ts')] as const];

/** Transforms each suite. */
const forEach = (change: (code: string) => string) =>
  Object.fromEntries(withMsw().map(([name, code]) => [name.replace(/ts$/, 'js'), change(code)]));

const sourceOf = (name: string) => readFileSync(`${root}test/docs/guide/${name}`, 'utf8');

/** Reads test files that the guides show. */
const recipes = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name.replace('node-test.ts', 'node.test.js').replace(/ts$/, 'js'),
      name.endsWith('.ts') ? asModule(sourceOf(name)) : sourceOf(name),
    ]),
  );
