// Checks that imports between folders go in only one direction. See "Layout" in docs/contributing/index.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative, resolve } from 'node:path';
import { root } from './setup.mjs';

/** A file may import files in its own row and in the rows before it. */
const rows = [
  ['src/shared', 'src/version.ts', 'src/mark.ts'],
  ['src/contract'],
  ['src/wire', 'src/option-schema.ts'],
  ['src/errors'],
  ['src/hooks.ts', 'src/logger.ts'],
  ['src/options.ts'],
  ['src/http'],
  ['src/resources'],
  ['src'],
  ...['store', 'state', 'rules', 'seed'].map((name) => [`mock-server/${name}`]),
  ['mock-server'],
  ['testing'],
];
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
/** What add-ons may import outside `addons`. The CLI loads `SeedError` without the rest of the mock server. */
const open = ['src/contract/index.ts', 'src/internal.ts', 'src/node/internal.ts', 'mock-server/internal.ts']
  .concat('mock-server/seed/seed-error.ts', ...Object.values(paths).map(([file]) => normalize(file)))
  .filter((file) => !file.startsWith('addons/'));
/** The entry points of other add-ons that an add-on may import. The CLI may import all files. */
const otherEntries = { mcp: ['addons/jobs/index.ts'] };

const isIn = (path, folders) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const rowOf = (path) => rows.findIndex((folders) => isIn(path, folders));

function isAllowed(file, imported) {
  const [folder, addon] = file.split('/');
  if (folder === 'addons') {
    const own = addon === 'cli' ? 'addons' : `addons/${addon}`;
    return isIn(imported, [own, 'addons/shared', ...(otherEntries[addon] ?? []), ...open]);
  }
  const isMock = folder === 'mock-server' && isIn(imported, ['src']);
  return rowOf(imported) >= 0 && rowOf(imported) <= rowOf(isMock ? 'src/wire' : file);
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const names = text.matchAll(/(?:\bfrom|\bimport\(|^import) ?'(\.[^']+|worktrack[^']*)'/gm);
  const pathOf = (name) => relative(root, resolve(root, file, '..', name)).replace(/\.js$/, '.ts');
  return [...names].map(([, name]) => (name in paths ? normalize(paths[name][0]) : pathOf(name)));
}

for (const top of ['src', 'mock-server', 'testing', 'addons']) {
  for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
    const file = relative(root, join(entry.parentPath, entry.name));
    if (!/(?<!\.config)\.(ts|vue)$/.test(file)) continue;
    for (const imported of importsOf(file).filter((path) => !isAllowed(file, path))) {
      console.error(`${file} must not import ${imported}`);
      process.exitCode = 1;
    }
  }
}
