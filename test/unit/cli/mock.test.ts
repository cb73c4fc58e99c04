import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linuxTest, posixTest } from '../../support/platforms.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { world } from '../server/support/server.js';
import { replaceProperty } from './support/replace-property.js';
import { rejected, runWords } from './support/run.js';
import { startServer } from './support/server.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts `worktrack mock` on a free port in this process and waits until it's ready. */
async function start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)));
  const addedListeners = (signal: NodeJS.Signals) =>
    process.rawListeners(signal).filter((listener) => !before.has(listener)) as NodeJS.SignalsListener[];
  const lines: string[] = [];
  const onPrint = (text: string) => lines.push(text);
  const exited = runWords(['mock', '--port', '0', ...args], { env, onPrint }).then(({ code }) => code);
  /** Stops the server as if this process had received the signal. */
  const stop = (signal: NodeJS.Signals): Promise<number> => {
    for (const listener of addedListeners(signal)) listener(signal);
    return exited;
  };
  onTestFinished(async () => {
    await stop('SIGHUP');
    for (const signal of signals) {
      for (const listener of addedListeners(signal)) process.removeListener(signal, listener);
    }
  });
  await vi.waitFor(() => expect(lines).not.toEqual([]), 10_000);
  const [, url = ''] = /^worktrack mock is ready at (\S+)/.exec(lines[0] ?? '') ?? [];
  return { url, lines, stop, exited };
}

/** Writes a seed file, and returns its path. */
async function writeSeed(content: unknown = world): Promise<string> {
  const seed = join(await temporaryFolder(), 'world.json');
  await writeFile(seed, typeof content === 'string' ? content : JSON.stringify(content));
  return seed;
}

const get = (url: string, path: string, token = 'wt_ci') =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

const dataOf = async (response: Response | Promise<Response>) => (await (await response).json()).data;

test.each(signals)(
  'worktrack mock prints its URL, a valid token, and the organization, and stops on %s',
  async (signal) => {
    const { url, lines, stop } = await start();
    expect(lines[0]?.split('\n')[0]).toBe(
      `worktrack mock is ready at ${url} (token wt_default, organization org_default)`,
    );
    expect((await get(url, '/api/v1/organizations/org_default', 'wt_default')).status).toBe(200);
    expect(await dataOf(get(url, '/__admin/clock'))).toMatchObject({ frozen: false });

    expect(await stop(signal)).toBe(0);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  },
);

test('worktrack mock applies its options, which still apply after a reset', async () => {
  const seed = await writeSeed();
  const { url, lines } = await start(
    [
      ['--seed', seed],
      ['--now', '2030-01-01T00:00:00Z'],
      ['--latency', '10-12'],
      ['--rate-limit', '2'],
      ['--body-limit', '10'],
      ['--public-url', 'http://127.0.0.1:9/mock'],
    ].flat(),
    { WORKTRACK_ADMIN_TOKEN: 'adm_secret' },
  );
  expect(lines[0]).toContain('(token wt_ci, organization org_acme, admin token adm_secret)');
  const headers = { authorization: 'Bearer adm_secret' };
  await fetch(`${url}/__admin/reset`, { method: 'POST', headers });

  expect(await dataOf(get(url, '/api/v1/tickets/tkt_1'))).toMatchObject({
    created_at: '2030-01-01T00:00:00.000Z',
  });
  const tooLarge = await fetch(`${url}/api/v1/tickets/tkt_1`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer wt_ci', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Launch' }),
  });
  expect(tooLarge.status).toBe(413);
  expect((await get(url, '/api/v1/tickets/tkt_1')).status).toBe(429);
  expect(await dataOf(get(url, '/__admin/faults', 'adm_secret'))).toMatchObject([{ latency: [10, 12] }]);
  expect(await dataOf(get(url, '/__admin', 'adm_secret'))).toMatchObject({
    baseUrl: 'http://127.0.0.1:9/mock',
  });
});

