import { constants } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { shortWaits } from '../support/short-waits.js';
import { main, runScript, runWithInput } from './support/processes.js';

// Starting a process for every command takes time.
vi.setConfig({ testTimeout: 60_000 });

async function setUp(name = 'tickets.csv', content: string | Uint8Array = 'title,board_slug\nFuel,to-do\n') {
  const folder = await mkdtemp(join(tmpdir(), 'cli-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, content);
  const server = await listen();
  onTestFinished(() => server.close());
  const { mock } = server;
  const project = mock.add.project();
  mock.add.board({ project: project.id, name: 'To do' });
  const { baseUrl, token, organization } = server.clientOptions();
  const env = {
    ...shortWaits,
    WORKTRACK_BASE_URL: baseUrl,
    WORKTRACK_ORGANIZATION: organization,
    WORKTRACK_TOKEN: token as string,
  };
  return {
    folder,
    file,
    mock,
    project,
    titles: () => mock.state.tickets.all().map(({ title }) => title),
    env,
    runFile: (path: string, ...args: string[]) =>
      runWithInput(['import', path, '--project', project.id, '--concurrency', '1', ...args], [], env),
    run: (...args: string[]) =>
      runWithInput(['import', file, '--project', project.id, '--concurrency', '1', ...args], [], env),
    /** Runs a script in a shell. `$import` is the command. */
    runInShell: (script: string) =>
      runScript(script, {
        ...env,
        import: `${process.execPath} ${main} import ${file} --project ${project.id} --concurrency 1`,
      }),
  };
}

test('a worktrack process imports a file', async () => {
  const { run, titles } = await setUp();
  expect(await run()).toMatchObject({ code: 0, errors: '' });
  expect(titles()).toEqual(['Fuel']);
});

test('a worktrack process that imports an invalid file exits with code 2', async () => {
  const { run, file, titles } = await setUp('tickets.csv', '');
  const errors = `worktrack import: ${file} is empty\n`;
  expect(await run()).toEqual({ code: 2, output: '', errors });
  expect(titles()).toEqual([]);
});

test.each(['tickets.csv', 'tickets.ndjson'])(
  'worktrack import rejects a line that is longer than any string in %s',
  async (name) => {
    const { run, file } = await setUp(name, 'title,board_slug\n{"title":"');
    const handle = await open(file, 'a');
    const chunk = Buffer.alloc(1 << 24, 'x');
    for (let size = 0; size <= constants.MAX_STRING_LENGTH; size += chunk.length) await handle.write(chunk);
    await handle.close();
    const { code, errors } = await run();
    expect(code).toBe(2);
    expect(errors).toContain(`could not read ${file}: `);
    expect(errors.trim().split('\n')).toHaveLength(1);
  },
);

test.skipIf(process.platform === 'win32')(
  'worktrack import rejects files that it cannot read twice',
  async () => {
    const { folder, runFile } = await setUp();
    const fifo = join(folder, 'tickets.csv.fifo');
    execFileSync('mkfifo', [fifo]);
    const advice =
      "isn't a regular file; the import reads its input more than once, so save it to a file first";
    for (const path of ['-', '/dev/stdin', '/dev/fd/0', '/dev/null', fifo]) {
      expect(await runFile(path, '--format', 'csv')).toEqual({
        code: 2,
        output: '',
        errors: `worktrack import: ${path} ${advice}\n`,
      });
    }
    expect((await runFile(folder, '--format', 'csv')).errors).toBe(
      `worktrack import: could not read ${folder}: it's a folder\n`,
    );
    expect((await runFile(`${folder}/none.csv`)).errors).toBe(
      `worktrack import: could not read ${folder}/none.csv: no such file or folder\n`,
    );
  },
);

const rows = (count: number, text = '') =>
  `title,board_slug\n${Array.from({ length: count }, (_, index) => `Row ${index}${text},to-do\n`).join('')}`;

test.skipIf(process.platform === 'win32')(
  'worktrack import reports a full disk under its ledger, and loses nothing',
  async () => {
    const { runInShell, run, file, titles } = await setUp('tickets.csv', rows(100));
    // The limit is 8 kB per file.
    const { code, output, errors } = await runInShell('ulimit -f 8; $import');
    expect(code).toBe(1);
    expect(errors).toMatch(/^worktrack: the import stopped after \d+ rows: .*(EFBIG|too large)/m);
    expect(output).toMatch(/^\d+ created\n/);
    expect(output).toContain('To continue, run the same command with --resume.');
    expect(titles().length).toBeLessThan(100);

    expect(await run('--resume')).toMatchObject({ code: 0 });
    expect(new Set(titles()).size).toBe(100);
    expect(titles()).toHaveLength(100);
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'worktrack import finishes and exits with its own code if the reader of its output exits',
  async () => {
    const { runInShell, titles, file } = await setUp('tickets.csv', `${rows(20)}Radio,nowhere\n`);
    const { code, errors } = await runInShell('set -o pipefail; $import | true');
    expect([code, errors]).toEqual([1, '']);
    expect(titles()).toHaveLength(20);
    expect([existsSync(`${file}.failed.ndjson`), existsSync(`${file}.lock`)]).toEqual([true, false]);
  },
);

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('worktrack import stops on %s with exit code %i, and can be resumed', async (signal, exitCode) => {
  const { runInShell, run, mock, titles, folder } = await setUp('tickets.csv', rows(20));
  const pid = join(folder, 'pid');
  mock.override('tickets.create', async (_, next) => {
    if (titles().length === 5) process.kill(Number(await readFile(pid, 'utf8')), signal);
    return next();
  });
  const { code, output, errors } = await runInShell(`echo $$ > ${pid}; exec $import`);
  expect([code, errors]).toEqual([exitCode, 'Stopping. In-flight requests have five seconds to finish.\n']);
  expect(output).toMatch(/^\d created\n/);
  expect(await run('--resume')).toMatchObject({ code: 0 });
  expect(titles()).toHaveLength(20);
});
