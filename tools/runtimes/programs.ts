import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { MockClientOptions } from 'worktrack/mock-server';
import { downloadPackage } from '../support/packages.js';

/** A runtime in which the package is tested. */
export interface Runtime {
  name: string;
  /**
   * Installs the runtime. The returned function runs the test program and returns the runtime's version.
   *
   * @throws Error if the runtime can't be installed on this machine; the result is then NOT RUN
   */
  install(): Promise<Run>;
}

/** @throws Error if the program fails in the runtime */
export type Run = (trial: Trial) => Promise<string>;

export interface Trial {
  /** A folder that contains the programs from test/runtimes, with the package tarball installed. */
  home: string;
  /** Client options for connecting to the mock server over HTTP. */
  served: MockClientOptions;
}

/** Runtimes that are standalone programs, installed from npm packages. */
export const programs = (): readonly Runtime[] => [
  ...['22', '24', '26'].map(
    (version): Runtime => ({
      name: `Node.js ${version}`,
      install: async () => runsProgram(downloadNode(version)),
    }),
  ),
  { name: 'Bun', install: async () => runsProgram(downloadProgram('bun', '1.4.5', 'bin/bun'), 'run') },
  {
    name: 'Deno',
    install: async () =>
      runsProgram(downloadProgram('deno', '2.9.6', 'deno'), 'run', '-A', '--node-modules-dir=manual'),
  },
  workerd,
  msw2,
];

const execute = promisify(execFile);

/** Installs a Node.js version for this platform, and returns the path to its executable. */
const downloadNode = (version: string) =>
  downloadProgram(`node-${process.platform}-${process.arch}`, version, 'bin/node');

/** @throws Error unless the program prints `passed` */
async function expectPassed(program: string, args: string[], cwd: string): Promise<void> {
  const { stdout } = await execute(program, args, { cwd, timeout: 120_000 });
  if (stdout.trim() !== 'passed') throw new Error(`expected "passed", but it printed: ${stdout}`);
}

function runsProgram(program: string, ...args: string[]): Run {
  return async ({ home, served }) => {
    await expectPassed(program, [...args, 'command.mjs', JSON.stringify(served)], home);
    const { stdout: version } = await execute(program, ['--version']);
    return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version.trim();
  };
}

/** The Cloudflare Workers runtime, which runs a single bundled module. */
const workerd: Runtime = {
  name: 'workerd',
  async install() {
    const program = downloadProgram('workerd', '1.20261117.1', 'bin/workerd');
    return async ({ home, served }) => {
      await build({
        entryPoints: [join(home, 'worker.mjs')],
        outfile: join(home, 'worker.bundle.js'),
        conditions: ['workerd', 'worker', 'browser'],
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        mainFields: ['module', 'main'],
        external: ['msw'],
        logLevel: 'error',
      });
      writeFileSync(join(home, 'worker.capnp'), config(JSON.stringify(served)));
      await execute(program, ['test', 'worker.capnp'], { cwd: home, timeout: 60_000 });
      const { stdout } = await execute(program, ['--version']);
      return stdout.trim().replace(/^workerd /, '');
    };
  },
};

/** Configures a worker that can connect to loopback addresses, where the mock server listens. */
const config = (served: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = .main),
  (name = "internet", network = (allow = ["public", "private"])),
]);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.bundle.js")],
  compatibilityDate = "2026-01-01",
  bindings = [(name = "SERVED", json = ${JSON.stringify(served)})],
);
`;

/**
 * Runs the conformance kit through MSW 2. The other runtimes use MSW 3, which is a development dependency.
 */
const msw2: Runtime = {
  name: 'MSW 2 on Node.js 24',
  async install() {
    const node = downloadNode('24');
    const msw = join(downloadPackage('msw', '2.15.0'), 'node_modules/msw');
    return async ({ home }) => {
      // In this folder, `msw` is version 2. Worktrack is installed in the parent folder.
      const folder = join(home, 'msw2');
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(msw, join(folder, 'node_modules/msw'), 'junction');
      copyFileSync(join(home, 'msw2.mjs'), join(folder, 'main.mjs'));
      await expectPassed(node, ['main.mjs'], folder);
      return JSON.parse(readFileSync(join(msw, 'package.json'), 'utf8')).version;
    };
  },
};

/**
 * Installs a package that contains a program, and returns the program's path.
 *
 * @param file the program's path in the package or in its platform-specific dependency
 * @throws Error if the package or its platform-specific dependency can't be installed
 */
function downloadProgram(name: string, version: string, file: string): string {
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
