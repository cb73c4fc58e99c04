// This package provides Jest's `expect`.
import { expect as jestExpect } from 'expect';
import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { exploreFaults, matchers, noDuplicates, succeeds } from 'worktrack/testing';
import type {} from 'worktrack/testing/jest';

jestExpect.extend(matchers);

test("the matchers can be used with Jest's expect", async () => {
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  await client.projects.create({ name: 'Apollo', key: 'APO' });

  jestExpect(mock).toHaveReceived('projects.create', { body: { key: jestExpect.stringMatching(/^A/) } });
  jestExpect(mock).not.toHaveReceived('projects.delete');
  jestExpect(mock).toHaveUsedScopes(['projects:write']);
  expect(() =>
    // @ts-expect-error The field name has a typo.
    jestExpect(mock).not.toHaveReceived('tickets.create', { body: { titel: 'Launch' } }),
  ).toThrow('did you mean "body.title"?');
  expect(() => jestExpect(mock).toHaveReceived('projects.create', { body: { key: 'ZEU' } })).toThrow(
    'body.key: expected "ZEU", got "APO"',
  );
});

test("toSurvive can be used with Jest's expect", async () => {
  const mock = createMockServer();
  const explore = (check: typeof succeeds) =>
    exploreFaults(mock, ({ client }) => client.projects.list(), { check: check(), kinds: ['revoked'] });

  jestExpect(await explore(noDuplicates)).toSurvive();
  const report = await explore(succeeds);
  expect(() => jestExpect(report).toSurvive()).toThrow('succeeds: the workflow failed');
});
