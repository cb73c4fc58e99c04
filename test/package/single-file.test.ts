import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { validate } from 'dockerfile-utils';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { root } from '../../tools/entries.js';

const built = join(root, 'artifacts/worktrack-mock.mjs');
const dockerFolder = join(root, 'examples/docker');
const dockerfile = readFileSync(join(dockerFolder, 'Dockerfile'), 'utf8');

let folder: string;
let running: ChildProcess | undefined;

// The folder is outside the checkout so that Node.js can't find node_modules.
beforeAll(() => {
  if (!existsSync(built)) throw new Error('artifacts/ is missing: run npm run build first');
  folder = mkdtempSync(join(tmpdir(), 'worktrack-single-file-'));
  copyFileSync(built, join(folder, 'worktrack-mock.mjs'));
});
afterEach(() => running?.kill('SIGKILL'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a command in the folder and returns its first output line. */
async function start([command = '', ...args]: string[]) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, line: String(line) };
}

describe('worktrack-mock.mjs without node_modules', () => {
  test('starts, responds to requests, and stops on SIGTERM', async () => {
    const { child, line } = await start(['node', 'worktrack-mock.mjs', '--port', '0']);
    const [, url, token] = /^worktrack mock is ready at (\S+) \(token (\w+),/.exec(line) ?? [];
    const response = await fetch(`${url}/api/v1/organizations/org_default`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('node', ['worktrack-mock.mjs', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  test('prints its version and suggests the correct name for an unknown option', () => {
    expect(run('--version')).toEqual({ status: 0, output: `${VERSION}\n` });
    expect(run('--prot', '1')).toEqual({
      status: 2,
      output: 'worktrack-mock: unknown option "--prot"; did you mean "--port"?\n',
    });
  });

  test('exits with code 2 and names the option if the seed data is invalid', () => {
    writeFileSync(join(folder, 'seed.json'), '{ "organisations": [] }');
    const { status, output } = run('--port', '0', '--seed', 'seed.json');
    expect(output).toMatch(/^worktrack-mock: --seed: organizations: is required\n/);
    expect(status).toBe(2);
  });

  test("shows the correct command name in its help and errors, and doesn't mention the console", () => {
    const { status, output } = run('--help');
    expect(status).toBe(0);
    expect(output).toMatch(/^Usage: node worktrack-mock\.mjs \[options\]\n/);
    expect(output).toContain('  node worktrack-mock.mjs --seed seed.json --watch          load');
    expect(output).not.toMatch(/worktrack mock|console/);
    expect(run('--unknown').output).toBe(
      'worktrack-mock: unknown option "--unknown"; see "node worktrack-mock.mjs --help"\n',
    );
  });

  test('is at most 87 kB gzipped and includes the licenses of its packages', () => {
    const content = readFileSync(built);
    expect(gzipSync(content).length).toBeLessThanOrEqual(87_000);
    for (const name of ['commander', 'srvx', 'zod']) {
      expect(content.toString()).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n.*MIT`, 'm'));
    }
  });
});

describe('examples/docker/Dockerfile', () => {
  test("passes the linter and doesn't run the server as root", () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate('FROM node\nCPY a b')).not.toEqual([]);
    expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node']);
  });

  test("starts the server and has a working health check that isn't recorded in the journal", async () => {
    const port = await freePort();
    const commandOf = (instruction: string): string[] =>
      JSON.parse(
        new RegExp(`^${instruction} .*?(\\[.*\\])$`, 'm')
          .exec(dockerfile)?.[1]
          ?.replaceAll('4010', String(port)) ?? '',
      );
    const check = () => {
      const [command = '', ...args] = commandOf('HEALTHCHECK');
      return spawnSync(command, args, { cwd: folder }).status;
    };
    expect(check()).toBe(1);
    const { line } = await start(commandOf('ENTRYPOINT'));
    expect(line).toContain('worktrack mock is ready');
    expect(check()).toBe(0);
    const [, token] = /admin token (\S+)\)/.exec(line) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const journal = await fetch(`http://127.0.0.1:${port}/__admin/requests`, { headers });
    expect(await journal.json()).toEqual({ data: [] });
  });

  // The test must not download anything, so it needs a local base image.
  const hasImage = spawnSync('docker', ['image', 'inspect', 'node:22-alpine']).status === 0;
  test.skipIf(!hasImage)(
    `builds an image whose container prints its version${hasImage ? '' : ' (NOT RUN: the image node:22-alpine is missing)'}`,
    () => {
      const docker = (...args: string[]) => spawnSync('docker', args, { cwd: folder, encoding: 'utf8' });
      copyFileSync(join(dockerFolder, 'Dockerfile'), join(folder, 'Dockerfile'));
      const build = docker('build', '--tag', 'worktrack-mock-test', '.');
      expect(build.status, build.stderr).toBe(0);
      expect(docker('run', '--rm', 'worktrack-mock-test', '--version').stdout).toBe(`${VERSION}\n`);
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
