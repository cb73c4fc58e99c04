import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Ran {
  status: number | null;
  /** Both streams: a warning on the error stream is something to see too. */
  output: string;
}

/** An empty folder below `home`, where the packed package is installed, with the given files in it. */
export function projectIn(home: string, files: Record<string, string | object>) {
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
      // A program that does not end (a timer left behind) fails here, not at the test's own limit.
      timeout: 100_000,
      env: { ...ofTheMachine(), NO_COLOR: '1' },
    });
    return { status, output: stdout + stderr };
  };
  /** Runs the command line of a package that the user of ours would have. */
  const tool = (path: string, ...args: string[]) => run(join(home, 'node_modules', path), ...args);
  return { folder, run, tool };
}

/** Nothing of ours: a test runner that starts below ours must not take itself for a part of it. */
function ofTheMachine(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
