import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConformanceReport } from 'worktrack/conformance';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rejected, runWords } from './support/run.js';
import { startServer } from './support/server.js';

/** Starts a deployment and returns a function that runs `worktrack conformance` against it. */
async function setUp() {
  const { mock, env } = await startServer();
  return { mock, run: (...words: string[]) => runWords(['conformance', ...words], { env }) };
}

test('worktrack conformance prints a text report by default', async () => {
  const { run } = await setUp();
  const { code, output } = await run('--operation', 'boards.reorder', '--include-optional');
  expect(code).toBe(0);
  expect(output).toMatch(
    /^– boards\.reorder rejects .*\n.*\n.*: 9 rules \(\d+ requests\), 8 passed, 0 failed, 1 not checkable$/,
  );
});

test('worktrack conformance --format json prints an indented report for the given operations', async () => {
  const { run } = await setUp();
  const words = ['--operation', 'boards.list', '--operation', 'projects.list', '--format', 'json'];
  const { code, output } = await run(...words);
  expect(code).toBe(0);
  expect(output).toMatch(/^\{\n {2}"/);
  const { results } = JSON.parse(output) as ConformanceReport;
  expect(new Set(results.map(({ operation }) => operation))).toEqual(
    new Set(['boards.list', 'projects.list']),
  );
});

test('worktrack conformance --output writes the report to a file and prints the summary', async () => {
  const { mock, run } = await setUp();
  mock.override('boards.list', () => new Response('{}', { status: 500 }));
  const file = join(await temporaryFolder(), 'report.xml');
  const { code, output } = await run('--operation', 'boards.list', '--format', 'junit', '--output', file);
  expect(code).toBe(1);
  expect(output).toMatch(/^http:\S+: 2 rules \(\d+ requests\), 0 passed, 1 failed, 1 not checkable$/);
  const report = await readFile(file, 'utf8');
  expect(report).toContain('<testsuite name="worktrack conformance" tests="2" failures="1" skipped="1"');
  expect(report).toMatch(/<\/testsuite>\n$/);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'worktrack conformance stops on %s, deletes its records, prints the report, and exits with code 1',
  async (signal) => {
    const { mock, run } = await setUp();
    const before = process.rawListeners(signal);
    mock.override('boards.list', (_, next) => {
      const added = process.rawListeners(signal).filter((listener) => !before.includes(listener));
      for (const listener of added) listener(signal);
      return next();
    });
    const { code, output } = await run('--operation', 'boards.list', '--operation', 'boards.create');
    expect(code).toBe(1);
    // The rules for boards.create are missing.
    expect(output).toMatch(/, 1 passed, 0 failed, 2 not checkable$/);
    expect(mock.state.projects.all()).toEqual([]);
    expect(process.rawListeners(signal)).toEqual(before);
  },
);

const connection = ['--organization', 'org_1', '--base-url', 'http://127.0.0.1:9'];

const organization = ['--organization', 'org_1'];

test.each<[string, string[], NodeJS.ProcessEnv, string]>([
  ['a missing base URL', [], {}, 'missing base URL; pass --base-url or set WORKTRACK_BASE_URL'],
  [
    'an invalid base URL',
    [...organization, '--base-url', 'x'],
    {},
    '--base-url must be an absolute URL, such as https://work.example.com',
  ],
  [
    'an invalid base URL from the environment',
    organization,
    { WORKTRACK_BASE_URL: 'x' },
    'WORKTRACK_BASE_URL must be an absolute URL, such as https://work.example.com',
  ],
  [
    'plain HTTP to another machine',
    [...organization, '--base-url', 'http://work.example.com'],
    {},
    '--base-url: plain http exposes the token; use https, or pass --allow-plain-http',
  ],
  [
    "a report file that can't be written",
    [...connection, '--output', '/missing/report.xml'],
    { WORKTRACK_TOKEN: 'wt' },
    '--output: could not write /missing/report.xml: no such file or folder',
  ],
  [
    'a missing organization',
    ['--base-url', 'http://127.0.0.1:9'],
    {},
    'missing organization; pass --organization or set WORKTRACK_ORGANIZATION',
  ],
  ['a missing token', connection, {}, 'missing token; set WORKTRACK_TOKEN'],
  [
    'scopes without a second credential',
    [...connection, '--limited-scopes', 'projects:read, boards:read'],
    { WORKTRACK_TOKEN: 'wt' },
    '--limited-scopes requires WORKTRACK_LIMITED_TOKEN',
  ],
  [
    'an unknown operation',
    ['--operation', 'tickets.mvoe'],
    {},
    'invalid value "tickets.mvoe" for --operation. Unknown operation "tickets.mvoe"; did you mean "tickets.move"?',
  ],
  [
    'an unknown scope',
    ['--limited-scopes', 'projects:read,projects:raed'],
    {},
    'invalid value "projects:read,projects:raed" for --limited-scopes. Unknown scope "projects:raed"; did you mean "projects:read"?',
  ],
  [
    'a limit of 0 requests',
    ['--max-requests', '0'],
    {},
    'invalid value "0" for --max-requests. Expected a positive integer',
  ],
])('worktrack conformance rejects %s', async (_, words, env, message) => {
  expect(await runWords(['conformance', ...words], { env })).toEqual(
    rejected(`worktrack conformance: ${message}`),
  );
});

test('if writing the output file fails at the end of the run, worktrack conformance still prints the report', async () => {
  const { mock, run } = await setUp();
  const file = join(await temporaryFolder(), 'report.xml');
  mock.override('boards.list', async (_, next) => {
    await rm(file, { force: true });
    await mkdir(file, { recursive: true });
    return next();
  });
  const words = ['--operation', 'boards.list', '--format', 'junit', '--output', file];
  const { code, output, errors } = await run(...words);
  expect(code).toBe(1);
  expect(output).toMatch(/<\/testsuite>$/);
  expect(errors).toBe(`worktrack: could not write ${file}: it's a folder; the report is above`);
});

test('worktrack conformance reports an unreachable deployment on a single line', async () => {
  const env = { WORKTRACK_TOKEN: 'wt' };
  const { code, errors } = await runWords(['conformance', ...connection], { env });
  expect(code).toBe(1);
  expect(errors).toMatch(/^worktrack: no response from http:[^\n]+: [^\n]+$/);
});
