import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runWords } from '../unit/cli/support/run.js';

// Every run starts a process.
vi.setConfig({ testTimeout: 120_000 });

const fileOf = (name: string) => fileURLToPath(new URL(`programs/${name}`, import.meta.url));
const seed = fileOf('seed.json');
const program = (name: string) => `"${fileOf(name)}"`;
const node = `"${process.execPath}" ${program('create-orders.mjs')}`;

const explore = (exec: string, ...words: string[]) =>
  runWords(['explore', '--exec', exec, '--seed', seed, ...words], { env: process.env });

const hasPython = spawnSync('python3', ['--version']).status === 0;
const absent = hasPython ? '' : " (NOT RUN: python3 isn't installed)";

test.skipIf(!hasPython)(
  `worktrack explore explores a Python program and replays the problems that it finds${absent}`,
  async () => {
    const python = `python3 ${program('create_orders.py')}`;
    const kinds = ['--kinds', 'response_lost,status_503', '--require', 'noDuplicates'];
    const { code, output, errors } = await explore(python, ...kinds, '--format', 'json');
    expect([code, errors]).toEqual([1, '']);
    const { failed, ...totals } = JSON.parse(output);
    expect(totals).toMatchObject({ survived: false, runs: 7, skipped: 0 });
    expect(failed).toMatchObject([
      {
        id: 'response_lost:tickets.create:1',
        problems: [{ check: 'noDuplicates', message: 'duplicate ticket "Order 1"' }],
        requests: ['tickets.list', 'tickets.create', 'tickets.create', 'tickets.create'],
        difference: '+ ticket "Order 1"',
        reproduction: `npx worktrack explore --exec '${python}' --seed ${seed} --require noDuplicates --replay response_lost:tickets.create:1`,
      },
      { id: 'response_lost:tickets.create:2' },
    ]);
    const replayed = await explore(python, ...kinds, '--replay', failed[1].id, '--format', 'junit');
    expect(replayed.code).toBe(1);
    expect(replayed.output).toContain(
      '<testcase classname="worktrack explore" name="response_lost:tickets.create:2"><failure message="noDuplicates: duplicate ticket &quot;Order 2&quot;"/>',
    );
  },
);

test('worktrack explore restarts a Node.js program that crashes, and provides a folder for its files', async () => {
  const report = join(await temporaryFolder(), 'report.txt');
  const words = ['--kinds', 'crash_before', '--require', 'sameStateAsCleanRun', '--output', report];
  const { code, output } = await explore(node, ...words);
  expect([code, output]).toEqual([1, 'The command survived 2 of 4 runs.']);
  expect(await readFile(report, 'utf8')).toContain(
    'sameStateAsCleanRun: the result differs from the run without failures: - ticket "Order 1"',
  );
  const replayed = await explore(node, '--replay', 'crash_before:tickets.create:2');
  expect([replayed.code, replayed.output]).toEqual([
    1,
    expect.stringContaining(
      'converges: after running the workflow again, the result differs from the run without failures: - ticket "Order 2"',
    ),
  ]);
});

test('worktrack explore runs a check command and kills the background processes that it leaves behind', async () => {
  const pid = join(await temporaryFolder(), 'pid.txt');
  const { code, output } = await explore(
    `sleep 600 & echo $! > '${pid}'; ${node} | cat`,
    ...['--kinds', 'status_503', '--max-runs', '2', '--require', 'none'],
    ...['--check', `echo "after $WORKTRACK_FAILURE"; test -z "$WORKTRACK_FAILURE"`],
  );
  expect(output).toMatch(
    /^The command survived 1 of 2 runs\. 2 possible runs were skipped\.\n.*--check: exit code 1 after status_503:/s,
  );
  expect(code).toBe(1);
  const background = Number(await readFile(pid, 'utf8'));
  await expect.poll(() => isRunning(background)).toBe(false);
});

/** A killed process counts as stopped even if its parent hasn't noticed yet. */
const isRunning = (pid: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString());

test('worktrack explore stops a run that exceeds its time limit', async () => {
  const { code, errors } = await explore('sleep 600', '--run-timeout', '1');
  expect([code, errors]).toEqual([
    2,
    "worktrack explore: the command failed in the run without failures: the command didn't finish within 1000 ms",
  ]);
});

test.each([
  ['true', 'the command sent no requests to the mock server; it must use the URL in WORKTRACK_BASE_URL'],
  ['echo problem; exit 3', 'the command failed in the run without failures: exit code 3\nproblem'],
  [
    `ORDERS="$FOLDER/orders.txt" ${node}`,
    'sends different requests on every run: tickets.create 2 and 0 times',
  ],
])("worktrack explore rejects a command that can't be explored: %s", async (command, message) => {
  const { code, errors } = await explore(
    command.replace('$FOLDER', await temporaryFolder()),
    '--kinds',
    'status_503',
  );
  expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
});
