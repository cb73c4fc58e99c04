import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';

const guide = readFileSync(new URL('../../docs/testing/mock-server-over-http.md', import.meta.url), 'utf8');
const [, suite = ''] = /^```py\n(.*?)^```$/ms.exec(guide) ?? [];
const hasPython = spawnSync('python3', ['--version']).status === 0;
const absent = hasPython ? '' : " (NOT RUN: python3 isn't installed)";

test.skipIf(!hasPython)(`the guide's Python test passes against a mock server${absent}`, async () => {
  await using server = await listen({ port: 0, world });
  expect(suite).toContain('http://127.0.0.1:4010');
  const code = suite.replace('http://127.0.0.1:4010', server.url);
  const { stderr } = await promisify(execFile)('python3', ['-c', code]);
  expect(stderr).toMatch(/^Ran 1 test in .*\n+OK$/m);
});

const world = {
  organizations: [
    {
      name: 'Acme',
      credentials: [{ token: 'wt_ci', name: 'CI bot', scopes: ['*' as const] }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          boards: [{ id: 'brd_doing', name: 'Doing', wip_limit: 1, tickets: [{ title: 'Launch' }] }],
        },
      ],
    },
  ],
};
