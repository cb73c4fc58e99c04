import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';

/** The result of running a program. */
export interface Ran {
  status: number | null;
  /** The combined stdout and stderr, because warnings go to stderr. */
  output: string;
}

/** Creates a project folder with the given files and the packed package. */
export function project(files: Record<string, string | object>) {
  const home = inject('home');
  const folder = mkdtempSync(join(home, 'project-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const run = (...args: string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      // Stop a program that doesn't exit, for example because of a timer, before the test times out.
      timeout: 100_000,
      env: { ...systemEnvironment(), NO_COLOR: '1' },
    });
    return { status, output: stdout + stderr };
  };
  /** Runs an installed tool. */
  const tool = (path: string, ...args: string[]) => run(join(home, 'node_modules', path), ...args);
  return { folder, run, tool };
}

/** Checks that a program succeeded and printed the expected output without warnings. */
export function expectRan(what: string, { status, output }: Ran, expected: string | RegExp): string {
  const matches = typeof expected === 'string' ? output === expected : expected.test(output);
  if (status !== 0 || !matches || /warning/i.test(output)) {
    throw new Error(`${what}: exit code ${status}, expected ${expected} in\n${output}`);
  }
  return output;
}

/**
 * Returns only basic environment variables. If a nested test runner inherited all variables, it would behave
 * like one of our test workers.
 */
function systemEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
