import { ConfigurationError } from '../errors/index.js';
import { pathPrefix } from '../wire/index.js';

/** Matches loopback hosts and `.test` hosts, which never resolve on the internet (RFC 6761). */
const localHost = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.(localhost|test))$/;

/**
 * Validates the base URL.
 *
 * @returns the URL, ending in `/api/v1`
 */
export function readBaseUrl(baseUrl: string | URL | undefined, allowPlainHttp = false): string {
  if (!baseUrl) throw new ConfigurationError('baseUrl is missing; pass it or set WORKTRACK_BASE_URL');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    // The cause is omitted because it quotes the URL, which could contain a password.
    throw new ConfigurationError('baseUrl must be an absolute URL, such as https://work.example.com');
  }
  if (!['https:', 'http:'].includes(url.protocol)) {
    throw new ConfigurationError('baseUrl must start with https:// or http://');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError('baseUrl must not contain a user name, password, query, or fragment');
  }
  if (url.protocol === 'http:' && !allowPlainHttp && !localHost.test(url.hostname)) {
    throw new ConfigurationError(
      'baseUrl: plain http would expose the token to the network; use https, or set allowPlainHttp',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(pathPrefix) ? path : path + pathPrefix);
}