test('worktrack mock --latency accepts a single number of milliseconds', async () => {
  const { url } = await start(['--latency', '12']);
  expect(await dataOf(get(url, '/__admin/faults'))).toMatchObject([{ latency: 12 }]);
});

test('worktrack mock has no faults or rate limit by default, and --rate-limit without a value sets a limit of 120 requests per minute', async () => {
  const limits = [];
  for (const args of [[], ['--rate-limit']]) {
    const { url } = await start(args);
    expect(await dataOf(get(url, '/__admin/faults'))).toEqual([]);
    const responses = await Promise.all(
      Array.from({ length: 121 }, () => get(url, '/api/v1/organizations/org_default', 'wt_default')),
    );
    limits.push(responses.filter(({ status }) => status === 200).length);
  }
  expect(limits).toEqual([121, 120]);
});

test('worktrack mock --random-seed generates the same IDs in every run, and --persist saves records between runs', async () => {
  const folder = await temporaryFolder();
  const createProject = async (url: string): Promise<string> => {
    const response = await fetch(`${url}/api/v1/organizations/org_default/projects`, {
      method: 'POST',
      headers: { authorization: 'Bearer wt_default', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Apollo', key: 'APO' }),
    });
    return (await dataOf(response)).id;
  };
  const args = ['--random-seed', 'a', '--now', '2030-01-01T00:00:00Z'];
  const ids = [];
  for (const file of ['one.json', 'two.json']) {
    const { url, stop } = await start([...args, '--persist', join(folder, file)]);
    ids.push(await createProject(url));
    await stop('SIGTERM');
  }
  expect(ids[0]).toBe(ids[1]);

  const { url } = await start(['--persist', join(folder, 'one.json')]);
  expect(await dataOf(get(url, '/api/v1/organizations/org_default/projects', 'wt_default'))).toMatchObject([
    { id: ids[0] },
  ]);
});

test('worktrack mock --watch reloads the seed file when it changes, unless the file is invalid', async () => {
  const seed = await writeSeed();
  const { url, lines } = await start(['--seed', seed, '--watch']);
  const name = async () => (await dataOf(get(url, '/api/v1/organizations/org_acme'))).name;

  await writeFile(seed, JSON.stringify(world).replace('"Acme"', '"Acme two"'));
  await vi.waitFor(() => expect(lines).toContain(`reloaded ${seed}`), 10_000);
  expect(await name()).toBe('Acme two');

  await writeFile(seed, '{"organizations":[{}]}');
  await vi.waitFor(
    () =>
      expect(lines.at(-1)).toMatch(
        /^could not reload .*world\.json, keeping the current data: .*organizations\[0\]\.name: is required/s,
      ),
    10_000,
  );
  expect(await name()).toBe('Acme two');
});

posixTest("worktrack mock --watch reloads the seed file when a symbolic link's target changes", async () => {
  const target = await writeSeed();
  const seed = join(await temporaryFolder(), 'link.json');
  await symlink(target, seed);
  const { lines } = await start(['--seed', seed, '--watch']);

  await writeFile(target, JSON.stringify(world).replace('"Acme"', '"Acme two"'));
  await vi.waitFor(() => expect(lines).toContain(`reloaded ${seed}`), 10_000);
});

test('worktrack mock prints a one-line error if the port is in use or the state file is corrupt', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'corrupt.json'), '{"format":');
  const { env } = await startServer();
  for (const [args, message] of [
    [['--port', new URL(env.WORKTRACK_BASE_URL).port], /in use/],
    [['--port', '0', '--persist', join(folder, 'corrupt.json')], /corrupt\.json isn't a state file/],
  ] as const) {
    const { code, output, errors } = await runWords(['mock', ...args]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^worktrack: [^\n]+$/);
    expect(errors).toMatch(message);
  }
});

test('worktrack mock exits with code 2 if the seed file is invalid', async () => {
  const seed = await writeSeed('{"organizations":[{"name":1}]}');
  expect(await runWords(['mock', '--port', '0', '--seed', seed])).toEqual(
    rejected('worktrack mock: --seed: organizations[0].name: must be a string'),
  );
});

