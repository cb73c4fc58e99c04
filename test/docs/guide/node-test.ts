import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

test('a project can be archived', async () => {
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });

  const archived = await client.projects.update(project.id, { archived: true });

  assert.ok(archived.archived_at);
});
