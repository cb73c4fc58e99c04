import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { transformSync } from 'esbuild';
import { root } from './setup.mjs';

const dist = join(root, 'dist');

/**
 * `npm run build`: writes ES modules and types to dist/, the web console to dist/console/, the
 * documentation to dist/docs/, and the single-file mock server to artifacts/. Returns the exit code.
 */
export function build() {
  return (
    node('node_modules/tsup/dist/cli-default.js', '--silent', '--config', 'tools/tsup.config.ts') ||
    minifyMcp() ||
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
 * Minifies `worktrack/mcp`, which consists mostly of the MCP SDK and Markdown and HTML libraries. Functions keep
 * their names for stack traces.
 */
function minifyMcp() {
  const path = join(dist, 'mcp.js');
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    format: 'esm',
    minify: true,
    keepNames: true,
  });
  writeFileSync(path, code);
  rmSync(`${path}.map`);
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
 * Reduces the source maps to what a stack trace needs: the file and line of the code in the folders whose
 * sources are in the package.
 */
function shortenSourceMaps() {
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.map'))) {
    const { version, sources, mappings } = JSON.parse(readFileSync(join(dist, name), 'utf8'));
    const lines = decode(mappings).map((line) => {
      const kept = line.map(([column, source, sourceLine, sourceColumn]) =>
        isPacked(sources[source]) ? [column, source, sourceLine, sourceColumn] : [column],
      );
      return kept.filter(([, source, sourceLine], index) => {
        const [, source_, line_] = kept[index - 1] ?? [];
        return source !== source_ || sourceLine !== line_;
      });
    });
    writeFileSync(join(dist, name), JSON.stringify({ version, sources, names: [], mappings: encode(lines) }));
  }
  return 0;
}

const isPacked = (source) => /^\.\.\/(src|mock-server|testing)\//.test(source ?? '');

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
