import { type ConsoleFile, readConsoleFiles } from './console-files.js';

/** The page loads only its own files, and sends requests only to its own server. */
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
 * Responds to a request for the console: to `/__admin/` if the client accepts HTML, and to the console's files. The
 * files are read when a browser first requests one.
 *
 * @param path the path below the admin prefix
 * @returns undefined for requests to the admin routes themselves
 */
export async function respondWithConsole(
  { method, headers }: Request,
  path: string,
): Promise<Response | undefined> {
  if (method !== 'GET') return undefined;
  const isPage = path === '' || path === '/';
  if (isPage && !headers.get('accept')?.includes('text/html')) return undefined;
  if (!isPage && !path.startsWith('/assets/')) return undefined;
  // The URLs of the console's files are relative to the slash.
  if (path === '') return new Response(null, { status: 302, headers: { location: '__admin/' } });
  files ??= readConsoleFiles();
  const found = await files;
  const file = found.get(isPage ? '/index.html' : path);
  if (!file) return isPage ? notBuilt() : new Response(null, { status: 404 });
  return new Response(file.bytes, {
    headers: {
      'content-type': file.type,
      'content-security-policy': contentSecurityPolicy,
      // The names of assets change with their content.
      ...(!isPage && { 'cache-control': 'private, max-age=31536000, immutable' }),
    },
  });
}

function notBuilt(): Response {
  files = undefined;
  return new Response(
    "The console isn't built. In a checkout, run `npm run build`, then reload this page.\n" +
      'The single file worktrack-mock.mjs has no console. Use `npx worktrack mock`.\n',
    { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } },
  );
}
