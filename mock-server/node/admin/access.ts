import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AdminError } from './admin-error.js';

export interface AdminAccessOptions {
  /** The `host` option: a host name or an IP address. */
  host: string;
  /** The IP address that the server is bound to. */
  address: string;
  /** The server's public URL if it's behind a proxy. */
  publicUrl: URL | undefined;
  /** The token that admin requests must send. Defaults to a random token if a token is required. */
  token: string | undefined;
}

/**
 * Protects the admin routes from websites and from other machines.
 *
 * Any website can make a browser send requests to a loopback address, even under the site's own host name
 * (DNS rebinding). Therefore, the `Origin` header must match this server, and a server on a loopback address
 * accepts only loopback host names and the configured host. If other machines can reach the server, directly
 * or through a proxy, requests must include a token.
 */
export class AdminAccess {
  /** The token that admin requests must send, if one is required. */
  readonly token: string | undefined;
  readonly #hosts: ReadonlySet<string>;
  readonly #isLocal: boolean;

  constructor({ host, address, publicUrl, token }: AdminAccessOptions) {
    this.#isLocal = isLoopback(address);
    const isPrivate = this.#isLocal && (publicUrl === undefined || isLoopback(publicUrl.hostname));
    this.token = token ?? (isPrivate ? undefined : randomBytes(24).toString('base64url'));
    this.#hosts = new Set([host.toLowerCase(), ...(publicUrl ? [publicUrl.hostname] : [])]);
  }

  /** @throws {@link AdminError} with status 401 if the token is missing or wrong */
  checkToken(headers: Headers): void {
    if (this.token !== undefined && !isToken(this.token, headers.get('authorization'))) {
      throw new AdminError(401, 'Admin routes require a token. Send "Authorization: Bearer <admin token>".');
    }
  }

  /** @throws {@link AdminError} with status 403 if the host or origin isn't allowed */
  checkOrigin(headers: Headers): void {
    const host = hostOf(headers);
    if (this.#isLocal && !isLoopback(host.hostname) && !this.#hosts.has(host.hostname)) {
      throw new AdminError(
        403,
        `Admin routes don't accept the host name ${JSON.stringify(host.hostname)}; use 127.0.0.1 or localhost.`,
      );
    }
    if (isFromAnotherOrigin(headers, host.host)) {
      throw new AdminError(403, 'Admin routes are available only to pages from the same origin.');
    }
  }
}

/** Returns whether a host is a loopback IP address or host name, which only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    name === '[::1]' ||
    /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  );
}

function hostOf(headers: Headers): { host: string; hostname: string } {
  const text = `http://${headers.get('host') ?? ''}`;
  if (!URL.canParse(text)) throw new AdminError(400, 'The Host header is invalid.');
  return new URL(text);
}

function isFromAnotherOrigin(headers: Headers, host: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !(URL.canParse(origin) && new URL(origin).host === host);
  // Browsers don't send `Origin` with GET requests for images, scripts, and links.
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  // Allow links from other sites. The `frame-ancestors` policy prevents those sites from embedding the pages.
  return !(headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document');
}

function isToken(token: string, authorization: string | null): boolean {
  const [, sent] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  // Compare digests in constant time, to prevent timing attacks. Unlike tokens, digests always have the same
  // length.
  return sent !== undefined && timingSafeEqual(digestOf(sent), digestOf(token));
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
