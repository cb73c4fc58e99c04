import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { downloadProgram } from './download.js';
import type { Runtime } from './runtime.js';

const execute = promisify(execFile);

/** The Cloudflare Workers runtime, which runs a single bundled module. */
export const workerd: Runtime = {
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
