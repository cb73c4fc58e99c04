import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/**
 * Serves a folder of static files on loopback, below `base`; port 0 takes a free one. A page is found
 * without its `.html` too, as with most hosts.
 */
export async function serveFolder(
  folder: string,
  { base = '/', port = 0 }: { base?: string; port?: number } = {},
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname.startsWith(base) ? fileOf(folder, pathname.slice(base.length)) : undefined;
    const content = file && (await readFile(file).catch(() => undefined));
    if (!content && file && existsSync(`${file}.html`)) {
      response.writeHead(302, { location: `${pathname}.html` }).end();
      return;
    }
    if (!content) {
      const page = await readFile(join(folder, '404.html')).catch(() => 'Not found');
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(content);
  });
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', ready);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, server };
}

/** The file that a path names inside the folder; a folder's path names its index page. */
function fileOf(folder: string, path: string): string {
  const inside = normalize(`/${decodeURIComponent(path)}`);
  return join(folder, inside.endsWith('/') ? `${inside}index.html` : inside);
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
