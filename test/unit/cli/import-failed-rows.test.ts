import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { posixTest } from '../../support/platforms.js';
import { setUpImport } from './support/import.js';

const failing = (count: number) =>
  `title,board_slug\n${Array.from({ length: count }, (_, index) => `Row ${index},nowhere\n`).join('')}`;

test('worktrack import writes every failed row to a file with its line number, even if more than 1,000 rows fail', async () => {
  const { run, failed } = await setUpImport('tickets.csv', failing(1010));
  expect(await run()).toMatchObject({
    code: 1,
    output: expect.stringContaining('1010 rows failed or are in doubt; see '),
  });
  const rows = await failed();
  expect(rows).toHaveLength(1010);
  expect(rows[1009]).toMatchObject({ key: 'Row 1009', line: 1011, row: { title: 'Row 1009' } });
});

test('worktrack import writes a failed row without its content if the content is too deeply nested', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { run, failed } = await setUpImport(
    'tickets.ndjson',
    `{"id":"A","title":${deep},"board_slug":"to-do"}\n`,
  );
  expect(await run('--key', 'id')).toMatchObject({ code: 1, errors: '' });
  expect(await failed()).toEqual([{ key: 'A', line: 1, state: 'failed', error: expect.anything() }]);
});

posixTest(
  'worktrack import gives the failed-rows file the same mode as the source file and replaces a symbolic link at its path',
  async () => {
    const { run, file, folder, failed } = await setUpImport('tickets.csv', failing(1));
    await chmod(file, 0o600);
    const target = join(folder, 'target.txt');
    await writeFile(target, 'precious');
    await symlink(target, `${file}.failed.ndjson`);
    expect(await run()).toMatchObject({ code: 1 });
    expect(await failed()).toHaveLength(1);
    expect([(await lstat(`${file}.failed.ndjson`)).isFile(), await readFile(target, 'utf8')]).toEqual([
      true,
      'precious',
    ]);
    expect((await stat(`${file}.failed.ndjson`)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
);

posixTest("worktrack import doesn't replace a pipe at the path of the failed-rows file", async () => {
  const { run, file } = await setUpImport('tickets.csv', failing(1));
  const pipe = `${file}.failed.ndjson`;
  execFileSync('mkfifo', [pipe]);
  const { code, errors } = await run();
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining(`could not write ${pipe}: it's a pipe, device, or socket; `),
  ]);
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});

test("if the failed rows can't be written, worktrack import prints its summary and exits with code 1", async () => {
  const { run, file, folder } = await setUpImport('tickets.csv', `${failing(1)}Fuel,to-do\n`);
  await mkdir(`${file}.failed.ndjson/in-the-way`, { recursive: true });
  const { code, output, errors } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/^1 created, 1 failed in /);
  expect(errors).toMatch(
    /^worktrack: could not write .*\.failed\.ndjson: it's a folder; to write it, fix the problem, and run the same command again$/,
  );
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test("worktrack import --dry-run doesn't change the failed-rows file from the previous import", async () => {
  const { run, file, failed, problems } = await setUpImport('tickets.csv', failing(2));
  await run();
  const before = await failed();
  await writeFile(file, failing(1));
  expect(await run('--dry-run')).toMatchObject({ code: 1 });
  expect([await failed(), await problems()]).toMatchObject([before, [{ key: 'Row 0' }]]);
  await writeFile(file, 'title,board_slug\nFuel,to-do\n');
  expect(await run('--dry-run')).toMatchObject({ code: 0 });
  expect([await failed(), existsSync(`${file}.dry-run.ndjson`)]).toEqual([before, false]);
});

test('worktrack import deletes the temporary file that a killed run left behind', async () => {
  const { run, file, folder } = await setUpImport('tickets.csv', failing(1));
  await writeFile(`${file}.failed.ndjson.${randomUUID()}.tmp`, '{"key":"A-1"');
  await run();
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
