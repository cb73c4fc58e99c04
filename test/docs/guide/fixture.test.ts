import { test as base, expect } from 'vitest';
import { fixtures, matchers, type WorktrackMatchers } from 'worktrack/testing';

declare module 'vitest' {
  interface Matchers<T> extends WorktrackMatchers<T> {}
}

expect.extend(matchers);
const test = base.extend(fixtures);

test('a project is created once', async ({ mock, client }) => {
  await client.projects.create({ name: 'Apollo', key: 'APO' });

  expect(mock).toHaveReceivedTimes('projects.create', 1, { body: { key: 'APO' } });
  expect(mock).toHaveUsedScopes(['projects:write']);
});
