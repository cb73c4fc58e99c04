import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sirv from 'sirv';

/**
 * Serves a folder of static files on loopback, under the `base` path. Port 0 picks a free port. As on most
 * hosts, the `.html` extension is optional, and unknown paths return `404.html`.
 */
export async function serveFolder(
  folder: string,
  { base = '/', port = 0 }: { base?: string; port?: number } = {},
): Promise<{ url: string; server: Server }> {
  const serveFile = sirv(folder, { dev: true, extensions: ['html'] });
  const server = createServer((request, response) => {
    const notFound = () => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(notFoundPage(folder));
    };
    if (!request.url?.startsWith(base)) return notFound();
    request.url = `/${request.url.slice(base.length)}`;
    serveFile(request, response, notFound);
  });
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', ready);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, server };
}

function notFoundPage(folder: string): string {
  try {
    return readFileSync(join(folder, '404.html'), 'utf8');
  } catch {
    return 'Not found';
  }
}
