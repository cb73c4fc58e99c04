import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('Playwright tests of a server-rendered app that run in parallel each use their own space', async () => {
  await using mock = await listen({ world: { organizations: [{ id: 'org_acme', name: 'Acme' }] } });
  const output = await temporaryFolder();
  const app = spawn(process.execPath, ['--import', 'tsx', 'examples/server-rendered/server.tsx'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      WORKTRACK_BASE_URL: mock.url,
      WORKTRACK_TOKEN: 'wt_ci',
      WORKTRACK_ORGANIZATION: 'org_acme',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill());
  const [line] = await once(createInterface(app.stdout), 'line');
  const appUrl = String(line).replace('ready at ', '');
  // Playwright waits for this page to load, because the page with the tickets returns an error without a
  // space.
  expect((await fetch(new URL('/health', appUrl))).status).toBe(200);
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    BROWSER: inject('browser'),
    APP_URL: appUrl,
    MOCK_URL: mock.url,
    PLAYWRIGHT_OUTPUT: output,
  };

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'test', '-c', 'test/browser/server-rendered'],
    { cwd: root, env },
  );

  expect(stdout).toContain('4 passed');
  expect(mock.mock.requests.length).toBe(0);
}, 120_000);
