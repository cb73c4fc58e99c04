const here = 'https://app.invalid';

/**
 * Whether a notification's `url` is an internal path: `/app` or a path under it. The path is resolved as a
 * browser would resolve it, so `/app/../admin`, `//elsewhere`, and `/\elsewhere` are rejected.
 */
export function isAppPath(url: string): boolean {
  if (!url.startsWith('/')) return false;
  try {
    const { origin, pathname } = new URL(url, here);
    return origin === here && (pathname === '/app' || pathname.startsWith('/app/'));
  } catch {
    return false;
  }
}
