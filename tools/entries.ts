import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The source files of the package's entry points, keyed by public name. They're defined only in `paths` in
 * tsconfig.json. The build, the test runner's aliases, and the tarball tests use this map. A test compares it
 * with `exports` in package.json.
 */
export const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(readPaths()).map(([name, [file]]) => {
    if (!file) throw new Error(`tsconfig.json: paths["${name}"] has no file`);
    return [name, file.replace(/^\.\//, '')];
  }),
);

/** Returns the name of the built file, such as `mock-server-node` for `worktrack/mock-server/node`. */
export const builtName = (publicName: string) => publicName.split('/').slice(1).join('-') || 'index';

/** Returns the name of an entry point's page in the documentation, such as `worktrack` or `mock-server-node`. */
export const apiPage = (publicName: string) => publicName.split('/').slice(1).join('-') || publicName;

function readPaths(): Record<string, string[]> {
  return JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8')).compilerOptions.paths;
}
