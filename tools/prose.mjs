import { spawnSync } from 'node:child_process';
import { root } from './setup.mjs';

// `npm run prose`: checks the vocabulary in Markdown files (see docs/contributing/writing.md). Options are
// passed to textlint, so `npm run prose -- --fix` applies the suggestions. `prose/ignored-pages` lists the
// generated pages.
const config = ['--config', 'tools/prose/textlintrc.json', '--ignore-path', 'tools/prose/ignored-pages'];
const files = ['*.md', 'docs/**/*.md', '.changeset/*.md', '.github/**/*.md'];

const { status } = spawnSync(
  process.execPath,
  ['node_modules/textlint/bin/textlint.js', ...config, ...process.argv.slice(2), ...files],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = status ?? 1;
