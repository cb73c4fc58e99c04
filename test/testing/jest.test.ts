// This package provides Jest's `expect`.
import { expect as jestExpect } from 'expect';
import { expect, test } from 'vitest';
import { exploreFaults, succeeds } from 'worktrack/explore';
import type {} from 'worktrack/testing/jest';
import { matchers, withFixtures } from 'worktrack/testing/node';

jestExpect.extend(matchers);

test(
  "the matchers can be used with Jest's expect",
  withFixtures(async ({ mock, client }) => {
    await client.projects.create({ name: 'Apollo', key: 'APO' });

    jestExpect(mock).toHaveReceived('projects.create', { body: { key: jestExpect.stringMatching(/^A/) } });
    jestExpect(mock).not.toHaveReceived('projects.delete');
    jestExpect(mock).toHaveUsedScopes(['projects:write']);
    // @ts-expect-error The field name has a typo.
    expect(() => jestExpect(mock).toHaveReceived('tickets.create', { body: { titel: 'Launch' } })).toThrow(
      'did you mean "body.title"?',
    );
    const report = await exploreFaults(mock, ({ client }) => client.projects.list(), {
      check: succeeds(),
      kinds: ['revoked'],
    });
    jestExpect(report).not.toSurvive();
    expect(() => jestExpect(report).toSurvive()).toThrow('succeeds: the workflow failed');
  }),
);
