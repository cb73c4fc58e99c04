import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';

const guide = readFileSync(
  fileURLToPath(new URL('../../docs/testing/mock-server-over-http.md', import.meta.url)),
  'utf8',
);
const [, suite = ''] = /^```py\n(.*?)^```$/ms.exec(guide) ?? [];
const hasPython = spawnSync('python3', ['--version']).status === 0;
const absent = hasPython ? '' : " (NOT RUN: python3 isn't installed)";

test.skipIf(!hasPython)(`the guide's Python test passes against a mock server${absent}`, async () => {
  const server = await listen({ port: 0, world });
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-python-'));
  try {
    expect(suite).toContain('http://127.0.0.1:4010');
    writeFileSync(join(folder, 'suite.py'), suite.replace('http://127.0.0.1:4010', server.url));
    const { stderr } = await promisify(execFile)('python3', ['suite.py'], { cwd: folder });
    expect(stderr).toMatch(/^Ran 1 test in .*\n+OK$/m);
  } finally {
    rmSync(folder, { recursive: true });
    await server.close();
  }
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
