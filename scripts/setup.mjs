import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Installs the dependencies when they are missing or no longer what the lock file says; ends the
 * process with advice when that fails. Set up already, it needs no network and takes no time.
 */
export function setUp() {
  const state = wantedState();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  console.log('Setting up: installing dependencies (once, and again when they change) …');
  // Nothing we use needs install scripts: their binaries come as packages of their own.
  const { status, error } = npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (status !== 0) {
    console.error(
      `\nSetting up failed${error ? `: ${error.message}` : ''}. What npm says is above. Usually one of these helps:\n` +
        '  - no network, or a proxy: see that `npm ping` works, then run the same command again\n' +
        '  - package.json and package-lock.json do not agree: run `npm install`\n' +
        '  - a half-written node_modules: delete the folder, then run the same command again',
    );
    process.exit(1);
  }
  writeFileSync(stamp, state);
}

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = `${root}node_modules/.worktrack-setup`;

/** What node_modules depends on; written only after a success, so that a broken-off set-up is repeated. */
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

/** Runs npm, the one that runs us if there is one, in the checkout or `cwd`. */
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
