import { spawnSync } from 'node:child_process';
import { root } from './setup.mjs';

/** Runs the main example from source and returns the exit code. */
export function run(options) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'examples/team-day.ts', ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) console.log(more);
  return status ?? 1;
}

const more = `
Next steps:
  npm test            run the fast checks
  npm run docs        serve the documentation, with live examples and a playground
  examples/           more programs; run one with: npx tsx examples/<name>.ts
  README.md           quick start, testing with the mock server, errors, and lists
  docs/contributing/  the repository layout and all commands
To run this example against a real deployment, set WORKTRACK_BASE_URL and WORKTRACK_TOKEN.`;
