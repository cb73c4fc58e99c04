/** Returns the path of an absolute URL without the cost of creating a `URL` object. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  // A fragment may contain a question mark, but a query can't contain a hash.
  const hash = url.indexOf('#', start);
  const withoutHash = hash < 0 ? url : url.slice(0, hash);
  const query = withoutHash.indexOf('?', start);
  return withoutHash.slice(start, query < 0 ? undefined : query);
}

/** Parses a request's URL. An invalid `Host` header, such as `localhost:99999`, is ignored. */
export function parseUrl(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  return new URL(url.slice(url.indexOf('/', url.indexOf('//') + 2)), 'http://localhost');
}
