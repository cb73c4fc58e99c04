import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the dependencies if they are missing or differ from the lockfile. If the installation fails,
 * prints advice and exits. If everything is installed, returns immediately without using the network.
 */
export function setUp() {
  const state = wantedState();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  console.log('Installing dependencies (only on the first run and after updates) …');
  // Install scripts aren't needed, because the dependencies' binaries are separate packages.
  const { status, error } = npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (status !== 0) {
    console.error(
      `\nThe installation failed${error ? `: ${error.message}` : ''}. See npm's output above. Common causes:\n` +
        '  - no network, or a proxy: check that `npm ping` works, then run the same command again\n' +
        '  - package.json and package-lock.json differ: run `npm install`\n' +
        '  - an incomplete node_modules: delete the folder, then run the same command again',
    );
    process.exit(1);
  }
  writeFileSync(stamp, state);
}

/** The checkout's root folder. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = `${root}node_modules/.worktrack-setup`;

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
    process.versions.node.split('.')[0],
    process.platform,
    process.arch,
  ];
  return createHash('sha256').update(facts.join('\n')).digest('hex');
}

/** Runs npm in the checkout. Uses the npm that started this process, if any. */
function npm(args) {
  const { npm_execpath: path } = process.env;
  const [command, ...first] = path?.endsWith('.js') ? [process.execPath, path] : ['npm'];
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: first.length === 0 && process.platform === 'win32',
  });
}
