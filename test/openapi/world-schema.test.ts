import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { apolloWorld } from '../../docs/.vitepress/content/world.js';
import { root } from '../../tools/entries.js';
import { worldSchema } from '../../tools/openapi/world-schema.js';

const schema = JSON.parse(readFileSync(`${root}docs/public/world.schema.json`, 'utf8'));
const validate = new Ajv.default({ allErrors: true, strict: false }).compile(schema);

test('world.schema.json matches the seed data schemas (update it with npm run openapi)', () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(worldSchema())));
});

test('world.schema.json accepts the same seed data as the mock server, including the $schema field', () => {
  const world = { $schema: './node_modules/worktrack/dist/world.schema.json', ...apolloWorld };

  expect(validate(JSON.parse(JSON.stringify(world)))).toBe(true);
  expect(createMockServer({ world }).state.projects.all()).toHaveLength(1);
});

test('world.schema.json rejects typos and describes the fields at every level', () => {
  const world = { organizations: [{ name: 'Acme', projects: [{ name: 'Apollo', bords: [] }] }] };

  expect(validate(world)).toBe(false);
  expect(validate.errors).toMatchObject([
    { instancePath: '/organizations/0/projects/0', params: { additionalProperty: 'bords' } },
  ]);
  const { items } = schema.properties.organizations.items.properties.projects;
  expect(items.properties.boards.items.properties.tickets.items.properties.assignees.description).toBe(
    'The IDs or names of users who can see the project.',
  );
});
