import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { connectionVariables } from '../../addons/cli/mock/processes.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { rejected, runWords } from '../unit/cli/support/run.js';
import { calibrateMock } from './support/mock-deployment.js';

let path: string;
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  path = join(await temporaryFolder(), 'deployment.json');
  server = await listen();
  onTestFinished(() => server.close());
});

const run = (...words: string[]) => {
  const env = connectionVariables(server.clientOptions());
  return runWords(words, { env });
};

/** Calibrates the server in-process, which is faster than over HTTP. */
async function writeBaseline(): Promise<void> {
  const { deployment } = await calibrateMock(server.mock);
  await writeFile(path, JSON.stringify(deployment));
  server.mock.requests.clear();
}

describe('worktrack calibrate', () => {
  test('writes a file that the mock server accepts and prints a summary', async () => {
    const { code, output } = await run('calibrate', '--no-rules', '--output', path);
    expect(output).toMatch(/33 of 33 choices observed.*\nwrote .*deployment\.json$/);
    expect(code).toBe(0);
    await using mock = await listen({ deployment: await readFile(path, 'utf8') });
    expect(mock.mock.requests.length).toBe(0);
  });

  test("lists the choices that it couldn't observe and the records that it couldn't delete", async () => {
    server.mock.faults.add({ operation: 'documents.delete', status: 500 });
    server.mock.faults.add({ operation: 'boards.create', status: 403 });
    const { code, output } = await run('calibrate', '--no-rules', '--output', path);
    expect(output).toMatch(
      /^– unknown: .*boardSlugs, .*\n {4}boards\.create: the credential isn't allowed to do this \(403\)$/m,
    );
    expect(output).toMatch(/! could not be deleted: documents\.delete \w+: 500/);
    expect(code).toBe(1);
  });

  test("lists the records that it couldn't delete even if it couldn't observe anything", async () => {
    server.mock.override('projects.create', async (_, next) => ({ ...(await next()), name: 'Other' }));
    server.mock.faults.add({ operation: 'projects.delete', status: 500 });
    const { code, errors } = await run('calibrate', '--output', path);
    expect(errors).toMatch(/^could not be deleted: projects\.delete \w+: 500/m);
    expect(errors).toMatch(
      /deployment\.json wasn't written, because nothing could be observed: projects\.create/,
    );
    expect(code).toBe(1);
  });

  test("with --read-only doesn't write the file if no records could be read", async () => {
    server.mock.faults.add({ status: 403 });
    const { code, errors } = await run('calibrate', '--read-only', '--output', path);
    expect(errors).toContain("wasn't written, because nothing could be observed: no records could be read");
    expect(code).toBe(1);
  });

  test('with --read-only writes a file that the mock server and worktrack drift accept', async () => {
    expect((await run('calibrate', '--read-only', '--output', path)).code).toBe(0);
    await using mock = await listen({ deployment: await readFile(path, 'utf8') });
    expect(mock.mock.requests.length).toBe(0);
    expect(await run('drift', '--baseline', path, '--read-only')).toMatchObject({ code: 0 });
  });

  test('sends at most --max-requests requests before it deletes its records', async () => {
    const { code } = await run('calibrate', '--max-requests', '40', '--output', path);
    expect(code).toBe(0);
    const requests = server.mock.requests.all().filter(({ method }) => method !== 'DELETE');
    expect(requests).toHaveLength(40);
  });

  test.each([
    ['rejects the token', 401, 'the deployment rejects the token (401)'],
    ["doesn't permit anything", 403, "projects.create: the credential isn't allowed to do this (403)"],
  ])('keeps the old file if the deployment %s', async (_, status, reason) => {
    for (const old of ['{}', undefined]) {
      if (old === undefined) await rm(path);
      else await writeFile(path, old);
      server.mock.faults.add({ status });
      const { code, output, errors } = await run('calibrate', '--output', path);
      expect([code, output]).toEqual([1, '']);
      expect(errors).toContain(reason);
      expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(old);
    }
  });
});

describe('worktrack drift', () => {
  test('exits with 0 if nothing has changed', async () => {
    await writeBaseline();
    const { code, output } = await run('drift', '--baseline', path);
    expect(output).toMatch(/^\d+ unchanged, 0 changed, 0 not compared$/);
    expect(code).toBe(0);
  });

  test('exits with 1 and writes a JUnit report if something has changed', async () => {
    await writeBaseline();
    server.mock.override('organization.get', async (_, next) => ({ ...(await next()), plan: 'free' }));
    const report = `${path}.xml`;
    const flags = ['--read-only', '--format', 'junit', '--output', report];
    const { code, output } = await run('drift', '--baseline', path, ...flags);
    expect(output).toMatch(/^\d+ unchanged, 1 changed, \d+ not compared$/);
    expect(await readFile(report, 'utf8')).toContain(
      '<testcase classname="shape" name="the field &quot;plan&quot; of organization.get"><failure message="before: missing; now: string"/>',
    );
    expect(code).toBe(1);
    expect(new Set(server.mock.requests.all().map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test("exits with 3 if a choice can't be observed or the deployment is unreachable", async () => {
    await writeBaseline();
    server.mock.credentials.setScopes(server.clientOptions().token, ['projects:read', 'projects:write']);
    const incomplete = await run('drift', '--baseline', path, '--format', 'json');
    expect(JSON.parse(incomplete.output)).toMatchObject({ changes: [] });
    expect(incomplete.code).toBe(3);
    const env = { WORKTRACK_TOKEN: 'x', WORKTRACK_ORGANIZATION: 'y' };
    const address = ['--base-url', 'http://127.0.0.1:1'];
    const unreachable = await runWords(['drift', '--baseline', path, ...address], { env });
    expect(unreachable.errors).toContain(
      'worktrack drift: nothing was compared: no response from http://127.0.0.1:1: ',
    );
    expect(unreachable.code).toBe(3);
  });

  test("exits with 3 and doesn't report any changes if the run ends early", async () => {
    await writeBaseline();
    for (const limit of ['5', '60', '90']) {
      const { code, output } = await run('drift', '--baseline', path, '--max-requests', limit);
      expect(output).toMatch(/^\d+ unchanged, 0 changed, \d+ not compared$/m);
      expect(code).toBe(3);
    }
  });

  test("exits with 3 and doesn't report any changes if the deployment rejects the token", async () => {
    await writeBaseline();
    server.mock.faults.add({ status: 401 });
    const { code, output, errors } = await run('drift', '--baseline', path);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toBe('worktrack drift: nothing was compared: the deployment rejects the token (401)');
  });

  test('rejects a missing or invalid baseline before sending a request', async () => {
    await writeFile(path, '{"version":1,"choices":{}}');
    expect(await run('drift', '--baseline', path)).toMatchObject(
      rejected(expect.stringMatching(/--baseline: .*deployment\.json: /)),
    );
    expect(await run('drift')).toMatchObject(
      rejected(expect.stringContaining('missing baseline; pass --baseline deployment.json')),
    );
    expect(server.mock.requests.length).toBe(0);
  });
});
