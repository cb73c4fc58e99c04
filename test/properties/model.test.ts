import { describe, test } from 'vitest';
import { checkSequences } from './check-sequences.js';
import { runs } from './runs.js';

describe('random sequences of all operations', () => {
  test('are answered as the model of the specification answers them', async () => {
    await checkSequences({ numRuns: runs({ quick: 200, long: 30_000 }) });
  }, 3_600_000);
});
