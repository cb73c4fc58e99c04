// `npm run evidence`: measures what the tests cover, and writes docs/public/evidence.json, its badge, and the
// tables in docs/what-you-can-rely-on.md. It keeps the scores that `npm run mutation:scores` stored.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarios } from '../addons/conformance/scenarios/index.js';
import { operationIds } from '../src/contract/index.js';
import { root } from './entries.js';
import { rulesIn, specifiedRules } from './rule-coverage.js';
import { badge, type Evidence, readEvidence, writeEvidence } from './support/evidence.js';

const date = new Date().toISOString().slice(0, 10);
const folder = mkdtempSync(join(tmpdir(), 'worktrack-evidence-'));
const titles = passedTitles('test/rules', 'test/contract', 'test/properties/model.test.ts');
const explored = passedTitles(
  'test/testing/explore/own-code.test.ts',
  'test/testing/explore/examples.test.ts',
);
/** The failure of each run, such as `response_lost:tickets.create:1`. */
const failures = readFileSync(join(folder, 'explored.txt'), 'utf8').split('\n').filter(Boolean);
const { results, ...model } = JSON.parse(readFileSync(join(folder, 'tally.json'), 'utf8')) as {
  sequences: number;
  seed: number;
  /** How often each operation returned each status, such as `tickets.move 200`. */
  results: [kind: string, count: number][];
};
rmSync(folder, { recursive: true });

const evidence: Evidence = {
  date,
  rules: Object.fromEntries(
    specifiedRules().map((id) => [id, titles.filter((title) => rulesIn(title).includes(id)).length]),
  ),
  model: { ...model, requests: sum(results.map(([, count]) => count)) },
  operations: Object.fromEntries(
    operationIds.map((id) => [
      id,
      {
        ruleTests: titles.filter((title) =>
          new RegExp(`(^|\\s)${id.replaceAll('.', '\\.')}(\\s|$)`).test(title),
        ).length,
        modelRequests: sum(results.flatMap(([kind, count]) => (kind.split(' ')[0] === id ? [count] : []))),
        conformanceChecks: scenarios.filter(({ operation }) => operation === id).length,
        exploredFailures: failures.filter((failure) => failure.split(':')[1] === id).length,
      },
    ]),
  ),
  explored,
  mutation: readEvidence().mutation,
};
writeEvidence(evidence);
writeFileSync(`${root}docs/public/evidence.svg`, badge(evidence));
await import('./docs-write.js');

/** Runs tests, and returns their titles. @throws Error if a test fails */
function passedTitles(...filters: string[]): string[] {
  const file = join(folder, 'report.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...filters,
    '--reporter=json',
    `--outputFile=${file}`,
  ];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      WORKTRACK_TALLY_FILE: join(folder, 'tally.json'),
      WORKTRACK_EXPLORED_FILE: join(folder, 'explored.txt'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('tests failed; run npm run docs:rules');
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.filter((test) => test.status === 'passed').map(({ title }) => title);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
