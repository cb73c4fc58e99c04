import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { builtName, entries, root } from './scripts/entries.js';

// tsup's own `clean` would have each of the two builds delete the other's files.
rmSync(`${root}dist`, { recursive: true, force: true });

const entry = Object.fromEntries([...entries].map(([name, file]) => [builtName(name), file]));

const shared: Options = {
  entry,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  removeNodeProtocol: false,
  // One copy of what two entry points share: a class is the same class whichever one it came from.
  splitting: true,
  sourcemap: true,
  treeshake: true,
  dts: true,
};

export default defineConfig([
  { ...shared, format: 'esm' },
  // The command line is run, never imported: one format, and no types. It shares no file with the entry
  // points, so that what they are split into follows from their own imports alone.
  { ...shared, entry: { cli: 'cli/main.ts' }, format: 'esm', splitting: false, sourcemap: false, dts: false },
  // ky is ESM only. jest and bundlers that follow `require` cannot load that, so this build brings it along.
  { ...shared, format: 'cjs', noExternal: ['ky'] },
]);
