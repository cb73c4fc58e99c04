import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AdminError } from './admin-error.js';

export interface AdminAccessOptions {
  /** The host name or IP address in the option `host`. */
  host: string;
  /** The IP address that the server is bound to. */
  address: string;
  /** URL under which a proxy makes the server available. */
  publicUrl: URL | undefined;
  /** The token that admin requests must send. By default random if a token is required. */
  token: string | undefined;
}

/**
 * Restricts the admin routes to the owner of the machine, and to pages that this server itself serves.
 *
 * Any website can make a browser send requests to loopback. It can even do so under its own host name, by
 * resolving that to 127.0.0.1 (DNS rebinding). So the `Origin` must be this server's, and a server on
 * loopback accepts only loopback host names. A server that other machines can reach, directly or through a
 * proxy, requires a token.
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

  /** @throws {@link AdminError} 401 without the token */
  checkToken(headers: Headers): void {
    if (this.token !== undefined && !isToken(this.token, headers.get('authorization'))) {
      throw new AdminError(
        401,
        'Admin routes need the admin token: send "Authorization: Bearer <admin token>".',
      );
    }
  }

  /** @throws {@link AdminError} 403 for a foreign host or origin */
  checkOrigin(headers: Headers): void {
    const host = hostOf(headers);
    if (this.#isLocal && !isLoopback(host.hostname) && !this.#hosts.has(host.hostname)) {
      throw new AdminError(
        403,
        `Admin routes aren't available under the host name ${JSON.stringify(host.hostname)}; use 127.0.0.1 or localhost.`,
      );
    }
    if (isFromAnotherOrigin(headers, host.host)) {
      throw new AdminError(403, 'Admin routes are only available to pages of the same origin.');
    }
  }
}

/** Whether an IP address or host name is a loopback one, which only this machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
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
  // Browsers don't send `Origin` with GET requests for images, scripts and links.
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  // Links may open pages of this server. Their `frame-ancestors` policy prevents embedding in frames.
  return !(headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document');
}

function isToken(token: string, authorization: string | null): boolean {
  const [, sent] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  // Compares digests, which have the same length, in constant time, so that the duration reveals nothing.
  return sent !== undefined && timingSafeEqual(digestOf(sent), digestOf(token));
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
