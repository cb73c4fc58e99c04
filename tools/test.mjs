import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup.mjs';
import { isRecording, recordedResults, recordResults, summaryOf } from './test-results.mjs';

/**
 * Runs `npm test`, the fast checks, or `npm run test:all`, which runs everything else. Returns the exit code. If a
 * step fails, the remaining steps still run, so one run reports all problems. If the build is missing, the steps
 * that need it fail. The last line is `N passed, N failed`. These numbers include each Vitest test and each step
 * that doesn't use Vitest.
 *
 * To run only some steps of either command, pass their names: `npm test -- lint types`.
 */
export async function run(names, command) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown step: ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  if (unassigned.length > 0) {
    console.error(`These files belong to no step in tools/test.mjs: ${unassigned.join(', ')}`);
    return 1;
  }
  // In CI, `npm test` has just built the package.
  const isBuilt = ({ name, failed }) => name === 'build' && failed === 0;
  const wasBuilt = recordedResults().some(isBuilt);
  const selected = (list) =>
    list.filter(({ name, commands }) =>
      names.length > 0 ? names.includes(name) : commands.includes(command) && !(wasBuilt && name === 'build'),
    );
  const results = await performAll(selected(checks), cores);
  // The browser tests run while the package tests pack the console, so they must not build it again.
  if (wasBuilt || results.some(isBuilt)) process.env.WORKTRACK_IS_BUILT = '1';
  // In the fast gate, the suites run at the same time, because they often wait, for example for processes and the
  // browser. The long browser tests would time out beside other tests on two cores, so `test:all` runs one by one.
  results.push(...(await performAll(selected(suites), command === 'test' ? suites.length : 1)));
  report(results);
  recordResults(command, results);
  if (!isRecording) console.log(`\n${summaryOf(results)}`);
  return results.some(({ failed }) => failed > 0) ? 1 : 0;
}

const cores = Math.max(2, availableParallelism());

const fast = ['test'];
const slow = ['test:all'];

/** Each of these steps uses one core. The longest step comes first. */
const checks = [
  {
    name: 'build',
    about: 'tsup: ES modules with types',
    commands: [...fast, ...slow],
    script: 'tools/build.mjs',
    args: [],
  },
  {
    name: 'vue-types',
    about: 'vue-tsc: the site and the console',
    commands: slow,
    script: 'node_modules/vue-tsc/bin/vue-tsc.js',
    args: ['-p', 'docs'],
  },
  {
    name: 'types',
    about: 'tsc: all code, and the type tests',
    commands: fast,
    script: 'node_modules/typescript-7/bin/tsc',
    args: ['-p', '.'],
  },
  {
    name: 'lint',
    about: 'biome: style and lint',
    commands: fast,
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '.'],
  },
  {
    name: 'imports',
    about: 'the import order of the folders',
    commands: fast,
    script: 'tools/imports.mjs',
    args: [],
  },
  {
    name: 'budget',
    about: 'the number of lines in each folder',
    commands: fast,
    script: 'tools/line-budget.mjs',
    args: [],
  },
  {
    name: 'prose',
    about: 'textlint: the vocabulary in Markdown files',
    commands: slow,
    script: 'tools/prose.mjs',
    args: [],
  },
  {
    name: 'dead',
    about: 'knip: dead exports, unused or missing dependencies',
    commands: slow,
    script: 'node_modules/knip/bin/knip.js',
    args: ['--config', 'tools/knip.ts'],
  },
];

const units = ['--project=shared', '--project=isolated'];

/**
 * These steps run after the others.
 *
 * Each test file belongs to the step with the longest path in `files` that the file's path starts with.
 */
const suites = [
  {
    name: 'tests',
    about: 'vitest: unit tests, and a test for each rule in the specification',
    commands: fast,
    files: ['contract/', 'docs/', 'examples/', 'jobs/', 'mcp/', 'openapi/', 'rules/', 'types/', 'unit/'],
    vitest: [...units, '--reporter=./tools/rule-coverage.ts'],
    isLive: true,
  },
  {
    name: 'smoke',
    about: 'vitest: one page of the site and of the console in Chromium',
    commands: fast,
    files: ['browser/smoke.test.ts'],
    vitest: ['--project=browser'],
  },
  {
    name: 'install',
    about: 'vitest: every entry point of the installed tarball',
    commands: fast,
    files: ['package/modules.test.ts'],
    vitest: ['--project=package'],
  },
  {
    name: 'slow-tests',
    about: 'vitest: the remaining tests, and the coverage of all of them',
    commands: slow,
    files: [
      'changes/',
      'cli/',
      'conformance/',
      'deployment/',
      'endurance/',
      'hostile/',
      'import/',
      'properties/',
      'testing/',
    ],
    // The coverage is that of all tests, so this step also runs those of `npm test`, but doesn't count them.
    vitest: [...units, '--coverage'],
    runsAllFiles: true,
    isLive: true,
  },
  {
    name: 'browser',
    about: 'vitest: the site and the console in Chromium',
    commands: slow,
    files: ['browser/'],
    vitest: ['--project=browser', '--maxWorkers', String(cores)],
  },
  {
    name: 'package',
    about: 'vitest: the installed tarball in other tools',
    commands: slow,
    files: ['package/'],
    vitest: ['--project=package', '--maxWorkers', String(Math.ceil(cores / 2))],
  },
];

const steps = [...checks, ...suites];

const testFiles = readdirSync(join(root, 'test'), { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts'));

/** Returns the step that a file in `test/` belongs to. */
function suiteOf(path) {
  const candidates = suites.flatMap((suite) => suite.files.map((start) => ({ suite, start })));
  const matching = candidates.filter(({ start }) => path.startsWith(start));
  return matching.sort((one, other) => other.start.length - one.start.length)[0]?.suite;
}

const filesOf = (suite) => testFiles.filter((path) => suiteOf(path) === suite);

const unassigned = testFiles.filter((path) => !suiteOf(path));

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
  const { counts, output } = await (step.vitest ? runVitest(step, live) : runOne(step, live));
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

async function runVitest(suite, live) {
  const files = filesOf(suite).map((path) => `test/${path}`);
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-test-'));
  const file = join(folder, 'result.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { status, output } = await node(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        ...reporters,
        ...suite.vitest,
        ...(suite.runsAllFiles ? [] : files),
      ],
      live,
    );
    const counts = countsOf(file, files);
    if (status === 0 || counts.failed > 0) return { counts, output };
    const reasons =
      'a file failed to load, an error was thrown outside a test, a rule has no test, coverage is too low, or a ' +
      'test of another step failed';
    const note = `failed (exit code ${status}) without a failed test: ${reasons} (see above)\n`;
    return { counts: { ...counts, failed: 1 }, output: output + note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the counts of the tests in the given files. */
function countsOf(resultFile, files) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'));
    const own = new Set(files.map((path) => join(root, path)));
    for (const { assertionResults } of testResults.filter(({ name }) => own.has(join(name)))) {
      for (const { status } of assertionResults) counts[status in counts ? status : 'skipped'] += 1;
    }
    return counts;
  } catch {
    return { ...counts, failed: 1 };
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
  console.log('\nstep        result   passed  failed  seconds');
  for (const { name, passed, failed, seconds } of results) {
    const cells = [String(passed).padStart(6), String(failed).padStart(6), seconds.toFixed(1).padStart(7)];
    console.log(`${name.padEnd(11)} ${(failed > 0 ? 'FAILED' : 'ok').padEnd(7)}  ${cells.join('  ')}`);
  }
}
