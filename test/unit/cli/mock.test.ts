import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runWords } from './support/run.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** Returns a command that exits with code 7 if its environment variables point to the server. */
async function script(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worktrack-exec-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'suite.mjs');
  await writeFile(
    path,
    `const { WORKTRACK_BASE_URL, WORKTRACK_TOKEN, WORKTRACK_ORGANIZATION } = process.env;
    const url = WORKTRACK_BASE_URL + '/api/v1/organizations/' + WORKTRACK_ORGANIZATION;
    const { status } = await fetch(url, { headers: { authorization: 'Bearer ' + WORKTRACK_TOKEN } });
    process.exit(status === 200 ? 7 : 1);`,
  );
  return `"${process.execPath}" "${path}"`;
}

test("worktrack mock --exec runs a command, stops the server, and exits with the command's code", async () => {
  const { code, output, errors } = await runWords(['mock', '--exec', await script()], { env: process.env });
  expect([code, output]).toEqual([7, '']);
  const [, url = ''] = /^worktrack mock is ready at (\S+)/.exec(errors) ?? [];
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('worktrack mock --exec exits with 128 plus the signal number if a signal terminates the command', async () => {
  const command = `"${process.execPath}" -e "process.kill(process.pid, 'SIGKILL')"`;
  const { code } = await runWords(['mock', '--exec', command], { env: process.env });
  expect(code).toBe(137);
});
