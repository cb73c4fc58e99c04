import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the dependencies if they are missing or differ from the lockfile, and Node.js 24 if the running version
 * is too old. If the installation fails, prints advice and exits. If everything is installed, returns immediately
 * without using the network.
 */
export function setUp() {
  const state = wantedState();
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
    // `npm ci` would delete the packages of the checkout that the link points to.
    if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
      console.error(
        'node_modules is a link to a folder with other packages. Remove the link, then try again.',
      );
      process.exit(1);
    }
    console.log('Installing dependencies (only on the first run and after updates) …');
    // Install scripts aren't needed, because the dependencies' binaries are separate packages.
    install(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
    writeFileSync(stamp, state);
  }
  // npm puts the installed Node.js first in the `PATH` of its scripts, so the installation may have deleted the
  // Node.js that runs this script.
  if (!existsSync(installedNode) && !(isSupported() && existsSync(process.execPath))) {
    console.log('Installing Node.js 24 …');
    install(['rebuild', 'node']);
  }
}

/** Reports whether the running Node.js is recent enough. */
export function isSupported() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/** Runs an npm command, or exits with advice. Hides npm's warnings about the running version of Node.js. */
function install(args) {
  const { status, error } = npm([...args, '--loglevel=error']);
  if (status === 0) return;
  console.error(
    `\nThe installation failed${error ? `: ${error.message}` : ''}. See npm's output above. Common causes:\n` +
      '  - no network, or a proxy: check that `npm ping` works, then run the same command again\n' +
      '  - package.json and package-lock.json differ: run `npm install`\n' +
      '  - an incomplete node_modules: delete the folder, then run the same command again',
  );
  process.exit(1);
}

/** The checkout's root folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The Node.js that the `node` package installs. */
export const installedNode = `${root}node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

const modules = `${root}node_modules`;
const stamp = `${modules}/.worktrack-setup`;

/**
 * Returns a hash of everything that node_modules depends on. The hash is saved only after a successful
 * installation, so failed installations are retried.
 */
function wantedState() {
  const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const { dependencies, devDependencies, peerDependencies, optionalDependencies, overrides } = manifest;
  const facts = [
    readFileSync(`${root}package-lock.json`, 'utf8'),
    JSON.stringify([dependencies, devDependencies, peerDependencies, optionalDependencies, overrides]),
    process.platform,
    process.arch,
  ];
  return createHash('sha256').update(facts.join('\n')).digest('hex');
}

/** Runs npm in the checkout. Uses the npm that started this process, if any, and its Node.js. */
function npm(args) {
  const { npm_execpath: path, npm_node_execpath: program = process.execPath } = process.env;
  const [command, ...first] = path?.endsWith('.js') && existsSync(program) ? [program, path] : ['npm'];
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: first.length === 0 && process.platform === 'win32',
  });
}
