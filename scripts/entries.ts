import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The checkout's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The package's entry points: public name and source file. They are defined once, as `paths` in
 * tsconfig.json. The build, the test runner's aliases, and the tests of the tarball use this map. A test
 * compares it with `exports` in package.json.
 */
export const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(readPaths()).map(([name, [file]]) => {
    if (!file) throw new Error(`tsconfig.json: paths["${name}"] has no file`);
    return [name, file.replace(/^\.\//, '')];
  }),
);

/** `index` for `worktrack`, `mock-server-node` for `worktrack/mock-server/node`: the built file's name. */
export const builtName = (publicName: string) => publicName.split('/').slice(1).join('-') || 'index';

/** `worktrack`, `mock-server-node`: the name of an entry point's page in the documentation. */
export const apiPage = (publicName: string) => publicName.split('/').slice(1).join('-') || publicName;

function readPaths(): Record<string, string[]> {
  return JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8')).compilerOptions.paths;
}
