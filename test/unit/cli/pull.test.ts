import { readdir, readFile, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { posixTest } from '../../support/platforms.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type CommandLineOptions, commandLine } from './support/run.js';

/** A deployment with two projects, and a folder for the seed file. */
async function start(options: CommandLineOptions = {}) {
  const folder = await temporaryFolder();
  const { mock, run } = commandLine(options);
  for (const key of ['APO', 'HER']) {
    const board = mock.add.board({ project: mock.add.project({ key, name: key }).id, name: 'Todo' });
    for (const title of ['Fuel valves', 'Seats']) mock.add.ticket({ board: board.id, title });
  }
  const file = join(folder, 'world.json');
  return { mock, run, folder, file };
}

test('worktrack pull writes a seed file that the mock server can load, and summarizes its contents', async () => {
  const { run, file } = await start();
  const { code, output, errors } = await run(
    'pull',
    '--project',
    'apo',
    '--keep',
    'titles,structure',
    '-o',
    file,
  );
  expect([code, errors]).toEqual([0, '']);
  expect(output.replace(file, 'world.json')).toBe(
    `Wrote world.json: 1 project, 1 board, 2 tickets, 0 documents, 1 user.
Not replaced: titles, structure, colors, numbers.
Missing, because the API doesn't return them: comments, notifications, tokens, deleted records.`,
  );
  const copy = createMockServer({ world: await readFile(file, 'utf8') });
  expect(copy.state.tickets.filter(() => true).map(({ title }) => title)).toEqual(['Fuel valves', 'Seats']);
});

test('worktrack pull --sample reports what was omitted', async () => {
  const { run, file } = await start();
  const { code, output } = await run('pull', '--sample', '1', '--no-documents', '-o', file);
  expect(code).toBe(0);
  expect(output).toContain('2 projects, 2 boards, 1 ticket, 0 documents, 1 user.');
  expect(output).toContain('The sample left out 3 tickets or documents.');
  expect(output).toContain('Not replaced: colors, numbers.');
});

test('worktrack pull writes the same file for the same key', async () => {
  const { mock, file } = await start();
  const { run } = commandLine({ mock, env: { WORKTRACK_PULL_KEY: 'a key for tests only' } });
  await run('pull', '-o', file);
  await run('pull', '-o', `${file}.2`);
  expect(await readFile(`${file}.2`, 'utf8')).toBe(await readFile(file, 'utf8'));
});

posixTest("worktrack pull doesn't replace a link that points to itself", async () => {
  const { run, file } = await start();
  await symlink(file, file);
  const { code, errors } = await run('pull', '-o', file);
  expect([code, errors]).toEqual([
    2,
    `worktrack pull: --output: could not write ${file}: too many symbolic links`,
  ]);
  expect(await readlink(file)).toBe(file);
});

test("worktrack pull doesn't leave a file behind if it's interrupted", async () => {
  const { mock, run, folder, file } = await start();
  mock.override('boards.list', () => {
    process.emit('SIGINT');
    return [];
  });
  const { code, errors } = await run('pull', '-o', file);
  expect([code, errors]).toEqual([1, `worktrack: the pull was stopped; ${file} was not written`]);
  expect(await readdir(folder)).toEqual([]);
});

test('worktrack pull exits with 3 if the credential lacks a scope, and with 4 if a project is unknown', async () => {
  const { mock, run, file } = await start();
  const token = mock.credentials.add({ scopes: ['organization:read', 'projects:read'] }).token;
  expect((await run('pull', '--project', 'XYZ', '-o', file)).code).toBe(4);
  const limited = await start({ mock, token });
  expect((await limited.run('pull', '-o', file)).code).toBe(3);
});
