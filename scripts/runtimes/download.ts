import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';
import { npm, quiet } from '../measure/install-package.js';

/**
 * Installs a package that contains a program, and returns the program's path.
 *
 * @param file the program's path in the package or in its platform-specific dependency
 * @throws Error if the package or its platform-specific dependency can't be installed
 */
export function downloadProgram(name: string, version: string, file: string): string {
  const modules = join(downloadPackage(name, version), 'node_modules');
  const [program] = packagesIn(modules)
    .map((folder) => join(folder, file))
    .filter((path) => existsSync(path));
  if (!program) {
    throw new Error(`${name}@${version} has no ${file} for ${process.platform}-${process.arch}`);
  }
  return program;
}

/**
 * Installs a package under `node_modules/.cache` if it isn't installed yet. Returns the folder whose
 * `node_modules` contains the package.
 */
export function downloadPackage(name: string, version: string): string {
  const folder = join(root, 'node_modules/.cache/worktrack/runtimes', `${name}@${version}`);
  if (!existsSync(join(folder, 'node_modules', name))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    npm(['install', ...quiet, `${name}@${version}`], folder);
  }
  return folder;
}

/**
 * Lists scoped packages first, because they contain the program. The main package may contain only a
 * placeholder.
 */
function packagesIn(modules: string): string[] {
  return readdirSync(modules)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
    )
    .sort((a, b) => Number(b.startsWith('@')) - Number(a.startsWith('@')))
    .map((name) => join(modules, name));
}
