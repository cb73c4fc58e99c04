import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFixtures } from 'worktrack/testing/node';

test(
  'a project can be archived',
  withFixtures(async ({ mock, client }) => {
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });

    const archived = await client.projects.update(project.id, { archived: true });

    assert.ok(archived.archived_at);
    mock.requests.expect('projects.update', { body: { archived: true }, status: 200 });
  }),
);
