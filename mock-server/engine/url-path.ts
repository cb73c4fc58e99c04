/** The path of an absolute URL, without building a URL object for it. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  // A fragment may hold a question mark, a query no hash.
  const hash = url.indexOf('#', start);
  const whole = hash < 0 ? url : url.slice(0, hash);
  const query = whole.indexOf('?', start);
  return whole.slice(start, query < 0 ? undefined : query);
}
