// `npm run mutation -- http`: mutates the sources of one of the groups in tools/support/mutation.ts, one
// change at a time, and runs the group's tests. You can add Stryker's own options, such as `--concurrency 4`.
import { spawnSync } from 'node:child_process';
import { root } from './entries.js';
import { mutationGroups } from './support/mutation.js';

const [name = '', ...options] = process.argv.slice(2);
const group = mutationGroups[name];
if (!group) {
  console.error(`unknown group "${name}"; use one of ${Object.keys(mutationGroups).join(', ')}`);
  process.exit(2);
}
const stryker = `${root}node_modules/@stryker-mutator/core/bin/stryker.js`;
const { status } = spawnSync(
  process.execPath,
  [stryker, 'run', `${root}tools/stryker.config.mjs`, '--mutate', group.sources, ...options],
  {
    cwd: root,
    env: { ...process.env, MUTATION_GROUP: name, MUTATION_TESTS: group.tests },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
