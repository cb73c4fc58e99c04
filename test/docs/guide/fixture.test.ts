import { expect, test } from 'worktrack/testing/vitest';

test.override({ mockOptions: { now: '2026-01-05T09:00:00Z' } });

test('a project is created once', async ({ mock, client }) => {
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });

  expect(project.created_at).toBe('2026-01-05T09:00:00.000Z');
  expect(mock).toHaveReceivedTimes('projects.create', 1, { body: { key: 'APO' } });
  expect(mock).toHaveUsedScopes(['projects:write']);
});
