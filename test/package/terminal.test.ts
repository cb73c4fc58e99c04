import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const bin = join(inject('home'), 'node_modules/.bin');
const env = { PATH: [bin, process.env.PATH].join(delimiter), HOME: inject('home') };
const python = fileURLToPath(new URL('support/in-terminal.py', import.meta.url));
const here = (program: string, ...args: string[]) =>
  process.platform !== 'win32' && spawnSync(program, args).status === 0;
const hasPython = here('python3', '-c', 'import pty, os; os.waitstatus_to_exitcode');
const hasShell = here('bash', '--version');

/** A `worktrack mock` process on a free port, started from the installed package. */
const mock = { child: undefined as ReturnType<typeof spawn> | undefined, url: '' };

beforeAll(async () => {
  mock.child = spawn(process.execPath, [join(bin, '../worktrack/dist/cli.js'), 'mock', '--port', '0']);
  const [line] = await once(mock.child.stdout ?? mock.child, 'data');
  mock.url = /http:\/\/\S+/.exec(String(line))?.[0] ?? '';
});
afterAll(() => mock.child?.kill());

const deployment = () => ({ ...env, WORKTRACK_BASE_URL: mock.url, WORKTRACK_ORGANIZATION: 'org_default' });

describe(`the token prompt in a terminal${hasPython ? '' : " (NOT RUN: python3 isn't installed)"}`, () => {
  function typed(text: string, variables: Record<string, string> = {}) {
    const { stdout, stderr } = spawnSync('python3', [python, text, 'worktrack', 'projects', 'list'], {
      encoding: 'utf8',
      env: { ...deployment(), ...variables },
      timeout: 60_000,
    });
    expect(stderr).toBe('');
    const [code = '', ...lines] = stdout.split('\n');
    return { code: Number(code), shown: lines.join('\n').replaceAll('\r', '').trim() };
  }

  test.skipIf(!hasPython)('hides the input', () => {
    expect(typed('wt_default\r')).toEqual({ code: 0, shown: 'Token: \nNone.' });
    expect(typed('wt_wrong\r')).toMatchObject({ code: 3, shown: expect.not.stringContaining('wt_wrong') });
  });

  test.skipIf(!hasPython)("doesn't send a request after an empty line, Ctrl+C, or Ctrl+D", () => {
    for (const keys of ['\r', '\u0004']) {
      expect(typed(keys)).toEqual({
        code: 2,
        shown: 'Token: \nworktrack projects list: no token entered; nothing was sent',
      });
    }
    // Like other programs, the CLI ends with the signal, which also stops a loop in a shell script.
    expect(typed('\u0003')).toEqual({ code: -2, shown: 'Token:' });
  });

  test.skipIf(!hasPython)('appears only if the rest of the command line is valid', () => {
    const { code, shown } = typed('', { WORKTRACK_BASE_URL: 'nonsense' });
    expect({ code, shown }).toEqual({
      code: 2,
      shown: expect.stringMatching(/^worktrack projects list: WORKTRACK_BASE_URL must be/),
    });
  });
});

describe(`the CLI output${hasShell ? '' : " (NOT RUN: bash isn't installed)"}`, () => {
  const runInBash = (script: string) => {
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...deployment(), WORKTRACK_TOKEN: 'wt_default' },
    });
    return { stdout, stderr };
  };

  test.skipIf(!hasShell)('can be piped to a program that exits before reading all of it', () => {
    const script = 'set -o pipefail; worktrack help | true && worktrack help | head -1; echo $?';
    expect(runInBash(script)).toEqual({ stdout: 'Usage: worktrack <command> [options]\n0\n', stderr: '' });
  });

  test.skipIf(!hasShell || process.platform !== 'linux')(
    "causes a nonzero exit code if it can't be written",
    () => {
      expect(runInBash('worktrack organization get > /dev/full; echo $?')).toEqual({
        stdout: '1\n',
        stderr: expect.stringMatching(/^worktrack: could not write the output: ENOSPC/),
      });
    },
  );

  test.skipIf(!hasShell)("is plain JSON without colors or decoration if it's piped", () => {
    const { stdout } = runInBash('worktrack organization get | cat');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'org_default' });
  });
});
