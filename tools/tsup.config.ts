import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { licensesPlugin } from './build/licenses.js';
import { builtName, entries, root } from './entries.js';

// Don't use tsup's `clean` option, because each build would delete the output of the other builds.
rmSync(`${root}dist`, { recursive: true, force: true });

const allEntries = Object.fromEntries([...entries].map(([name, file]) => [builtName(name), file]));
const { mcp = '', ...entry } = allEntries;

const shared: Options = {
  // The error classes are an additional entry so that they get their own chunk, without zod.
  entry: { ...entry, errors: 'src/errors/index.ts' },
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  // Shared code goes into chunks so that all entry points use the same classes.
  splitting: true,
  sourcemap: true,
  treeshake: true,
  esbuildPlugins: [licensesPlugin()],
  esbuildOptions: (options) => {
    options.alias = {
      '@modelcontextprotocol/server/_shims': './addons/mcp/sdk-shims.ts',
      'decode-named-character-reference': './addons/mcp/text/decode-named-character-reference.ts',
    };
    // The CommonJS build uses `__filename` instead.
    options.logOverride = { 'empty-import-meta': 'silent' };
  },
};

// This entry point consists mostly of the MCP SDK and Markdown and HTML libraries. It's minified without
// source maps, which would be four times as large. Functions keep their names for stack traces. Sharing
// chunks would make the other entry points larger. Not sharing them is safe, because no MCP code depends on
// class identity.
const mcpBuild: Options = {
  ...shared,
  entry: { mcp },
  splitting: false,
  sourcemap: false,
  minify: true,
  keepNames: true,
};

export default defineConfig([
  { ...shared, format: 'esm' },
  { ...mcpBuild, format: 'esm' },
  // The CLI is never imported, so it needs only one format and no types. Each command that
  // addons/cli/commands.ts loads is a separate chunk. The CLI shares no chunks with the entry points so that
  // their chunks depend only on their own imports.
  {
    ...shared,
    entry: { cli: 'addons/cli/main.ts' },
    format: 'esm',
    platform: 'node',
    sourcemap: false,
    noExternal: ['commander', 'string-width', 'cli-progress'],
    // The bundle includes commander, a CommonJS package that uses `require` to load built-in Node.js modules.
    banner: {
      js: "import { createRequire as worktrackRequire } from 'node:module'; const require = worktrackRequire(import.meta.url);",
    },
    // `worktrack mcp` imports the `worktrack/mcp` entry point so that the package contains the MCP SDK only
    // once.
    external: [/^node:/, 'worktrack/mcp'],
    esbuildOptions(options) {
      options.chunkNames = 'cli-[name]-[hash]';
      // Only whitespace is minified so that stack traces show the original names.
      options.minifyWhitespace = true;
    },
  },
  // The CommonJS build includes ky, because ky is ESM-only, and Jest and some bundlers can't `require` ES
  // modules.
  { ...shared, format: 'cjs', noExternal: ['ky'] },
  { ...mcpBuild, format: 'cjs', noExternal: ['ky'] },
  // The type declarations of the ES modules. tools/build.mjs copies them for CommonJS. This build skips type
  // checking, because `npm test` checks all code.
  {
    ...shared,
    entry: allEntries,
    format: 'esm',
    dts: { only: true, compilerOptions: { noCheck: true } },
  },
]);
