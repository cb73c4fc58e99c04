import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startMock } from './support/processes.js';

// Starting a process for every command takes time.
vi.setConfig({ testTimeout: 60_000 });

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function start(...args: string[]) {
  const running = await startMock(...args);
  cleanups.push(() => running.child.kill('SIGKILL'));
  return running;
}

describe('worktrack mock', () => {
  test('worktrack mock prints its URL and a valid token, and stops on SIGTERM', async () => {
    const { child, url, lines } = await start();
    expect(lines[0]).toBe(`worktrack mock is ready at ${url} (token wt_default, organization org_default)`);

    const response = await fetch(`${url}/api/v1/organizations/org_default`, {
      headers: { authorization: 'Bearer wt_default' },
    });
    expect(response.status).toBe(200);
    const { data } = await (await fetch(`${url}/__admin/clock`)).json();
    expect(data.frozen).toBe(false);

    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('worktrack mock requires the printed admin token with --host 0.0.0.0', async () => {
    const { url, lines } = await start('--host', '0.0.0.0', '--public-url', 'http://127.0.0.1:9/mock');
    const token = /admin token ([\w-]{32})\)$/.exec(lines[0] ?? '')?.[1];

    expect((await fetch(`${url}/__admin`)).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    const { data } = await (await fetch(`${url}/__admin`, { headers })).json();
    expect(data.baseUrl).toBe('http://127.0.0.1:9/mock');
  });
});
