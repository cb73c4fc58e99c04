import { existsSync } from 'node:fs';
import { appendFile, link, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { setUpImport } from './support/import.js';
import { rejected } from './support/run.js';

const rows = 'Key,title,board_slug\nA,Fuel,to-do\nB,Doors,to-do\n';

async function setUp(content = rows, ...args: string[]) {
  const mock = createMockServer();
  // Route requests for every deployment to the same server.
  const fetch: typeof globalThis.fetch = async (input, init) => mock.handle(new Request(input, init));
  const setting = await setUpImport('tickets.csv', content, { mock, client: { fetch } });
  expect(await setting.run('--concurrency', '1', ...args)).toMatchObject({ code: 0 });
  const ledger = `${setting.file}.${setting.project.id}.ledger`;
  const rejection = async (...resumed: string[]) => {
    const { code, output, errors } = await setting.run('--resume', ...resumed);
    expect([code, output]).toEqual([2, '']);
    return errors;
  };
  return { ...setting, ledger, rejection };
}

test('if the project already has a ledger, worktrack import rejects a renamed file, and the error names both ledgers', async () => {
  const { runFile, folder, file, ledger, project, titles } = await setUp(rows, '--key', 'Key');
  const next = join(folder, 'april.csv');
  await writeFile(next, `${rows}C,Radio,to-do\n`);
  const nextLedger = `${next}.${project.id}.ledger`;
  expect(await runFile(next, '--key', 'Key')).toEqual(
    rejected(
      `worktrack import: ${next} hasn't been imported, but the ledger ${ledger} contains an import into the same project; if ${next} is a newer export, pass --ledger ${ledger} --resume --new-export; to create a ticket for each of its rows, pass --ledger ${nextLedger}`,
    ),
  );
  expect(existsSync(nextLedger)).toBe(false);

  expect(await runFile(next, '--key', 'Key', '--ledger', ledger, '--resume')).toMatchObject(
    rejected(
      `worktrack import: ${ledger} records an import of ${file}; if ${next} is a newer export with the same keys, pass --new-export; otherwise, pass another file with --ledger`,
    ),
  );
  const resumed = ['--key', 'Key', '--ledger', ledger, '--resume'];
  expect(await runFile(next, ...resumed, '--new-export')).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 created, 2 already imported'),
  });
  // From now on, the ledger belongs to the new file.
  expect(await runFile(next, ...resumed)).toMatchObject({ code: 0 });
  expect((await runFile(file, ...resumed)).code).toBe(2);
  expect(titles()).toHaveLength(3);
});

test('with a second ledger, worktrack import can start another import into the same project', async () => {
  const { runFile, folder, titles } = await setUp();
  const next = join(folder, 'april.csv');
  await writeFile(next, rows);
  expect((await runFile(next)).errors).toMatch(/; if \S+ only has a new name, pass --ledger \S+ --resume; /);
  expect(await runFile(next, '--ledger', join(folder, 'april.progress'))).toMatchObject({ code: 0 });
  expect(titles()).toHaveLength(4);
});

test('worktrack import --resume fails if there is no ledger', async () => {
  const { run, file, folder, project, mock, runFile } = await setUpImport('tickets.csv', rows);
  const ledger = `${file}.${project.id}.ledger`;
  const missing = `worktrack import: there is no import to resume, because ${ledger} doesn't exist`;
  expect(await run('--resume')).toEqual(rejected(`${missing}; omit --resume to start a new import`));
  expect([existsSync(ledger), mock.state.tickets.all()]).toEqual([false, []]);

  const old = join(folder, 'march.csv');
  await writeFile(old, rows);
  await runFile(old);
  expect((await run('--resume')).errors).toBe(
    `${missing}; did you mean --ledger ${old}.${project.id}.ledger?`,
  );
});

test('worktrack import --resume rejects a different key column', async () => {
  const { rejection, ledger, titles } = await setUp(rows, '--key', 'Key');
  const records = `worktrack import: ${ledger} records an import with --key Key; resume it with the same key`;
  expect(await rejection()).toBe(`${records} (got no --key)`);
  expect(await rejection('--key', 'title')).toBe(`${records} (got --key title)`);
  expect(titles()).toHaveLength(2);

  const numbered = await setUp();
  expect(await numbered.rejection('--key', 'Key')).toBe(
    `worktrack import: ${numbered.ledger} records an import without --key; resume it with the same key (got --key Key)`,
  );
});

test('worktrack import --resume without --key rejects a file if a row was inserted at the top', async () => {
  const { rejection, file, titles } = await setUp();
  await writeFile(file, rows.replace('A,', 'Z,Radio,to-do\nA,'));
  expect(await rejection()).toBe(
    `worktrack import: line 2 of ${file} has changed since it was imported as row 1; without --key, you can only correct rows that failed and add rows at the end`,
  );
  expect(titles()).toEqual(['Fuel', 'Doors']);
});

