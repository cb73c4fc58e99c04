import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the dependencies if they are missing or differ from the lock file. If that fails, prints
 * advice and exits. If everything is installed, it needs no network and returns immediately.
 */
export function setUp() {
  const state = wantedState();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  console.log('Setting up: installing dependencies (again only if they change) …');
  // No dependency needs its install scripts: binaries come in separate packages.
  const { status, error } = npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (status !== 0) {
    console.error(
      `\nSetting up failed${error ? `: ${error.message}` : ''}. npm's output is above. Common causes:\n` +
        '  - no network, or a proxy: check that `npm ping` works, then run the same command again\n' +
        '  - package.json and package-lock.json differ: run `npm install`\n' +
        '  - an incomplete node_modules: delete the folder, then run the same command again',
    );
    process.exit(1);
  }
  writeFileSync(stamp, state);
}

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = `${root}node_modules/.worktrack-setup`;

/**
 * A hash of what node_modules depends on. It is written only after a successful install, so a failed one is
 * retried.
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

/** Runs npm (the one that started this process, if any) in the checkout or in `cwd`. */
export function npm(args, options = {}) {
  const { npm_execpath: path } = process.env;
  const [command, ...first] = path?.endsWith('.js') ? [process.execPath, path] : ['npm'];
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: first.length === 0 && process.platform === 'win32',
    ...options,
  });
}
