import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CsvParser } from '../../../addons/cli/jobs/import/parse-csv.js';
import { malformedFiles, readableFiles } from '../../support/import-files.js';
import { posixTest } from '../../support/platforms.js';
import { setUpImport } from './support/import.js';
import { rejected } from './support/run.js';

test.each(readableFiles)(
  'worktrack import reads $title',
  async ({ name = 'tickets.csv', content, args = [] }) => {
    const { run, titles } = await setUpImport(name, content);
    const { code, errors } = await run('--concurrency', '1', ...args);
    expect([code, errors]).toEqual([0, '']);
    expect(titles()).toEqual(['Café €', 'Doors']);
  },
);

test.each(malformedFiles)(
  'worktrack import rejects $title',
  async ({ name = 'tickets.csv', content, args = [], error }) => {
    const { run, file, titles } = await setUpImport(name, content);
    expect(await run(...args)).toEqual(rejected(`worktrack import: ${error.replaceAll('FILE', file)}`));
    expect(titles()).toEqual([]);
  },
);

test.each(['a,b\r\n"x\r\ny",2\r\n\r\n"q""r",\r\n,\n""\nz,"",\r\rlast,"1\r"'])(
  'CsvParser returns the same records and line numbers no matter where the text %j is split',
  (text) => {
    const parse = (...texts: string[]) => {
      const parser = new CsvParser(',');
      return [...texts.flatMap((part) => parser.push(part)), ...parser.end()];
    };
    const records = [
      { line: 1, values: ['a', 'b'] },
      { line: 2, values: ['x\r\ny', '2'] },
      { line: 5, values: ['q"r', ''] },
      { line: 6, values: ['', ''] },
      { line: 7, values: [''] },
      { line: 8, values: ['z', '', ''] },
      { line: 10, values: ['last', '1\r'] },
    ];
    expect(parse(text)).toEqual(records);
    expect(parse(...text)).toEqual(records);
    for (let at = 0; at <= text.length; at++) {
      expect(parse(text.slice(0, at), text.slice(at)), `${at}`).toEqual(records);
    }
  },
);

test('worktrack import reports the number of an invalid line even if the file is read in many chunks', async () => {
  const rows = '"Fünf\r\n€",to-do\r\n'.repeat(100_000);
  const { run, file } = await setUpImport(
    'tickets.csv',
    Buffer.concat([Buffer.from(`title,board_slug\r\n${rows}`), Buffer.from([0xe9, 0x0d, 0x0a])]),
  );
  expect((await run()).errors).toContain(`could not read ${file}: line 200002 isn't valid UTF-8`);
});

test.each([
  [
    'tickets.csv',
    'title,board_slug\n"',
    'the row on line 2',
    '; the quote that opens on line 2 may not be closed',
  ],
  ['tickets.csv', 'title,board_slug\n', 'the row on line 2', ''],
  ['tickets.ndjson', '\n{"title":"', 'line 2', ''],
])(
  'worktrack import rejects the file %s if it starts with %j and contains a very long line',
  async (name, start, line, end) => {
    const { run, file } = await setUpImport(name, start);
    await writeFile(file, 'x'.repeat(10_000_001), { flag: 'a' });
    expect(await run()).toMatchObject(
      rejected(
        `worktrack import: could not read ${file}: ${line} is longer than 10,000,000 characters${end}`,
      ),
    );
  },
);

posixTest("worktrack import rejects a file that it can't read twice", async () => {
  const { folder, runFile } = await setUpImport('tickets.csv', '');
  const fifo = join(folder, 'tickets.csv.fifo');
  execFileSync('mkfifo', [fifo]);
  const advice =
    "isn't a regular file; the import reads its input more than once, so save it to a file first";
  for (const path of ['-', '/dev/stdin', '/dev/null', fifo]) {
    expect((await runFile(path, '--format', 'csv')).errors).toBe(`worktrack import: ${path} ${advice}`);
  }
  expect((await runFile(folder, '--format', 'csv')).errors).toBe(
    `worktrack import: could not read ${folder}: it's a folder`,
  );
  expect((await runFile(`${folder}/none.csv`)).errors).toBe(
    `worktrack import: could not read ${folder}/none.csv: no such file or folder`,
  );
});

test('worktrack import lists only the first 50 columns of a file with 10,000 columns', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `column ${index + 1}`);
  const { run } = await setUpImport('tickets.csv', `${names}\n${names}\n`);
  expect((await run('--map', 'title=Summary')).errors).toBe(
    `worktrack import: --map title: the file has no column "Summary"; expected one of: ${names.slice(0, 50).join(', ')}, …`,
  );
});
