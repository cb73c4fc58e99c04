import { spawnSync } from 'node:child_process';
import { root } from './setup.mjs';

/** Runs the main example from the sources and returns the exit code. */
export function run(options) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'examples/team-day.ts', ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) console.log(more);
  return status ?? 1;
}

const more = `
What to look at next:
  npm test            every check that a change must pass
  examples/           more programs; run one with: npx tsx examples/<name>.ts
  npm run docs        the documentation, with live examples and a playground, on loopback
  README.md           the library in ten lines, testing with the mock server, errors, lists
  CONTRIBUTING.md     the layout on one page, all commands
To run this example against a real deployment, set WORKTRACK_BASE_URL and WORKTRACK_TOKEN.`;
