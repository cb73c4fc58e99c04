import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * Runs every check that a change must pass, and returns the exit code. A failed step doesn't stop the
 * steps after it, so one run reports all problems. A step whose input is missing (the build) fails.
 * The last line is `N passed, N failed`. Each vitest test counts as one, and so does each other step.
 *
 * Names of steps as options run only those steps: `npm test -- lint types`.
 */
export function run(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown step: ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const results = steps.filter(({ name }) => names.length === 0 || names.includes(name)).map(perform);
  report(results);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
}

const steps = [
  {
    name: 'lint',
    about: 'biome: style and lint',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '.'],
  },
  {
    name: 'prose',
    about: 'textlint: the words of the writing guide, in Markdown files',
    script: 'scripts/prose.mjs',
    args: [],
  },
  {
    name: 'types',
    about: 'tsc: all code, and the type tests',
    script: 'node_modules/typescript/bin/tsc',
    args: ['-p', '.'],
  },
  {
    name: 'dead',
    about: 'knip: dead exports, unused or missing dependencies',
    script: 'node_modules/knip/bin/knip.js',
    args: [],
  },
  {
    name: 'tests',
    about: 'vitest: the test suite, with coverage, and a test for each rule of the specification',
    vitest: ['--coverage', '--reporter=./scripts/specification-map.ts'],
  },
  {
    name: 'build',
    about: 'tsup: ESM and CommonJS with types',
    script: 'scripts/build.mjs',
    args: [],
  },
  {
    name: 'package',
    about: 'vitest: the packed tarball, installed',
    vitest: ['--config', 'vitest.package.config.ts'],
  },
  {
    name: 'docs',
    about: 'vitest: the site, in Chromium',
    vitest: ['--config', 'vitest.docs.config.ts'],
  },
];

function perform(step) {
  console.log(`\n── ${step.name} · ${step.about}`);
  const started = performance.now();
  const counts = step.vitest ? runVitest(step.vitest) : runOne(step);
  return { ...step, ...counts, seconds: (performance.now() - started) / 1000 };
}

function runOne({ script, args }) {
  const status = node([script, ...args]);
  console.log(status === 0 ? 'ok' : `failed (exit code ${status})`);
  return { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0 };
}

function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-test-'));
  const file = join(folder, 'result.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args]);
    const counts = countsOf(file);
    if (status === 0 || counts.failed > 0) return counts;
    const why =
      'a file failed to load, an error was thrown outside a test, a rule has no test, or coverage is too low';
    console.log(`failed (exit code ${status}) without a failed test: ${why} (see above)`);
    return { ...counts, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function node(args) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}

function report(results) {
  console.log('\nstep      result   passed  failed  seconds');
  for (const { name, passed, failed, seconds } of results) {
    const cells = [String(passed).padStart(6), String(failed).padStart(6), seconds.toFixed(1).padStart(7)];
    console.log(`${name.padEnd(9)} ${(failed > 0 ? 'FAILED' : 'ok').padEnd(7)}  ${cells.join('  ')}`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  console.log(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
}
