// Checks that imports between folders go in only one direction. Biome's `noRestrictedImports` would need 20
// lines for each row of the table below.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative, resolve } from 'node:path';
import { root } from './setup.mjs';

const contract = ['src/contract/index.ts', 'src/option-schema.ts', 'src/shared'];
const state = [
  ...contract,
  'src/contract/field-errors.ts',
  'src/contract/zod-internals.ts',
  'src/wire/index.ts',
];
const entryPoints = ['src/index.ts', 'src/contract/index.ts', 'addons/jobs/changes/index.ts'];
const call = [
  'src/contract',
  'src/errors',
  'src/hooks.ts',
  'src/logger.ts',
  'src/option-schema.ts',
  'src/options.ts',
  'src/shared',
];
const client = [...call, 'src/client.ts', 'src/http', 'src/bulk.ts'];

/**
 * What the files in each folder may import, in addition to files in the same row. The row with the longest path
 * applies. Folders that aren't published, such as `test`, can import anything.
 */
const allowed = {
  'src/shared': [],
  'src/contract': ['src/shared'],
  'src/wire': ['src/contract/index.ts', 'src/shared'],
  'src/errors': ['src/contract/index.ts', 'src/shared', 'src/version.ts'],
  'src/http': [...call, 'src/wire', 'src/transport.ts', 'src/version.ts'],
  'src/resources': ['src/contract/index.ts', 'src/hooks.ts', 'src/http', 'src/options.ts'],
  'addons/jobs/bullmq': ['src/errors', 'src/option-schema.ts', 'src/shared'],
  'addons/jobs/changes': [...client, 'addons/jobs/bullmq'],
  'addons/jobs/import': [...client, 'addons/jobs/bullmq', 'addons/shared/update-fields.ts'],
  'addons/jobs/pull': [...client, 'addons/jobs/changes', 'addons/shared/lookup.ts'],
  'src/node': ['src/shared', 'src/transport.ts'],
  'src/opentelemetry': ['src/hooks.ts'],
  src: [...client, 'src/resources', 'src/wire'],
  'mock-server/store': [],
  'mock-server/state': [...state, 'mock-server/store'],
  'mock-server/rules': [...state, 'mock-server/state'],
  'mock-server/seed': [...state, 'mock-server/rules', 'mock-server/state', 'mock-server/store'],
  'mock-server/controls': [...state, 'mock-server/rules', 'mock-server/seed', 'mock-server/state'],
  'mock-server/faults': [...state, 'mock-server/state'],
  'mock-server/journal': [...state, 'src/version.ts', 'mock-server/state'],
  'mock-server/deployment': [...state, 'mock-server/rules', 'mock-server/state'],
  'mock-server/engine': [
    ...state,
    'mock-server/controls',
    'mock-server/faults',
    'mock-server/journal',
    'mock-server/rules',
    'mock-server/state',
  ],
  'mock-server/options': [
    ...state,
    'mock-server/deployment',
    'mock-server/faults',
    'mock-server/rules',
    'mock-server/seed',
    'mock-server/state',
  ],
  'mock-server': [...state, 'mock-server'],
  conformance: [...state, 'src/http', 'src/transport.ts'],
  calibration: [...state, 'src/http', 'conformance', 'mock-server'],
  testing: [
    ...contract,
    ...entryPoints,
    'addons/jobs/changes/sweep-control.ts',
    'mock-server/index.ts',
    'mock-server/node/index.ts',
  ],
  mcp: [
    ...contract,
    ...entryPoints,
    'addons/shared/describe-deletion.ts',
    'src/errors/expected-errors.ts',
    'addons/shared/lookup.ts',
    'addons/shared/names.ts',
    'addons/shared/ticket-filter.ts',
    'addons/shared/update-fields.ts',
    'mock-server/index.ts',
  ],
  cli: [
    ...contract,
    ...entryPoints,
    'addons/jobs/changes/compare.ts',
    'addons/jobs/changes/options.ts',
    'addons/shared/describe-deletion.ts',
    'addons/jobs/import/index.ts',
    'addons/shared/lookup.ts',
    'addons/shared/names.ts',
    'addons/jobs/pull/index.ts',
    'addons/shared/ticket-filter.ts',
    'src/version.ts',
    'calibration',
    'conformance',
    'mcp',
    'mock-server',
    'addons/explore',
  ],
  console: ['src/shared'],
  examples: [],
};

const isWithin = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/** Returns the folder whose row applies to a file. */
const folderOf = (path) =>
  Object.keys(allowed)
    .filter((folder) => isWithin(path, folder))
    .sort((one, other) => other.length - one.length)[0];

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.config)\.(ts|tsx|vue)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Returns the files of this project that a file imports, such as `src/contract/index.ts`. */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import) ?'(\.[^']+)'/gm)].map(([, specifier]) =>
    normalize(relative(root, resolve(root, file, '..', specifier))).replace(/\.js$/, '.ts'),
  );
}

const problems = [];
for (const folder of Object.keys(allowed)) {
  if (!existsSync(join(root, folder))) problems.push(`${folder} doesn't exist; remove its row`);
}
for (const top of new Set(Object.keys(allowed).map((folder) => folder.split('/')[0]))) {
  for (const file of sourceFiles(top)) {
    const folder = folderOf(file);
    const isAllowed = (path) =>
      folderOf(path) === folder || allowed[folder].some((other) => isWithin(path, other));
    for (const imported of importsOf(file)) {
      if (!isAllowed(imported)) problems.push(`${file} must not import ${imported}`);
    }
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    'See "Layout" in docs/contributing/index.md for the import order, and tools/imports.mjs for the details.',
  );
  process.exitCode = 1;
}
