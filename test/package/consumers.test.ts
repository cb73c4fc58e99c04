import { expect, inject, test } from 'vitest';
import { consumers } from '../../scripts/consumers/list.js';
import { programs, suites } from '../../scripts/consumers/readme.js';

test('the README contains programs and test suites', () => {
  expect(programs().length).toBeGreaterThan(0);
  expect(suites().length).toBeGreaterThan(0);
});

// `npm run consumers` prints the results as a table.
test.each(consumers)("the README's code runs in a $name project", async ({ run }) => {
  await run(inject('home'));
});
