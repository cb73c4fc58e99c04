import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const dist = join(root, 'dist');

/**
 * `npm run build`: writes ES modules, CommonJS, and types to dist/, the web console to dist/console/, the
 * documentation to dist/docs/, and the single-file mock server to artifacts/. Returns the exit code.
 */
export function build() {
  return (
    node('node_modules/tsup/dist/cli-default.js', '--silent', '--config', 'tools/tsup.config.ts') ||
    copyTypes() ||
    copyDocuments() ||
    shortenSourceMaps() ||
    node(
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      'addons/console/vite.config.ts',
      '--logLevel',
      'warn',
    ) ||
    node('--import', 'tsx', 'tools/build/single-file.ts') ||
    node('--import', 'tsx', 'tools/build/docs.ts')
  );
}

/**
 * Writes the type declarations of the CommonJS build. They differ from those for ES modules only in their
 * file extensions.
 */
function copyTypes() {
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
    const types = readFileSync(join(dist, name), 'utf8').replace(/(['"]\.\/[^'"\n]+)\.js(?=['"])/g, '$1.cjs');
    writeFileSync(join(dist, name.replace(/ts$/, 'cts')), types);
  }
  return 0;
}

/** Copies the OpenAPI document and the JSON Schema, which the package exports. */
function copyDocuments() {
  for (const name of ['openapi.json', 'world.schema.json']) {
    copyFileSync(join(root, 'docs/public', name), join(dist, name));
  }
  return 0;
}

/**
 * Removes the content of this project's sources from the source maps, because the package contains the source
 * files. The content of bundled packages stays.
 */
function shortenSourceMaps() {
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.map'))) {
    const map = JSON.parse(readFileSync(join(dist, name), 'utf8'));
    const isBundled = (index) => map.sources[index].startsWith('../node_modules/');
    map.sourcesContent = map.sourcesContent?.map((content, index) => (isBundled(index) ? content : null));
    writeFileSync(join(dist, name), JSON.stringify(map));
  }
  return 0;
}

function node(...args) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  process.stderr.write(stderr.replaceAll(typesAcrossFiles, ''));
  return status ?? 1;
}

// When Rollup bundles the type declarations, it warns about their execution order, which doesn't matter for
// types.
const typesAcrossFiles =
  /^Export ".*" of module .* was reexported through module [^\n]*\n(Either change[^\n]*\n)?/gm;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = build();
