import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { linuxTest } from '../support/platforms.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startServer } from '../unit/cli/support/server.js';
import { main, runScript, waitFor } from './support/processes.js';

// Starting a process for every command takes time.
vi.setConfig({ testTimeout: 60_000 });

/** Starts a server with a project, and returns a function that starts `worktrack watch` for it. */
async function start() {
  const { server, mock, env: connection } = await startServer();
  const folder = await temporaryFolder();
  const project = mock.add.project({ key: 'APO' });
  const board = mock.add.board({ project: project.id }).id;
  const client = new Worktrack(server.clientOptions());
  const env = { ...process.env, ...connection };
  const words = [main, 'watch', '--project', 'APO', '--book', join(folder, 'apo')];
  /** Runs a script in which `watch` is the command without options. */
  const inShell = (script: string) =>
    runScript(script.replace('watch', `'${[process.execPath, ...words].join("' '")}'`), env);
  const watch = (...args: string[]) => {
    const child = spawn(process.execPath, [...words, '--every', '0.02', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const changes = () =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { id: string; type: string; recordId: string });
    return { child, changes, errors: () => errors };
  };
  /** Waits until `worktrack watch` has read the tickets again. */
  const nextSweep = async () => {
    const before = mock.requests.matching('tickets.list').length;
    await waitFor(() => mock.requests.matching('tickets.list').length > before + 1);
  };
  return { mock, client, project, board, watch, inShell, nextSweep };
}

test('worktrack watch prints changes as they happen and exits with 0 on SIGTERM', async () => {
  const { client, project, board, watch, nextSweep } = await start();
  const { child, changes, errors } = watch();
  await nextSweep();
  const { id } = await client.tickets.create(project.id, { board_id: board, title: 'New' });
  await waitFor(() => changes().length === 1);
  await client.tickets.delete(id);
  await waitFor(() => changes().length === 2);
  expect(changes().map(({ type }) => type)).toEqual(['ticket.created', 'ticket.deleted']);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(errors()).toBe('');
});

test("worktrack watch doesn't miss a change even if it's killed at random times", async () => {
  const { mock, client, project, board, watch, nextSweep } = await start();
  const first = watch();
  await nextSweep();
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const expected: string[] = [];
  const delivered = new Map<string, string>();
  for (let round = 0; round < 4; round++) {
    const run = watch();
    const created = Array.from({ length: 10 }, (_, index) =>
      client.tickets.create(project.id, { board_id: board, title: `${round}.${index}` }),
    );
    for (const { id } of await Promise.all(created)) expected.push(id);
    // The last process is killed only after it has delivered all changes.
    if (round === 3)
      await waitFor(
        () => new Set([...delivered.values(), ...run.changes().map((change) => change.recordId)]).size === 40,
      );
    else await waitFor(() => run.changes().length > round);
    run.child.kill('SIGKILL');
    await once(run.child, 'close');
    for (const { id, type, recordId } of run.changes()) {
      expect(type).toBe('ticket.created');
      expect(delivered.get(id) ?? recordId).toBe(recordId);
      delivered.set(id, recordId);
    }
  }
  // If a change was delivered twice, it had the same ID both times.
  expect([...delivered.values()].sort()).toEqual(expected.sort());
  expect(mock.state.tickets.all()).toHaveLength(40);
});

linuxTest.each([
  ['the disk is full', 'watch --once > /dev/full; echo $?', /^(worktrack: could not .*ENOSPC: .*\n)+$/],
  [
    'the reader has closed the pipe',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The shell replaces it.
    'watch --once | true; echo ${PIPESTATUS[0]}',
    /^worktrack: could not print change \S{16} \(write EPIPE\)\n$/,
  ],
])(
  'worktrack watch exits with 1 if %s, and the next run prints the change again',
  async (_, script, errors) => {
    const { client, project, board, inShell } = await start();
    expect((await inShell('watch --once')).code).toBe(3);
    const { id } = await client.tickets.create(project.id, { board_id: board, title: 'New' });
    const failed = await inShell(script);
    expect(failed).toEqual({ code: 0, output: '1\n', errors: expect.stringMatching(errors) });
    const { code, output } = await inShell('watch --once');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ type: 'ticket.created', recordId: id });
  },
);

linuxTest("worktrack watch fails if there isn't enough disk space for the book", async () => {
  const { mock, board, inShell } = await start();
  for (let count = 0; count < 20; count++) mock.add.ticket({ board, title: 'Fuel' });
  const { output, errors } = await inShell('ulimit -f 1; watch --once; echo $?');
  expect(output).toBe('2\n');
  expect(errors).toMatch(/apo can't be opened: disk I\/O error/);
  expect(await inShell('watch --once; echo $?')).toMatchObject({ output: '3\n' });
});