test('worktrack import --resume without --key rejects a file if a failed row was removed from it', async () => {
  const { run, file, titles } = await setUpImport(
    'tickets.csv',
    'title,board_slug\nFuel,nowhere\nDoors,nowhere\nRadio,to-do\n',
  );
  expect(await run()).toMatchObject({ code: 1 });
  await writeFile(file, 'title,board_slug\nFuel,to-do\nRadio,to-do\nSeats,to-do\n');
  // Otherwise, row 2 would create a second ticket for "Radio".
  expect((await run('--resume')).errors).toContain('line 4 of ');
  expect(titles()).toEqual(['Radio']);
});

test('worktrack import --resume without --key accepts corrected rows and new rows at the end', async () => {
  const { run, file, titles } = await setUpImport(
    'tickets.csv',
    'title,board_slug\nFuel,to-do\nDoors,nowhere\n',
  );
  expect(await run()).toMatchObject({ code: 1 });
  await writeFile(file, 'title,board_slug\nFuel,to-do\nDoors,to-do\nRadio,to-do\n');
  expect(await run('--resume', '--concurrency', '1')).toMatchObject({
    code: 0,
    output: expect.stringContaining('2 created, 1 already imported'),
  });
  expect(titles()).toEqual(['Fuel', 'Doors', 'Radio']);
});

test('worktrack import --resume without --key rejects a different file or different columns, but accepts a moved file', async () => {
  const { runFile, rejection, folder, file, ledger, titles } = await setUp(
    'title,Summary,board_slug\nFuel,Refuel,to-do\n',
  );
  expect(await rejection('--map', 'title=Summary')).toBe(
    `worktrack import: ${ledger} records an import with --map board_slug=board_slug --map title=title; resume it with the same columns (got --map board_slug=board_slug --map title=Summary)`,
  );
  const moved = join(folder, 'moved.csv');
  await rename(file, moved);
  expect(await runFile(moved, '--ledger', ledger, '--resume')).toMatchObject({ code: 0 });
  await writeFile(file, 'title,board_slug\nDoors,to-do\n');
  expect((await runFile(file, '--ledger', ledger, '--resume')).errors).toBe(
    `worktrack import: ${ledger} records an import of ${moved} without --key; resume it with the same file`,
  );
  expect(titles()).toEqual(['Fuel']);
});

test('worktrack import --resume rejects a ledger that belongs to another deployment or project', async () => {
  const { rejection, ledger, mock } = await setUp();
  expect(await rejection('--base-url', 'https://staging.example.com')).toMatch(
    /records an import into \S+; to import into https:\/\/staging.example.com\/, pass another file with --ledger$/,
  );
  const { id } = mock.add.project();
  expect(await rejection('--project', id, '--ledger', ledger)).toMatch(/belongs to the import "tickets:/);
});

test('worktrack import rejects a ledger path that is already used for another purpose', async () => {
  const { run, file, folder, titles } = await setUpImport('tickets.csv', rows);
  await link(file, join(folder, 'hard-link'));
  await symlink(`${file}.failed.ndjson`, join(folder, 'link'));
  await writeFile(`${file}.failed.ndjson`, '');
  for (const path of [
    file,
    `${file}.failed.ndjson`,
    `${file}.dry-run.ndjson`,
    join(folder, 'hard-link'),
    join(folder, 'link'),
  ]) {
    expect(await run('--ledger', path)).toEqual(
      rejected(`worktrack import: --ledger: ${path} is already used for another file; pass a different path`),
    );
  }
  expect((await run('--ledger', folder)).errors).toBe(
    `worktrack import: could not open the ledger ${folder}: it isn't a regular file`,
  );
  expect((await run('--ledger', join(file, 'x'))).errors).toBe(
    `worktrack import: could not open the ledger ${join(file, 'x')}: a part of the path isn't a folder`,
  );
  const other = join(folder, 'other.txt');
  await writeFile(other, 'Dear diary\n');
  expect(await run('--ledger', other)).toMatchObject(
    rejected(expect.stringMatching(/isn't an import ledger/)),
  );
  expect([await readFile(other, 'utf8'), await readFile(file, 'utf8'), titles()]).toEqual([
    'Dear diary\n',
    rows,
    [],
  ]);
});

test('worktrack import reports that a file has changed since it was validated', async () => {
  const { run, file, mock, titles } = await setUpImport('tickets.csv', rows);
  mock.override('boards.list', async (_, next) => {
    await appendFile(file, 'C,Radio,to-do\n');
    return next();
  });
  expect(await run('--concurrency', '1')).toEqual({
    code: 1,
    output: expect.stringMatching(/^3 created\n.*\nTo continue, run the same command with --resume\.$/),
    errors: `worktrack: the import stopped after 3 rows: ${file} has changed since it was checked (2 rows then, 3 rows now); check the result, and run the command again with --resume`,
  });
  expect(titles()).toEqual(['Fuel', 'Doors', 'Radio']);
});
