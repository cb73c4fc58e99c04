import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { bundledPackagesPlugin } from './build/bundled-packages.js';
import { licensesPlugin } from './build/licenses.js';
import { builtName, entries, root } from './entries.js';

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
      '@modelcontextprotocol/server/_shims': './addons/mcp/sdk-shims.ts',
      'decode-named-character-reference': './addons/mcp/text/decode-named-character-reference.ts',
    };
  },
};

export default defineConfig([
  // The error classes are an additional entry so that they get their own chunk, without zod. Each command that
  // addons/cli/commands.ts loads is a separate chunk.
  { ...shared, entry: { ...entry, errors: 'src/errors/index.ts', cli: 'addons/cli/main.ts' } },
  // The type declarations. This build skips type checking, because `npm test` checks all code.
  { ...shared, entry, dts: { only: true, compilerOptions: { noCheck: true } } },
]);
