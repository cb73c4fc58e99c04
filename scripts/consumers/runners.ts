import { readFileSync } from 'node:fs';
import { root } from '../entries.js';
import { type Consumer, expectRan } from './consumer.js';
import { projectIn } from './project.js';
import { asModule, failingSuites, forRunner, suites } from './readme.js';

/** Projects with a test runner. They run the README's suites and the test files included in the guides. */
export const runners: readonly Consumer[] = [
  {
    name: 'Vitest',
    tools: ['vitest', 'msw'],
    run(home) {
      const { tool } = projectIn(home, {
        ...Object.fromEntries(withMsw()),
        ...recipes('fixture.test.ts'),
        'package.json': { type: 'module' },
      });
      const count = withMsw().length + 1;
      const passed = new RegExp(`Test Files +${count} passed \\(${count}\\)`);
      expectRan('vitest', tool('vitest/vitest.mjs', 'run', '--root', '.'), passed);
    },
  },
  {
    name: 'Vitest, tests that fail',
    tools: ['vitest'],
    run(home) {
      for (const { name, code, failure = '' } of failingSuites()) {
        const { tool } = projectIn(home, { [name]: code, 'package.json': { type: 'module' } });
        const { status, output } = tool('vitest/vitest.mjs', 'run', '--root', '.');
        if (status !== 1 || !output.includes(failure)) {
          throw new Error(`${name} should fail with\n${failure}\nbut exited with ${status}:\n${output}`);
        }
      }
    },
  },
  {
    name: 'Jest, CommonJS',
    tools: ['jest', '@jest/globals'],
    run(home) {
      const { tool } = projectIn(home, {
        ...recipes('jest-first.test.js', 'jest-fetch.test.js'),
        'package.json': {},
      });
      expectRan('jest', tool('jest/bin/jest.js'), /^Test Suites: 2 passed, 2 total$/m);
    },
  },
  {
    name: 'Jest, ES modules, with MSW',
    tools: ['jest', 'msw'],
    run(home) {
      const { folder, run } = projectIn(home, {
        ...forEach((code) => asModule(forRunner(code, '@jest/globals'))),
        'package.json': { type: 'module' },
      });
      const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
      const passed = new RegExp(`^Test Suites: ${withMsw().length} passed, ${withMsw().length} total$`, 'm');
      expectRan('jest', run(...jest, `${folder}/../node_modules/jest/bin/jest.js`), passed);
    },
  },
  {
    name: 'node:test',
    tools: ['expect', 'msw'],
    run(home) {
      const { run } = projectIn(home, {
        ...forEach((code) => asModule(forRunner(code, './names.js'))),
        ...recipes('node-test.ts'),
        // Provides the functions that the README's tests normally import from Vitest.
        'names.js': `export { after as afterAll, afterEach, before as beforeAll, beforeEach, test } from 'node:test';
          export { expect } from 'expect';`,
        'package.json': { type: 'module' },
      });
      const passed = new RegExp(`^# pass ${withMsw().length + 1}$`, 'm');
      expectRan('node --test', run('--test', '--test-reporter=tap'), passed);
    },
  },
];

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