test('worktrack mock accepts a seed file with a byte order mark', async () => {
  const seed = await writeSeed(`\ufeff${JSON.stringify(world)}`);
  const { lines } = await start(['--seed', seed]);
  expect(lines[0]).toContain('organization org_acme');
});

test('if the state file exists, worktrack mock reports that it ignores --seed', async () => {
  const seed = await writeSeed();
  const state = `${seed}.state`;
  const args = ['mock', '--seed', seed, '--persist', state, '--exec', 'exit 0'];
  const message = `--seed: ignored ${seed}, because ${state} contains the data`;
  expect((await runWords(args, { env: process.env })).errors).not.toContain(message);
  expect((await runWords(args, { env: process.env })).errors).toContain(message);
});

/** Writes a Node.js program, and returns a command that runs it. */
async function command(program: string): Promise<string> {
  const path = join(await temporaryFolder(), 'suite.mjs');
  await writeFile(path, program);
  // With `exec`, the shell doesn't convert signals to exit codes.
  return `exec "${process.execPath}" "${path}"`;
}

/** A program that exits with code 7 if its environment variables point to the server. */
const suite = `
  const { WORKTRACK_BASE_URL, WORKTRACK_TOKEN, WORKTRACK_ORGANIZATION } = process.env;
  const url = WORKTRACK_BASE_URL + '/api/v1/organizations/' + WORKTRACK_ORGANIZATION;
  const { status } = await fetch(url, { headers: { authorization: 'Bearer ' + WORKTRACK_TOKEN } });
  process.exit(status === 200 ? 7 : 1);`;

