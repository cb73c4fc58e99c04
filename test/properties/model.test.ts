import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationOf } from 'worktrack/contract';
import { operations } from '../support/operations.js';
import { checkSequences } from './check-sequences.js';
import { modeledOperations } from './model/response.js';
import { isLong, runs, secondsSince, seed } from './runs.js';

test('random sequences of operations get the responses that the model predicts', async () => {
  const numRuns = runs({ quick: 100, long: 2000 });
  const started = performance.now();
  const tally = await checkSequences({ numRuns, seed });
  const requests = [...tally.values()].reduce((sum, count) => sum + count, 0);
  const { WORKTRACK_TALLY_FILE: file } = process.env;
  // `npm run evidence` publishes these results.
  if (file) writeFileSync(file, JSON.stringify({ sequences: numRuns, seed, results: [...tally] }));
  expectEveryResult([...tally.keys()]);
  if (!isLong) return;
  const what = `${numRuns} sequences, ${requests} requests, ${tally.size} kinds of response`;
  console.info(`random sequences: ${what}, seed ${seed}, ${secondsSince(started)} s`);
}, 3_600_000);

/** Expects every operation to have succeeded, and each general or specific error to have occurred. */
function expectEveryResult(results: readonly string[]): void {
  for (const id of modeledOperations) {
    expect(results).toContain(`${id} ${operations[id].status}`);
    const codes = operationOf(id).errorCodes.filter((code) => code !== 'validation_failed');
    for (const code of codes) expect(results).toContain(`${id} 422 ${code}`);
  }
  for (const rejection of [
    '401 invalid_credential',
    '403 missing_scope',
    '403 wrong_organization',
    '404 not_found',
    '422 validation_failed',
  ])
    expect(results.filter((response) => response.endsWith(rejection)).length).toBeGreaterThan(10);
}
