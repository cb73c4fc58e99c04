import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { bundledPackagesPlugin } from './scripts/build/bundled-packages.js';
import { licensesPlugin } from './scripts/build/licenses.js';
import { builtName, entries, root } from './scripts/entries.js';

// Don't use tsup's `clean` option, because each build would delete the output of the other build.
rmSync(`${root}dist`, { recursive: true, force: true });

const entry = Object.fromEntries([...entries].map(([name, file]) => [builtName(name), file]));

const shared: Options = {
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  // Shared code goes into chunks so that the CLI and all entry points use the same classes.
  splitting: true,
  sourcemap: true,
  treeshake: true,
  noExternal: ['commander', 'string-width', 'cli-progress'],
  esbuildPlugins: [bundledPackagesPlugin(), licensesPlugin()],
  esbuildOptions: (options) => {
    options.mainFields = ['module', 'main'];
    options.alias = {
      '@modelcontextprotocol/server/_shims': './mcp/sdk-shims.ts',
      'decode-named-character-reference': './mcp/text/decode-named-character-reference.ts',
    };
  },
};

export default defineConfig([
  // Each command that cli/commands.ts loads is a separate chunk.
  { ...shared, entry: { ...entry, cli: 'cli/main.ts' } },
  // The type declarations. This build skips type checking, because `npm test` checks all code.
  { ...shared, entry, dts: { only: true, compilerOptions: { noCheck: true } } },
]);
