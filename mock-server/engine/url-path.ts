/** The path of an absolute URL, without building a URL object for it. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?', start);
  const end = query < 0 ? url.indexOf('#', start) : query;
  return url.slice(start, end < 0 ? undefined : end);
}
