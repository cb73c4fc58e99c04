import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ConformanceReport } from 'worktrack/conformance';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runWords } from './support/run.js';
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
    const { code, output, errors } = await run('--operation', 'boards.list', '--operation', 'boards.create');
    expect([code, errors]).toEqual([
      1,
      'Deleting the created records. Press Ctrl+C again to quit immediately.',
    ]);
    // The rules for boards.create are missing.
    expect(output).toMatch(/, 1 passed, 0 failed, 2 not checkable$/);
    expect(mock.state.projects.all()).toEqual([]);
    expect(process.rawListeners(signal)).toEqual(before);
  },
);

const connection = ['--organization', 'org_1', '--base-url', 'http://127.0.0.1:9'];

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

test('worktrack conformance --settings writes a file for worktrack mock, and --compare reports changes', async () => {
  const { mock, run } = await setUp();
  const file = join(await temporaryFolder(), 'deployment.json');
  const written = await run('--settings', file);
  expect(written).toMatchObject({ code: 0, output: expect.stringMatching(/\nwrote .*deployment\.json$/) });
  const deployment = JSON.parse(await readFile(file, 'utf8'));
  expect(deployment).toMatchObject({ creator: 'credential', pageEnvelope: 'nested', notExpressed: [] });

  expect(await run('--settings', file, '--compare')).toMatchObject({
    code: 0,
    output: 'nothing has changed',
  });
  const content = JSON.stringify({ ...deployment, creator: 'owner' });
  await writeFile(file, content);
  expect(await run('--settings', file, '--compare')).toMatchObject({
    code: 1,
    output: '✗ creator: "owner" is now "credential"\n1 changed',
  });
  expect(await readFile(file, 'utf8')).toBe(content);
  const { creator: _, ...rest } = deployment;
  await writeFile(file, JSON.stringify(rest));
  expect(await run('--settings', file, '--compare')).toMatchObject({
    code: 3,
    output: "– creator wasn't compared: it isn't in the file\nnothing has changed",
  });
  await writeFile(file, '{"toString":1}');
  expect((await run('--settings', file, '--compare')).errors).toContain(`--settings: ${file}: `);
  expect(mock.state.projects.all()).toEqual([]);
}, 60_000);
