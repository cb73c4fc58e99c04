import { timingSafeEqual } from 'node:crypto';
import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import type * as z from 'zod/mini';
import type { Worktrack } from '../../../src/index.js';
import { fn, isString, option, secretOption } from '../../../src/internal.js';
import { digest } from '../confirmation.js';

/** The result of authenticating a request. */
export type Authenticated = Worktrack | AuthenticatedUser | undefined;

/** Options that restrict who can call the handler. */
export interface HttpSecurityOptions {
  /**
   * The bearer token that MCP clients must send. At least 32 characters. All callers then share the client in
   * the `client` option. Don't use the API token, because MCP clients must never see it.
   */
  authToken?: string | undefined;
  /**
   * Identifies the user who sent a request. Returns the client that calls the API for this user, or undefined
   * to reject the request. Use it instead of `authToken` and `client`.
   */
  authenticate?: ((request: Request) => Authenticated | Promise<Authenticated>) | undefined;
  /** Tells MCP clients where users sign in. Use it together with `authenticate`. */
  resource?: ProtectedResource | undefined;
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

/** Tells MCP clients where users sign in (RFC 9728). */
export interface ProtectedResource {
  /** The URL of the MCP server, such as `https://mcp.example.com/mcp`. */
  url: string;
  /** The URLs of the authorization servers that issue tokens for it. */
  authorizationServers: readonly string[];
  /** The scopes that clients can request. */
  scopes?: readonly string[] | undefined;
}

/** A user whose requests are sent with their own credential. */
export interface AuthenticatedUser {
  /** The client that calls the API for the user. */
  client: Worktrack;
  /**
   * A name for the user, which is passed to {@link McpOptions.onCall}.
   * @defaultValue a digest of the `Authorization` header
   */
  user?: string | undefined;
}

/** The caller of a request, if users are authenticated. */
interface Caller {
  client: Worktrack;
  user: string;
}

type Guard = (request: Request, next: (caller: Caller | undefined) => Promise<Response>) => Promise<Response>;

export const guardFields: Record<keyof HttpSecurityOptions, z.core.$ZodType> = {
  authToken: secretOption(
    'a bearer token of at least 32 characters',
    (value) => isString(value) && (value as string).length >= 32,
  ),
  authenticate: fn(),
  resource: option('an object with url and authorizationServers', isProtectedResource),
  allowedHosts: option('a list of host names without ports, such as mcp.example.com', isListOf(isHostName)),
  allowedOrigins: option('a list of origins, such as https://app.example.com', isListOf(isOrigin)),
};

/**
 * Checks the host, origin, and credential before a request reaches the MCP server.
 *
 * @throws TypeError unless exactly one of `authToken` and `authenticate` is set
 */
export function createGuard(options: HttpSecurityOptions): Guard {
  const { authToken, authenticate, resource, allowedHosts = loopback, allowedOrigins = [] } = options;
  if ((authToken === undefined) === (authenticate === undefined)) {
    throw new TypeError(
      'createMcpHandler: set either "authToken" (a bearer token of at least 32 characters, one identity for all callers) or "authenticate" (one identity per user)',
    );
  }
  if (authenticate && (options as { client?: unknown }).client !== undefined) {
    throw new TypeError('createMcpHandler: options "authenticate" and "client" are mutually exclusive');
  }
  const expected = Buffer.from(digest(authToken));
  // Compare digests, which have the same length, in constant time.
  const hasToken = (request: Request) => timingSafeEqual(Buffer.from(digest(tokenOf(request))), expected);
  return async (request, next) => {
    const { headers } = request;
    const host = hostOf(headers.get('host') ?? new URL(request.url).host);
    if (!host || !allowedHosts.includes(host)) return rejection(403, "This host isn't allowed.");
    const origin = headers.get('origin');
    if (origin !== null && !allowedOrigins.includes(origin))
      return rejection(403, "This origin isn't allowed.");
    if (origin !== null && request.method === 'OPTIONS') return withCors(preflight(), origin);
    const respond = async () => {
      if (resource && isMetadataRequest(request, resource)) return metadataResponse(resource);
      const caller = authenticate && (await callerOf(request, authenticate));
      if (caller || (!authenticate && hasToken(request))) return next(caller);
      return rejection(401, 'A valid bearer token is required.', challenge(request, resource));
    };
    const response = await respond();
    return origin === null ? response : withCors(response, origin);
  };
}

const tokenOf = ({ headers }: Request): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];

async function callerOf(
  request: Request,
  authenticate: NonNullable<HttpSecurityOptions['authenticate']>,
): Promise<Caller | undefined> {
  const result = await authenticate(request);
  if (!result) return undefined;
  const { client, user } = 'request' in result ? { client: result, user: undefined } : result;
  return { client, user: user ?? digest(request.headers.get('authorization') ?? '').slice(0, 16) };
}

/** Tells the client where to get a token and whether the token that it sent is invalid. */
function challenge(request: Request, resource: ProtectedResource | undefined): Record<string, string> {
  const parts = [
    tokenOf(request) !== undefined && 'error="invalid_token"',
    resource && `resource_metadata="${metadataUrl(resource)}"`,
  ].filter(Boolean);
  return { 'www-authenticate': ['Bearer', parts.join(', ')].filter(Boolean).join(' ') };
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

const rejection = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });

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

function isProtectedResource(value: unknown): boolean {
  const { url, authorizationServers } = (value ?? {}) as Partial<ProtectedResource>;
  const isUrl = (text: unknown) => typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text);
  return isUrl(url) && Array.isArray(authorizationServers) && authorizationServers.every(isUrl);
}

const metadataUrl = ({ url }: ProtectedResource): string =>
  getOAuthProtectedResourceMetadataUrl(new URL(url));

const isMetadataRequest = ({ method, url }: Request, resource: ProtectedResource): boolean =>
  method === 'GET' && new URL(url).pathname === new URL(metadataUrl(resource)).pathname;

const metadataResponse = ({ url, authorizationServers, scopes }: ProtectedResource): Response =>
  Response.json({
    resource: url,
    authorization_servers: authorizationServers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  });
