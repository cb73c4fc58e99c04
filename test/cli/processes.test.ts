import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { linuxTest, posixTest } from '../support/platforms.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { rejected } from '../unit/cli/support/run.js';
import { startServer } from '../unit/cli/support/server.js';
import { main, runScript, runWithInput, startMock, waitFor } from './support/processes.js';

// Starting a process for every command takes time.
vi.setConfig({ testTimeout: 60_000 });

test('worktrack mock --host 0.0.0.0 prints an admin token and requires that token', async () => {
  const publicUrl = 'http://127.0.0.1:9/mock';
  const { child, url, lines } = await startMock('--host', '0.0.0.0', '--public-url', publicUrl);
  onTestFinished(() => void child.kill('SIGKILL'));
  const token = /admin token ([\w-]{32})\)$/.exec(lines[0] ?? '')?.[1];
  expect((await fetch(`${url}/__admin`)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const { data } = await (await fetch(`${url}/__admin`, { headers })).json();
  expect(data.baseUrl).toBe(publicUrl);
});

describe('--data -', () => {
  test('reads the payload from standard input and lets options override its fields', async () => {
    const { env } = await startServer();
    const payload = { name: 'Gemini', key: 'APO', description: 'Ä' };
    // The input is larger than a pipe's buffer, and one of its characters is split between two chunks.
    const bytes = Buffer.from(' '.repeat(100_000) + JSON.stringify(payload));
    const middle = bytes.indexOf('Ä') + 1;
    const { code, output, errors } = await runWithInput(
      ['projects', 'create', '--data', '-', '--name', 'Apollo'],
      [bytes.subarray(0, middle), bytes.subarray(middle)],
      env,
    );
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(output)).toMatchObject({ ...payload, name: 'Apollo' });
  });

  test('rejects empty input', async () => {
    const env = {
      WORKTRACK_BASE_URL: 'http://127.0.0.1:9',
      WORKTRACK_ORGANIZATION: 'org_1',
      WORKTRACK_TOKEN: 'wt',
    };
    expect(await runWithInput(['projects', 'create', '--data', '-'], [], env)).toEqual(
      rejected(
        'worktrack projects create: --data must be a JSON object, or "-" to read the object from standard input\n',
      ),
    );
  });
});

linuxTest("worktrack exits with 1 if there isn't enough disk space for its output", async () => {
  const { mock, env } = await startServer();
  mock.add.project({ description: 'x'.repeat(2000) });
  const folder = await temporaryFolder();
  const file = join(folder, 'projects.json');
  const script = `ulimit -f 1; '${process.execPath}' '${main}' projects list > '${file}'; echo $?`;
  expect(await runScript(script, env)).toEqual({
    code: 0,
    output: '1\n',
    errors: expect.stringMatching(/^worktrack: could not write the output: EFBIG: .*\n$/),
  });
  expect((await stat(file)).size).toBe(1024);
});

linuxTest(
  'worktrack mock --har keeps its file valid even if only part of a request fits on the disk',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'requests.har');
    const request = `fetch(process.env.WORKTRACK_BASE_URL + '/api/v1/projects/' + 'x'.repeat(200))`;
    const suite = `${process.execPath} -e "(async () => { for (let i = 0; i < 100; i++) await ${request} })()"`;
    const script = `ulimit -f 64; '${process.execPath}' '${main}' mock --har '${file}' --exec "$suite"`;
    const { code, errors } = await runScript(script, { suite });
    expect(errors).toContain(`--har: could not write ${file}: the file is too large; recording has stopped`);
    expect(code).toBe(0);
    const { entries } = JSON.parse(await readFile(file, 'utf8')).log;
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThan(100);
  },
);

linuxTest(
  "worktrack pull fails if its temporary file doesn't fit on the disk, even if the seed file would fit",
  async () => {
    const folder = await temporaryFolder();
    const { mock, env } = await startServer();
    const board = mock.add.board({ project: mock.add.project().id });
    for (let count = 0; count < 20; count++)
      mock.add.ticket({ board: board.id, title: 'Fuel', description_html: 'x'.repeat(2000) });
    const file = join(folder, 'world.json');
    const script = `ulimit -f 20; '${process.execPath}' '${main}' pull --sample 1 -o '${file}'`;
    const { code, errors } = await runScript(script, env);
    expect(errors).toBe(`worktrack pull: --output: could not write ${file}: the file is too large\n`);
    expect(code).toBe(2);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  },
);

posixTest(
  'worktrack mock stops when the npx process that started it is killed',
  { timeout: 60_000 },
  async () => {
    // Imitate npx, which runs the command through a shell and sets this variable.
    const command = `"${process.execPath}" "${main}" mock --port 0; true`;
    const npx = spawn('sh', ['-c', command], { env: { ...process.env, npm_command: 'exec' } });
    let url = '';
    createInterface(npx.stdout).on('line', (line) => {
      url = /http:\/\/\S+/.exec(line)?.[0] ?? url;
    });
    await waitFor(() => url !== '');
    npx.kill('SIGKILL');

    let stopped = false;
    while (!stopped) {
      stopped = await fetch(url).then(
        () => false,
        () => true,
      );
    }
    expect(stopped).toBe(true);
  },
);
