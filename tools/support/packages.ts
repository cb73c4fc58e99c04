import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../entries.js';

export interface Installed {
  /** A folder outside the checkout in which the package is installed. */
  home: string;
  tarball: string;
  files: { path: string; size: number }[];
  remove(): void;
}

/**
 * Packs the build, and installs the tarball with its dependencies in an empty folder outside the checkout.
 * Also links the packages in `tools`, such as TypeScript, which users install themselves.
 *
 * @throws Error if the package isn't built
 */
export function installPackage(...tools: string[]): Installed {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist/ is missing: run npm run build first');
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'worktrack-package-')));
  const [{ filename, files }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', home], root),
  );
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  npm(['install', ...quiet, '--prefer-offline', '--legacy-peer-deps', filename], home);
  for (const name of new Set(tools)) link(name, home);
  return {
    home,
    files,
    tarball: join(home, filename),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/**
 * Installs a package under `node_modules/.cache` if it isn't installed yet. Returns the folder whose
 * `node_modules` contains the package.
 */
export function downloadPackage(name: string, version: string): string {
  const folder = join(root, 'node_modules/.cache/worktrack/packages', `${name}@${version}`);
  if (!existsSync(join(folder, 'node_modules', name))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    npm(['install', ...quiet, `${name}@${version}`], folder);
  }
  return folder;
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];

function link(name: string, home: string) {
  const path = join(home, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path, 'junction');
}

/** Runs npm and returns its output. Uses the npm that started this process, if any. */
export function npm(args: string[], cwd: string): string {
  const { npm_execpath: path } = process.env;
  const [command, first] = path?.endsWith('.js') ? [process.execPath, [path]] : ['npm', []];
  return execFileSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
