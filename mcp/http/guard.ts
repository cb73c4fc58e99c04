import type * as z from 'zod/mini';
import { isString, option, requiredSecretOption } from '../../src/contract/option-types.js';

/** Options that restrict who can call the handler. */
export interface HttpSecurityOptions {
  /**
   * The bearer token that MCP clients must send (at least 32 characters). Don't use the API token: MCP
   * clients must never see it.
   */
  authToken: string | undefined;
  /**
   * The accepted host names, without ports. To prevent DNS rebinding, requests to other hosts are rejected.
   * @defaultValue `localhost`, `127.0.0.1`, and `[::1]`
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * The origins of web pages that can call the handler, such as `https://app.example.com`. Non-browser
   * clients don't send an origin, so they aren't affected.
   * @defaultValue `[]`
   */
  allowedOrigins?: readonly string[] | undefined;
}

type Guard = (request: Request, next: () => Promise<Response>) => Promise<Response>;

/** The schemas for all guard options. */
export const guardFields: Record<keyof HttpSecurityOptions, z.core.$ZodType> = {
  authToken: requiredSecretOption(
    'a bearer token of at least 32 characters',
    (value) => isString(value) && (value as string).length >= 32,
  ),
  allowedHosts: option('a list of host names without ports, such as mcp.example.com', isListOf(isHostName)),
  allowedOrigins: option('a list of origins, such as https://app.example.com', isListOf(isOrigin)),
};

/** Checks the host, origin, and bearer token before a request reaches the MCP server. */
export function createGuard({
  authToken,
  allowedHosts = loopback,
  allowedOrigins = [],
}: HttpSecurityOptions): Guard {
  const expected = digest(authToken as string);
  return async (request, next) => {
    const { headers } = request;
    const host = hostOf(headers.get('host') ?? new URL(request.url).host);
    if (!host || !allowedHosts.includes(host)) return rejection(403, "This host isn't allowed.");
    const origin = headers.get('origin');
    if (origin !== null && !allowedOrigins.includes(origin))
      return rejection(403, "This origin isn't allowed.");
    if (origin !== null && request.method === 'OPTIONS') return withCors(preflight(), origin);
    const sent = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const isKnown = sent !== undefined && isSame(await digest(sent), await expected);
    const response = isKnown ? await next() : rejection(401, 'A valid bearer token is required.', challenge);
    return origin === null ? response : withCors(response, origin);
  };
}

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

function isListOf(isItem: (item: string) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((item) => isString(item) && isItem(item));
}

function isHostName(host: string): boolean {
  return hostOf(host) === host;
}

function isOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin;
}

/**
 * Returns the lowercase host name in a `Host` header, without the port, or undefined if the header is
 * malformed.
 */
function hostOf(header: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  return new URL(`http://${header}`).hostname;
}

const challenge = { 'www-authenticate': 'Bearer' };

const rejection = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });

/** Hashes a token. Digests have the same length, so they can be compared in constant time. */
async function digest(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name',
      'access-control-max-age': '600',
    },
  });

function withCors(response: Response, origin: string): Response {
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.append('vary', 'origin');
  return new Response(response.body, { status: response.status, headers });
}
