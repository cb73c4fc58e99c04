import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Files = typeof import('node:fs/promises');

const built = new URL('../../../dist/console/', import.meta.url).href;

afterEach(() => {
  vi.doUnmock('node:fs/promises');
  vi.resetModules();
});

/** Starts a server that looks for the console's files in a temporary folder instead of the build output. */
async function serve(files: Record<string, string>, { separator = sep } = {}) {
  const folder = await temporaryFolder();
  const console = join(folder, 'console');
  const build = async (added: Record<string, string>) => {
    for (const [name, text] of Object.entries(added)) {
      await mkdir(dirname(join(console, name)), { recursive: true });
      await writeFile(join(console, name), text);
    }
  };
  await build(files);
  const moved = (path: unknown) => {
    if (!(path instanceof URL)) throw new TypeError(`${path} must be a URL`);
    if (!path.href.startsWith(built)) throw new TypeError(`${path} must be in ${built}`);
    return new URL(path.href.slice(built.length), `${pathToFileURL(console).href}/`);
  };
  vi.doMock('node:fs/promises', async (original) => {
    const actual = await original<Files>();
    const readdir = async (path: unknown, options: { recursive?: boolean }) => {
      const paths = await actual.readdir(moved(path), options);
      return paths.map((found) => found.replaceAll(sep, separator));
    };
    return { ...actual, readdir, readFile: (path: unknown) => actual.readFile(moved(path)) };
  });
  vi.resetModules();
  const { listen } = await import('worktrack/mock-server/node');
  const server = await listen();
  onTestFinished(() => server.close());
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, { headers: { accept: 'text/html,*/*' }, ...init });
    const { status, headers } = response;
    return { status, headers: Object.fromEntries(headers), text: await response.text() };
  };
  return { get, build };
}

const page = '<!doctype html><title>Worktrack</title>';

test("the console's page loads resources only from its own origin and is never cached", async () => {
  const { get } = await serve({ 'index.html': page });

  expect(await get('/__admin/')).toMatchObject({
    status: 200,
    text: page,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    },
  });
});

test("the console's assets have a content type and are cached for a year", async () => {
  const { get } = await serve({
    'assets/index-4f2a.js': 'export {};',
    'assets/index-4f2a.css': 'body {}',
    'assets/icons/logo-4f2a.svg': '<svg/>',
  });

  for (const [path, type, text] of [
    ['index-4f2a.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['index-4f2a.css', 'text/css; charset=utf-8', 'body {}'],
    ['icons/logo-4f2a.svg', 'image/svg+xml', '<svg/>'],
  ] as const) {
    expect(await get(`/__admin/assets/${path}`)).toMatchObject({
      status: 200,
      text,
      headers: { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' },
    });
  }
});

test('the server sends console assets only in response to GET requests, and sends only built files of a known type', async () => {
  const { get } = await serve({
    'index.html': page,
    'private.js': 'secret',
    'assets/app.js': 'app',
    'assets/app.js.map': 'secret',
    'assets/js': 'secret',
  });

  for (const path of ['index.html', 'private.js', 'assets/app.js.map', 'assets/js', 'assets/none.js']) {
    expect((await get(`/__admin/${path}`)).status).toBe(404);
  }
  expect((await get('/__admin/assets/app.js')).status).toBe(200);
  expect((await get('/__admin/assets/app.js', { method: 'POST' })).text).toContain('Unknown admin route');
});

test("the server finds the console's assets even if the operating system uses backslashes in paths", async () => {
  const { get } = await serve({ 'assets/icons/logo.svg': '<svg/>' }, { separator: '\\' });

  expect(await get('/__admin/assets/icons/logo.svg')).toMatchObject({ status: 200, text: '<svg/>' });
});

test('if the console is missing, the page explains how to build it, and shows it as soon as it has been built', async () => {
  const { get, build } = await serve({});

  expect(await get('/__admin/')).toMatchObject({
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    text:
      "The console isn't built. In a checkout, run `npm run build`, then reload this page.\n" +
      'The single-file server worktrack-mock.mjs has no console. Use `npx worktrack mock`.\n',
  });
  await build({ 'index.html': page });
  expect(await get('/__admin/')).toMatchObject({ status: 200, text: page });
});
