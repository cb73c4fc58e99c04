const here = 'https://app.invalid';

/**
 * Whether a notification's `url` is an internal path: `/app` or something below it, read as a
 * browser would read it, so that `/app/../admin`, `//elsewhere` or `/\elsewhere` do not pass.
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
