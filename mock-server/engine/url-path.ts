/** Returns the path of an absolute URL without the cost of creating a `URL` object. */
export const pathOf = (url: string): string =>
  url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(/[?#].*/, '');