test('worktrack mock --exec runs a command, stops the server when the command exits, and exits with the same code', async () => {
  const listeners = signals.map((signal) => process.rawListeners(signal));
  const { code, output, errors } = await runWords(['mock', '--exec', await command(suite)], {
    env: process.env,
  });
  expect([code, output]).toEqual([7, '']);
  const [, url = ''] = /^worktrack mock is ready at (\S+)/.exec(errors) ?? [];
  expect(new URL(url).port).not.toBe('4010');
  expect(signals.map((signal) => process.rawListeners(signal))).toEqual(listeners);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test("worktrack mock --exec exits with 128 plus the signal's number if a signal terminates the command", async () => {
  const killed = await command("process.kill(process.pid, 'SIGKILL')");
  const { code } = await runWords(['mock', '--exec', killed], { env: process.env });
  expect(code).toBe(137);
});

posixTest('worktrack mock --exec reports to the command that tickets have a default board', async () => {
  const seed = await writeSeed({ ...world, settings: { default_board: 'To do' } });
  const check = 'test "$WORKTRACK_DEFAULT_BOARD" = true';
  expect((await runWords(['mock', '--exec', check], { env: process.env })).code).toBe(1);
  expect((await runWords(['mock', '--exec', check, '--seed', seed], { env: process.env })).code).toBe(0);
});

/** Starts a command that reacts to signals, and waits until it's ready. It can append text to a file. */
async function startExec(onSignals: string) {
  const file = join(await temporaryFolder(), 'received');
  const program = `import { appendFileSync } from 'node:fs';
    const write = (text) => appendFileSync(${JSON.stringify(file)}, text);
    ${onSignals}
    setInterval(() => {}, 1000);
    write('ready ');`;
  const { stop } = await start(['--exec', await command(program)], process.env);
  const received = () => readFile(file, 'utf8');
  await vi.waitFor(async () => expect(await received()).toBe('ready '), 10_000);
  return { stop, received };
}

test.each(signals)('worktrack mock --exec forwards %s to the command', async (signal) => {
  const { stop } = await startExec(`process.on('${signal}', () => process.exit(9));`);
  expect(await stop(signal)).toBe(9);
});

test("worktrack mock --exec doesn't forward Ctrl+C in a terminal, because the command receives it directly", async () => {
  replaceProperty(process.stdin, 'isTTY', true);
  const { stop, received } = await startExec(`
    process.on('SIGINT', () => write('SIGINT '));
    process.on('SIGTERM', () => process.exit(9));`);
  stop('SIGINT');
  expect(await stop('SIGTERM')).toBe(9);
  expect(await received()).toBe('ready ');
});

test.skipIf(process.platform === 'win32' || process.platform === 'darwin')(
  "worktrack mock --open opens the console, or prints how to build it if it's missing",
  async () => {
    const folder = await temporaryFolder();
    const opener = join(folder, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\necho "$1" > "${folder}/opened"\n`);
    await chmod(opener, 0o755);
    const { url, lines } = await start(['--open'], { PATH: `${folder}${delimiter}${process.env.PATH}` });
    const line = lines.find((text) => text.includes('\nConsole: '));
    if (line === undefined)
      expect(lines).toContain("The console hasn't been built. In a checkout, run `npm run build`.");
    else {
      expect(line).toContain(`\nConsole: ${url}/__admin/`);
      await vi.waitFor(
        async () => expect(await readFile(join(folder, 'opened'), 'utf8')).toBe(`${url}/__admin/\n`),
        10_000,
      );
    }
  },
);

test('worktrack mock --har writes every request to a file that is valid at all times', async () => {
  const file = join(await temporaryFolder(), 'requests.har');
  const entries = async () => JSON.parse(await readFile(file, 'utf8')).log.entries;
  const { url, stop } = await start(['--har', file]);
  expect(await entries()).toEqual([]);
  for (let index = 0; index < 25; index++) {
    await get(url, `/api/v1/projects/p${index}?echo=wt_default`, 'wt_default');
  }
  await vi.waitFor(async () => expect(await entries()).toHaveLength(25), 10_000);
  expect((await entries())[24]).toMatchObject({
    request: { method: 'GET', url: `${url}/api/v1/projects/p24?echo=[redacted]` },
    response: { status: 404, content: { text: expect.stringContaining('not_found') } },
  });
  await get(url, '/api/v1/organizations/org_default', 'wt_default');
  await stop('SIGTERM');
  const all = await entries();
  expect(all).toHaveLength(26);
  expect(JSON.parse(all[25].response.content.text).data.id).toBe('org_default');
  expect(await readFile(file, 'utf8')).not.toContain('wt_default');
  expect(await runWords(['conformance', '--har', file])).toMatchObject({ code: 0 });
});

test("worktrack mock --har stops the server if the file can't be written", async () => {
  const folder = await temporaryFolder();
  expect(await runWords(['mock', '--port', '0', '--har', folder])).toEqual(
    rejected(`worktrack mock: --har: could not write ${folder}: it's a folder`),
  );
});

linuxTest('worktrack mock --har stops the server if the disk is full', async () => {
  expect(await runWords(['mock', '--port', '0', '--har', '/dev/full'])).toEqual(
    rejected('worktrack mock: --har: could not write /dev/full: the disk is full'),
  );
});

test('worktrack mock can start without a credential, and a credential can be added later', async () => {
  const persist = ['--persist', join(await temporaryFolder(), 'state.json')];
  const first = await start(persist);
  await fetch(`${first.url}/__admin/credentials/wt_default`, { method: 'DELETE' });
  await first.stop('SIGTERM');

  const { url, lines } = await start(persist);
  expect(lines[0]?.split('\n')[0]).toBe(`worktrack mock is ready at ${url} (no credential)`);
  expect(await dataOf(fetch(`${url}/__admin`))).toEqual({
    space: '',
    now: expect.any(String),
    requests: 0,
  });
  await fetch(`${url}/__admin/credentials`, { method: 'POST', body: '{"token":"wt_new"}' });
  expect((await get(url, '/api/v1/organizations/org_default', 'wt_new')).status).toBe(200);
});

test("worktrack mock --persist prints a one-line error if the folder doesn't exist", async () => {
  const folder = join(await temporaryFolder(), 'missing');
  const path = join(folder, 'state.json');
  const { errors } = await runWords(['mock', '--port', '0', '--persist', path]);
  expect(errors).toBe(`worktrack: ${path} can't be opened: ENOENT: no such file or directory`);
});
