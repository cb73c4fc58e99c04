import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { posixTest } from '../support/platforms.js';
import { shortWaits } from '../support/short-waits.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startServer } from '../unit/cli/support/server.js';
import { main, runScript, runWithInput } from './support/processes.js';

// Starting a process for every command takes time.
vi.setConfig({ testTimeout: 60_000 });

async function setUp(content = 'title,board_slug\nFuel,to-do\n') {
  const folder = await temporaryFolder();
  const file = join(folder, 'tickets.csv');
  await writeFile(file, content);
  const { mock, env: connection } = await startServer();
  const project = mock.add.project();
  mock.add.board({ project: project.id, name: 'To do' });
  const env = { ...shortWaits, ...connection };
  return {
    folder,
    file,
    mock,
    project,
    titles: () => mock.state.tickets.all().map(({ title }) => title),
    env,
    run: (...args: string[]) => runWithInput(['import', file, ...options(project.id), ...args], [], env),
    /** Runs a script in a shell. `$import` is the command. */
    runInShell: (script: string) =>
      runScript(script, {
        ...env,
        import: `${process.execPath} ${main} import ${file} ${options(project.id).join(' ')}`,
      }),
  };
}

const options = (project: string) => [
  '--project',
  project,
  '--source',
  'Jira',
  '--key',
  'title',
  '--concurrency',
  '1',
];

const rows = (count: number, text = '') =>
  `title,board_slug\n${Array.from({ length: count }, (_, index) => `Row ${index}${text},to-do\n`).join('')}`;

posixTest(
  "worktrack import reports only once that the disk is full, and doesn't lose anything from its book",
  async () => {
    const { runInShell, run, file, titles } = await setUp(rows(100, ' of a long file'.repeat(9)));
    // Limit files to a few kilobytes.
    const { code, output, errors } = await runInShell('ulimit -f 48; $import');
    expect(code).toBe(1);
    expect(errors.match(/^worktrack: the import stopped after \d+ rows: .*can't be written/gm)).toHaveLength(
      1,
    );
    expect(output).toMatch(/^\d+ created/);
    expect(output).toContain('To continue, run the same command again.');
    expect(titles().length).toBeLessThan(100);

    expect(await run()).toMatchObject({ code: 0 });
    expect(new Set(titles()).size).toBe(100);
    expect(titles()).toHaveLength(100);
    expect(existsSync(`${file}.failed.ndjson`)).toBe(false);
  },
);

posixTest(
  'worktrack import finishes with its usual exit code even if the program that reads its output exits early',
  async () => {
    const { runInShell, titles, file } = await setUp(`${rows(20)}Radio,nowhere\n`);
    const { code, errors } = await runInShell('set -o pipefail; $import | true');
    expect([code, errors]).toEqual([1, '']);
    expect(titles()).toHaveLength(20);
    expect(existsSync(`${file}.failed.ndjson`)).toBe(true);
  },
);

posixTest.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGKILL', null],
])(
  'after %s, worktrack import can be continued and creates every row exactly once',
  async (signal, exitCode) => {
    const { runInShell, run, mock, titles, folder } = await setUp(rows(20));
    const pid = join(folder, 'pid');
    mock.override('tickets.create', async (_, next) => {
      if (titles().length === 5) process.kill(Number(await readFile(pid, 'utf8')), signal);
      return next();
    });
    const { code, output, errors } = await runInShell(`echo $$ > ${pid}; exec $import`);
    expect(code).toBe(exitCode);
    if (signal !== 'SIGKILL') {
      expect(errors).toBe('Stopping. In-flight requests have five seconds to finish.\n');
      expect(output).toMatch(/^\d created/);
    }
    expect(await run()).toMatchObject({ code: 0 });
    expect([titles().length, new Set(titles()).size]).toEqual([20, 20]);
  },
);
