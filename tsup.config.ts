import { readFileSync, rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { licensesPlugin } from './scripts/build/licenses.js';
import { builtName, entries, root } from './scripts/entries.js';

// With tsup's own `clean`, each build would delete the files of the others.
rmSync(`${root}dist`, { recursive: true, force: true });

const allEntries = Object.fromEntries([...entries].map(([name, file]) => [builtName(name), file]));
const { mcp = '', ...entry } = allEntries;

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

const shared: Options = {
  entry,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  // Code that two entry points share is built once, so that a class is the same class in both.
  splitting: true,
  sourcemap: true,
  treeshake: true,
  esbuildPlugins: [licensesPlugin()],
  define: { WORKTRACK_VERSION: JSON.stringify(version) },
  esbuildOptions: (options) => {
    options.alias = { '@modelcontextprotocol/server/_shims': './mcp/sdk-shims.ts' };
    // The CommonJS build uses `__filename` instead.
    options.logOverride = { 'empty-import-meta': 'silent' };
  },
};

// Mostly the code of the MCP SDK, so it is minified and has no source maps. It shares no chunks with the other
// entry points, which would grow otherwise; nothing in it depends on the identity of a class.
const mcpBuild: Options = {
  ...shared,
  entry: { mcp },
  splitting: false,
  sourcemap: false,
  minify: true,
};

export default defineConfig([
  { ...shared, format: 'esm' },
  { ...mcpBuild, format: 'esm' },
  // The CLI is never imported, so it needs one format and no types. Each command that cli/commands.ts loads
  // becomes a file of its own. The CLI shares no chunks with the entry points, so that their chunks depend only
  // on their own imports.
  {
    ...shared,
    entry: { cli: 'cli/main.ts' },
    format: 'esm',
    platform: 'node',
    sourcemap: false,
    noExternal: ['commander', 'string-width', 'csv-parse', 'cli-progress'],
    // The build contains commander, which is CommonJS and requires built-in modules of Node.js.
    banner: {
      js: "import { createRequire as worktrackRequire } from 'node:module'; const require = worktrackRequire(import.meta.url);",
    },
    // `worktrack mcp` loads the entry point, so that its SDK is in the package once.
    external: [/^node:/, 'worktrack/mcp'],
    esbuildOptions(options) {
      options.chunkNames = 'cli-[name]-[hash]';
    },
  },
  // ky comes as ES modules only, which Jest and some bundlers can't `require`. The CommonJS build contains it.
  { ...shared, format: 'cjs', noExternal: ['ky'] },
  { ...mcpBuild, format: 'cjs', noExternal: ['ky'] },
  // The types of both formats come from one program. `npm test` checks the types of all code, so the build doesn't.
  {
    ...shared,
    entry: allEntries,
    format: ['esm', 'cjs'],
    dts: { only: true, compilerOptions: { noCheck: true } },
  },
]);
