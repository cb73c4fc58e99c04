import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npm } from '../../support/packages.js';

/** The running peers, and the reason why each of the other peers didn't start, keyed by name. */
export interface Peers<Peer> {
  running: Record<string, Peer>;
  notRun: Record<string, string>;
}

/**
 * Installs peers from npm if needed, and starts them. If a peer can't be installed or doesn't start, the
 * benchmark continues without it, and its table row shows the reason.
 */
export async function start<Peer>(
  factories: Record<string, () => Peer | Promise<Peer>>,
): Promise<Peers<Peer>> {
  const peers: Peers<Peer> = { running: {}, notRun: {} };
  for (const [name, create] of Object.entries(factories)) {
    try {
      install();
      peers.running[name] = await create();
    } catch (error) {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      peers.notRun[name] = reason.replaceAll(bench, 'tools/bench/').replaceAll('|', String.raw`\|`);
    }
  }
  return peers;
}

/** Returns the package version pinned in tools/bench/package.json or the root lockfile. */
export function versionOf(name: string): string {
  const pinned = JSON.parse(readFileSync(`${bench}package.json`, 'utf8')).dependencies[name];
  const { packages } = JSON.parse(readFileSync(`${bench}../package-lock.json`, 'utf8'));
  return pinned ?? packages[`node_modules/${name}`].version;
}

/** Runs `npm ci` in tools/bench/ unless it has already run for this lockfile. Throws if it fails. */
function install() {
  if (process.argv.includes('--check')) throw new Error('--check skips other packages');
  if (failed) throw new Error(failed);
  const lock = readFileSync(`${bench}package-lock.json`, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing the peers in tools/bench/ (only on the first run and after updates) …');
  try {
    npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], bench);
  } catch (error) {
    console.error((error as Error).message);
    failed = '`npm ci` in `tools/bench/` failed';
    throw new Error(failed);
  }
  writeFileSync(stamp, lock);
}

let failed: string | undefined;
const bench = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${bench}node_modules/.installed-for`;
