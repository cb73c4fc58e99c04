import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { world } from '../unit/server/support/server.js';
import { run, runAs, startMock, waitFor } from './support/processes.js';

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

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'worktrack-cli-'));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
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

  test('worktrack mock applies --seed, --now, --latency, and --rate-limit, even after a reset', async () => {
    const seed = join(await folder(), 'world.json');
    await writeFile(seed, JSON.stringify(world));
    const { url } = await start(
      '--seed',
      seed,
      '--now',
      '2030-01-01T00:00:00Z',
      '--latency',
      '1-2',
      '--rate-limit',
      '1',
    );
    await fetch(`${url}/__admin/reset`, { method: 'POST' });
    const get = () => fetch(`${url}/api/v1/tickets/tkt_1`, { headers: { authorization: 'Bearer wt_ci' } });

    expect((await (await get()).json()).data.created_at).toBe('2030-01-01T00:00:00.000Z');
    expect((await get()).status).toBe(429);
    expect((await (await fetch(`${url}/__admin/faults`)).json()).data).toMatchObject([{ latency: [1, 2] }]);
  });

  test('worktrack mock reloads a changed seed file with --watch, but keeps the current data if the file is invalid', async () => {
    const seed = join(await folder(), 'world.json');
    await writeFile(seed, JSON.stringify(world));
    const { url, lines } = await start('--seed', seed, '--watch');
    const name = async () =>
      (
        await (
          await fetch(`${url}/api/v1/organizations/org_acme`, { headers: { authorization: 'Bearer wt_ci' } })
        ).json()
      ).data.name;

    await writeFile(seed, JSON.stringify(world).replace('"Acme"', '"Acme two"'));
    await waitFor(() => lines.includes(`reloaded ${seed}`));
    expect(await name()).toBe('Acme two');

    await writeFile(seed, '{"organizations":[{}]}');
    await waitFor(() => lines.some((line) => line.includes('organizations[0].name: is required')));
    expect(await name()).toBe('Acme two');
  });

  test('worktrack mock prints a one-line error for a port in use, invalid seed data, a missing file, and a corrupt state file', async () => {
    const path = await folder();
    await writeFile(join(path, 'bad.json'), '{"organizations":[{"name":1}]}');
    await writeFile(join(path, 'corrupt.json'), '{"format":');
    const taken = await listen();
    cleanups.push(() => taken.close());
    const port = new URL(taken.url).port;

    const results = await Promise.all([
      run('mock', '--port', port),
      run('mock', '--port', '0', '--seed', join(path, 'bad.json')),
      run('mock', '--port', '0', '--seed', join(path, 'none.json')),
      run('mock', '--port', '0', '--persist', join(path, 'corrupt.json')),
    ]);

    expect(results.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    for (const { err } of results) expect(err).toMatch(/^worktrack: [^\n]+\n$/);
    expect(results.map(({ err }) => err).join('')).toMatch(
      /in use.+organizations\[0\]\.name: must be a string.+none\.json.+corrupt\.json doesn't contain valid state/s,
    );
  });
});

describe('worktrack conformance', () => {
  test('worktrack conformance writes text, JUnit, and JSON reports, and exits with code 1 if a rule fails', async () => {
    const server = await listen();
    cleanups.push(() => server.close());
    const { baseUrl, token, organization } = server.clientOptions();
    const args = ['conformance', '--base-url', baseUrl, '--organization', organization];
    const output = join(await folder(), 'report.xml');

    const text = await runAs(token, ...args, '--operation', 'boards.reorder', '--choices');
    expect([text.code, text.out]).toEqual([
      0,
      expect.stringMatching(/9 rules \(\d+ requests\), 8 passed, 0 failed, 1 not checkable\n$/),
    ]);

    server.mock.override('boards.list', () => new Response('{}', { status: 500 }));
    const junit = await runAs(
      token,
      ...args,
      '--operation',
      'boards.list',
      '--format',
      'junit',
      '--output',
      output,
    );
    expect([junit.code, junit.out]).toEqual([
      1,
      expect.stringMatching(/2 rules \(\d+ requests\), 0 passed, 1 failed, 1 not checkable\n$/),
    ]);
    expect(await readFile(output, 'utf8')).toContain(
      '<testsuite name="worktrack conformance" tests="2" failures="1" skipped="1"',
    );

    const json = await runAs(token, ...args, '--operation', 'boards.list', '--format', 'json');
    expect(JSON.parse(json.out)).toMatchObject({
      failed: 1,
      results: [{ outcome: 'not_checkable' }, { operation: 'boards.list', outcome: 'fail' }],
    });
  });

  test('worktrack conformance reports missing or invalid input and an unreachable deployment', async () => {
    const args = ['conformance', '--organization', 'x', '--base-url'];
    const [noArguments, unknown, typo, tokenless, asOption, unreachable] = await Promise.all([
      run('conformance'),
      run(...args, 'x'),
      run(...args, 'http://127.0.0.1:9', '--operation', 'tickets.mvoe'),
      run(...args, 'http://127.0.0.1:9'),
      run(...args, 'http://127.0.0.1:9', '--token', 'wt_secret'),
      runAs('x', ...args, 'http://127.0.0.1:9'),
    ]);

    expect([noArguments.code, unknown.code, unreachable.code]).toEqual([2, 2, 1]);
    expect(noArguments.err).toBe(
      'worktrack conformance: missing base URL; pass --base-url or set WORKTRACK_BASE_URL\n',
    );
    expect(typo.err).toContain(
      'invalid value "tickets.mvoe" for --operation. Unknown operation; did you mean "tickets.move"?',
    );
    expect(tokenless).toMatchObject({ code: 2, err: expect.stringContaining('set WORKTRACK_TOKEN') });
    expect(asOption).toMatchObject({ code: 2, err: expect.stringContaining('there is no --token option') });
    expect(unreachable.err).toMatch(/^worktrack: fetch failed \([^\n]+\)\n$/);
  });
});
