import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkSequences } from './check-sequences.js';
import { isLong, runs, secondsSince, seed } from './runs.js';

describe('random sequences of operations', () => {
  test('random sequences of operations get the responses that the model predicts', async () => {
    const numRuns = runs({ quick: 80, long: 2000 });
    const started = performance.now();
    const tally = await checkSequences({ numRuns, seed });
    const requests = [...tally.values()].reduce((sum, count) => sum + count, 0);
    expect(requests).toBeGreaterThan(numRuns);
    const { WORKTRACK_TALLY_FILE: file } = process.env;
    // `npm run evidence` publishes what was compared.
    if (file) writeFileSync(file, JSON.stringify({ sequences: numRuns, seed, results: [...tally] }));
    if (!isLong) return;
    const what = `${numRuns} sequences, ${requests} requests, ${tally.size} kinds of response`;
    console.info(`random sequences: ${what}, seed ${seed}, ${secondsSince(started)} s`);
  }, 3_600_000);
});
