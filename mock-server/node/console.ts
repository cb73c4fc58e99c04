import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Restricts the page to resources from its own origin. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

let files: Promise<Map<string, ConsoleFile>> | undefined;

/**
 * Responds to requests for the console's files, and to `/__admin/` if the client accepts HTML. The files are
 * read on the first request.
 *
 * @param path the path after `/__admin`
 * @returns undefined if the request is for an admin route
 */
export async function respondWithConsole(
  { method, headers }: Request,
  path: string,
): Promise<Response | undefined> {
  if (method !== 'GET') return undefined;
  const isPage = path === '' || path === '/';
  if (isPage && !headers.get('accept')?.includes('text/html')) return undefined;
  if (!isPage && !path.startsWith('/assets/')) return undefined;
  // The console uses relative URLs, which work only with a trailing slash.
  if (path === '') return new Response(null, { status: 302, headers: { location: '__admin/' } });
  files ??= readConsoleFiles().catch((error) => {
    files = undefined;
    throw error;
  });
  const found = await files;
  const file = found.get(isPage ? '/index.html' : path);
  if (!file) return isPage ? notBuiltResponse() : new Response(null, { status: 404 });
  return new Response(file.bytes, {
    headers: {
      'content-type': file.type,
      'content-security-policy': contentSecurityPolicy,
      // An asset's name contains a hash of its content, so it can be cached forever.
      ...(!isPage && { 'cache-control': 'private, max-age=31536000, immutable' }),
    },
  });
}

function notBuiltResponse(): Response {
  files = undefined;
  return new Response(
    "The console isn't built. In a checkout, run `npm run build`, then reload this page.\n" +
      'The single-file server worktrack-mock.mjs has no console. Use `npx worktrack mock`.\n',
    { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } },
  );
}

interface ConsoleFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

// Bundlers that output CommonJS support `__filename` instead of `import.meta.url`.
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url;
/** In the built package, the console is next to this code. In a checkout, it's in the build output. */
const folder = new URL(here.endsWith('.ts') ? '../../dist/console/' : 'console/', here);

/**
 * Returns whether the console's files exist. The single-file server and unbuilt checkouts don't include them.
 */
export const hasConsole = (): boolean => existsSync(new URL('index.html', folder));

/** The content type for each file extension in the build output. */
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the console's files, keyed by path, such as `/index.html` or `/assets/index-4f2a.js`.
 *
 * @returns an empty map if the console isn't built
 */
async function readConsoleFiles(): Promise<Map<string, ConsoleFile>> {
  const files = new Map<string, ConsoleFile>();
  for (const path of await listFiles()) {
    const type = types[path.slice(path.lastIndexOf('.') + 1)];
    if (type) files.set(`/${path}`, { bytes: new Uint8Array(await readFile(new URL(path, folder))), type });
  }
  return files;
}

async function listFiles(): Promise<string[]> {
  try {
    const paths = await readdir(folder, { recursive: true });
    return paths.map((path) => path.replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
