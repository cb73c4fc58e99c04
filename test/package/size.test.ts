import { expect, test } from 'vitest';
import { sizes } from '../../scripts/measure/size.js';

test.each(await sizes())(
  '$what is within its size budget when minified and gzipped ($gzipped of $budget bytes)',
  (size) => {
    expect(size.gzipped).toBeLessThanOrEqual(size.budget);
  },
);
