import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';

/**
 * Runs the checks that gate every merge, and returns the exit code. If a step fails, the remaining steps still
 * run, so one run reports all problems. If the build is missing, the steps that need it fail. The last line
 * is `N passed, N failed`. These numbers include each Vitest test and each step that doesn't use Vitest.
 *
 * To run only some of the steps, pass their names: `npm test -- lint types`.
 */
export async function run(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown step: ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const selected = (list) => list.filter(({ name }) => names.length === 0 || names.includes(name));
  const results = await performAll(selected(checks), cores);
  // The browser tests run while the package tests pack the console, so they must not build it again.
  if (results.some(({ name, failed }) => name === 'build' && failed === 0)) {
    process.env.WORKTRACK_IS_BUILT = '1';
  }
  results.push(...(await performAll(selected(suites), suites.length)));
  report(results);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
}

const cores = Math.max(2, availableParallelism());

/** Each of these steps uses one core. The longest step comes first. */
const checks = [
  {
    name: 'build',
    about: 'tsup: ESM and CommonJS with types',
    script: 'tools/build.mjs',
    args: [],
  },
  {
    name: 'vue-types',
    about: 'vue-tsc: the site and the console',
    script: 'node_modules/vue-tsc/bin/vue-tsc.js',
    args: ['-p', 'docs'],
  },
  {
    name: 'types',
    about: 'tsc: all code, and the type tests',
    script: 'node_modules/typescript-7/bin/tsc',
    args: ['-p', '.'],
  },
  {
    name: 'lint',
    about: 'biome: style and lint',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '.'],
  },
  {
    name: 'imports',
    about: 'the import order of the folders',
    script: 'tools/imports.mjs',
    args: [],
  },
  {
    name: 'prose',
    about: 'textlint: the vocabulary in Markdown files',
    script: 'tools/prose.mjs',
    args: [],
  },
  {
    name: 'dead',
    about: 'knip: dead exports, unused or missing dependencies',
    script: 'node_modules/knip/bin/knip.js',
    args: ['--config', 'tools/knip.ts'],
  },
];

/**
 * These steps run after the others, all at the same time, even on two cores. They often wait, for example for
 * processes, databases, and the browser, so a single step would leave the cores idle.
 */
const suites = [
  {
    name: 'tests',
    about: 'vitest: the test suite with coverage, and a test for each rule in the specification',
    vitest: ['--project=shared', '--project=isolated', '--coverage', '--reporter=./tools/rule-coverage.ts'],
    isLive: true,
  },
  {
    name: 'docs',
    about: 'vitest: the site in Chromium',
    vitest: ['--project', 'browser', '--maxWorkers', String(cores)],
  },
  {
    name: 'package',
    about: 'vitest: the installed tarball',
    vitest: ['--project', 'package', '--maxWorkers', String(Math.ceil(cores / 2))],
  },
];

const steps = [...checks, ...suites];

/**
 * Runs the steps concurrently and returns their results in the original order. Prints the output of a live
 * step as it arrives, and the output of the other steps afterward, so that the outputs aren't interleaved.
 */
async function performAll(selected, concurrency) {
  const results = [];
  const waiting = [...selected.entries()];
  let live;
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, step] = next;
      const isLive = step.isLive || selected.length === 1;
      const run = perform(step, isLive);
      if (isLive) live = run;
      results[index] = await run;
      if (isLive) continue;
      await live;
      console.log(`${headingOf(step)}\n${results[index].output}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

const headingOf = ({ name, about }) => `\n── ${name} · ${about}`;

/** Runs a step and returns its result with its output. If the step is live, prints the output instead. */
async function perform(step, live) {
  if (live) console.log(headingOf(step));
  const started = performance.now();
  const { counts, output } = await (step.vitest ? runVitest(step.vitest, live) : runOne(step, live));
  const seconds = (performance.now() - started) / 1000;
  if (live) process.stdout.write(output);
  return { ...step, ...counts, seconds, output };
}

async function runOne({ script, args }, live) {
  const { status, output } = await node([script, ...args], live);
  const verdict = status === 0 ? 'ok' : `failed (exit code ${status})`;
  const counts = { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0 };
  return { counts, output: `${output}${verdict}\n` };
}

async function runVitest(args, live) {
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-test-'));
  const file = join(folder, 'result.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { status, output } = await node(
      ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
      live,
    );
    const counts = countsOf(file);
    if (status === 0 || counts.failed > 0) return { counts, output };
    const reasons =
      'a file failed to load, an error was thrown outside a test, a rule has no test, or coverage is too low';
    const note = `failed (exit code ${status}) without a failed test: ${reasons} (see above)\n`;
    return { counts: { ...counts, failed: 1 }, output: output + note };
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

/** Runs a program. Returns its output, or an empty string if the output is `live`. */
function node(args, live) {
  const output = live ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', output, output] });
  let printed = '';
  const capture = (chunk) => {
    printed += chunk;
  };
  child.stdout?.setEncoding('utf8').on('data', capture);
  child.stderr?.setEncoding('utf8').on('data', capture);
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status: status ?? 1, output: printed }));
  });
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
