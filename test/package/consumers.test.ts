import { expect, inject, test } from 'vitest';
import { consumers } from '../../scripts/consumers/list.js';
import { programs, suites } from '../../scripts/consumers/readme.js';

test('the README shows programs and test suites', () => {
  expect(programs().length).toBeGreaterThan(0);
  expect(suites().length).toBeGreaterThan(0);
});

// `npm run consumers` prints them as a table.
test.each(consumers)('the code of the README runs in a project of this kind: $name', async ({ run }) => {
  await run(inject('home'));
});
