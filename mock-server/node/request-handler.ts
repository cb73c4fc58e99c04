import { FastResponse } from 'srvx/node';
import type { ResponseConstructor } from '../engine/responses.js';
import { ConnectionFault } from '../faults/fault.js';
import { pathOf } from '../journal/entry.js';
import type { AdminAccess } from './admin/access.js';
import { handleAdmin } from './admin/handle.js';
import { adminRoutes, spaceRoutes } from './admin/routes.js';
import type { Persistence } from './persistence.js';
import type { Spaces } from './spaces.js';
import { closeConnection, isDisconnect, type NodeRequest, withDrainedBody } from './unread-body.js';

export interface RequestHandlerOptions {
  spaces: Spaces;
  access: AdminAccess;
  persistence: Persistence | undefined;
  /** The server's public URL if it's behind a proxy, without a trailing slash. */
  publicUrl: string | undefined;
}

/** Returns the handler for all requests, including those to admin routes. */
export function requestHandler({ spaces, access, persistence, publicUrl }: RequestHandlerOptions) {
  const prefix = publicUrl === undefined ? '' : new URL(`${publicUrl}/`).pathname.slice(0, -1);
  const rootRoutes = { ...adminRoutes, ...spaceRoutes(spaces) };

  const respond = async (request: NodeRequest): Promise<Response> => {
    const requested = withoutPrefix(prefix, pathOf(request.url));
    const found = spaces.find(requested, request.headers);
    const isAdmin = found ? /^\/__admin(?:\/|$)/.test(found.rest) : false;
    const early = isAdmin ? undefined : preflight(request);
    if (early) return early;
    if (!found) return expose(request, plainError(404, "This space doesn't exist."));
    const { space, path, rest } = found;
    const url =
      publicUrl === undefined && path === requested
        ? request.url
        : (publicUrl ?? new URL(request.url).origin) + path + searchOf(request.url);
    const drained = withDrainedBody(request, url);
    if (isAdmin) {
      return handleAdmin({
        access,
        routes: space.name === '' ? rootRoutes : adminRoutes,
        headers: request.headers,
        request: drained,
        path: rest.slice('/__admin'.length),
        space,
      });
    }
    return expose(request, await space.mock.handle(drained, BytesResponse as unknown as ResponseConstructor));
  };

  return async (request: NodeRequest): Promise<Response> => {
    if (!hasValidUrl(request)) return plainError(400, 'The Host header is invalid.');
    try {
      const response = persistence
        ? await persistence.saving(request.method, () => respond(request))
        : await respond(request);
      spaces.trimJournals();
      return response;
    } catch (error) {
      // Close the connection so that the client doesn't receive the response that is returned below.
      if (error instanceof ConnectionFault) closeConnection(request);
      else if (!isDisconnect(error)) console.error('[worktrack]', error);
      return plainError(500, `The mock server failed: ${error instanceof Error ? error.message : error}`);
    }
  };
}

/**
 * Encodes string bodies, because Node.js would process a string twice: once to measure it and once to encode
 * it.
 */
class BytesResponse extends FastResponse {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(typeof body === 'string' ? Buffer.from(body) : body, init);
  }
}

/**
 * Returns false if an invalid `Host` header, such as "x:99999", makes the URL invalid. In that case,
 * `request.url` throws for some paths.
 */
function hasValidUrl(request: Request): boolean {
  try {
    return URL.canParse(request.url);
  } catch {
    return false;
  }
}

const plainError = (status: number, message: string): Response =>
  new Response(JSON.stringify({ message }), { status, headers: { 'content-type': 'application/json' } });

/** Removes the public URL's path, unless the proxy has already removed it. */
const withoutPrefix = (prefix: string, path: string): string =>
  path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

/**
 * Responds to a browser's preflight request. Allows every origin, because a mock server has no real tokens to
 * protect. Returns undefined for any other request.
 */
function preflight(request: Request): Response | undefined {
  const { headers, method } = request;
  if (method !== 'OPTIONS' || !headers.has('access-control-request-method')) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
      'access-control-allow-private-network': 'true',
      'access-control-max-age': '600',
    },
  });
}

/** Adds the headers that let a page read the response. */
function expose(request: Request, response: Response): Response {
  if (!request.headers.has('origin')) return response;
  try {
    return withHeaders(response);
  } catch {
    // The headers may be immutable, for example if an override returned a `Response.redirect()`.
    return withHeaders(new Response(response.body, response));
  }
}

function withHeaders(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*');
  response.headers.set('access-control-expose-headers', '*');
  return response;
}
