// `npm run lock`: brings package-lock.json up to date, for every platform.
//
// npm 11 leaves a platform's package out of the lock file where the registry in use does not serve
// it (a mirror seldom has all of them), and then its own `npm ci` refuses the lock file. The
// versions are known all the same, from the packages that ask for them; what each is for is in its
// name. Where the registry knows the integrity of such an entry it is added; npm itself adds the others
// when it runs on that platform.
import { readFileSync, writeFileSync } from 'node:fs';
import { npm, root } from './setup.mjs';

const { status } = npm(['install', '--package-lock-only', '--ignore-scripts']);
if (status !== 0) process.exit(1);

const path = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(parent, name)) continue;
    lock.packages[nestedUnder(parent, name, version)] = {
      version: version.replace(/^[\^~=]/, ''),
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
    added.push(name);
  }
}
const lacking = Object.entries(lock.packages).filter(([path, entry]) => path && !entry.integrity);
for (const [path, entry] of lacking) entry.integrity = integrityOf(entry.name ?? nameIn(path), entry.version);
const unknown = lacking.filter(([, { integrity }]) => integrity === undefined);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  `package-lock.json: ${added.length} packages of other platforms added, ` +
    `${unknown.length} of ${lacking.length} without integrity left so: the registry in use does not serve them`,
);

/** What the registry says of a version; undefined where it does not have it. */
function integrityOf(name, version) {
  const { status, stdout } = npm(['view', `${name}@${version}`, 'dist.integrity'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return (status === 0 && stdout.trim()) || undefined;
}

function nameIn(path) {
  return path.replace(/^.*node_modules\//, '');
}

/** Whether the lock file has the package where Node.js would look for it from `parent`. */
function isLocked(parent, name) {
  return placesFor(parent, name).some((place) => place in lock.packages);
}

function placesFor(parent, name) {
  const parts = parent.split('/node_modules/').filter(Boolean);
  const places = parts.map(
    (_, index) => `${parts.slice(0, index + 1).join('/node_modules/')}/node_modules/${name}`,
  );
  return [...places.reverse(), `node_modules/${name}`];
}

/** At the top; below its parent where another parent's other version has that place. */
function nestedUnder(parent, name, version) {
  const [, ...others] = Object.values(lock.packages)
    .map(({ optionalDependencies }) => optionalDependencies?.[name])
    .filter((wanted, index, all) => wanted && all.indexOf(wanted) === index);
  return others.includes(version) ? `${parent}/node_modules/${name}` : `node_modules/${name}`;
}

function platformOf(name) {
  const os = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/.exec(name)?.[1];
  const cpu = /\b(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)\b/.exec(name)?.[1];
  const libc = os === 'linux' ? /\b(musl|gnu)/.exec(name)?.[1]?.replace('gnu', 'glibc') : undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}
