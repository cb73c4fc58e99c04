import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The checkout's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The package's entry points: public name, and the file that it is. They are written down once, as
 * `paths` in tsconfig.json; the build, the test runner's aliases and the tests of the packed
 * tarball follow from it, and a test holds `exports` in package.json to it.
 */
export const entries: ReadonlyMap<string, string> = new Map(
  Object.entries(readPaths()).map(([name, [file]]) => {
    if (!file) throw new Error(`tsconfig.json: paths["${name}"] names no file`);
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
