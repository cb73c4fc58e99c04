import { parseJson } from '../../../src/shared/json.js';
import { decodeSegment } from '../../../src/wire/index.js';
import { depthOf } from '../../journal/entry.js';
import { SeedError } from '../../seed/seed-error.js';
import { InvalidInputError } from '../../state/invalid-input-error.js';
import { respondWithConsole } from '../console.js';
import type { Space } from '../spaces.js';
import { isDisconnect } from '../unread-body.js';
import type { AdminAccess } from './access.js';
import { AdminError, requireFound } from './admin-error.js';
import { type AdminRoute, type AdminRoutes, checkInput } from './admin-route.js';

/** The maximum body sizes in bytes, with seed data (`world`) and without it (`other`). */
const bodyLimits = { world: 128 * 2 ** 20, other: 16 * 2 ** 20 } as const;

/** The maximum nesting depth of a body. Valid bodies need only a few levels. */
const maxDepth = 100;

export interface AdminRequest {
  access: AdminAccess;
  routes: AdminRoutes;
  /** The original request headers. */
  headers: Headers;
  request: Request;
  /** The path after `/__admin`, which is empty or starts with a slash. */
  path: string;
  space: Space;
}

/** Responds to a request for an admin route or the console. */
export async function handleAdmin(admin: AdminRequest): Promise<Response> {
  const response = await performAdmin(admin).catch(errorResponse);
  const { headers } = response;
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  // Prevent browsers from sniffing the content type, and other sites from embedding the page.
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('content-security-policy')) {
    headers.set('content-security-policy', "frame-ancestors 'none'");
  }
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

async function performAdmin({
  access,
  routes,
  headers,
  request,
  path,
  space,
}: AdminRequest): Promise<Response> {
  access.checkOrigin(headers);
  // The console's files don't require the token, because browsers can't send it when they open a page. They
  // don't contain any data.
  const page = space.name === '' ? await respondWithConsole(request, path) : undefined;
  if (page) return page;
  access.checkToken(headers);
  const read = await readAsAdmin(space, request, path);
  if (read) return read;
  const { route, param } = findRoute(routes, request.method, path || '/');
  const body = await readBody(request, route);
  const query = new URL(request.url).searchParams;
  checkInput(body, query, route);
  const result = await route.handle({ space, param, query, body });
  if (result instanceof Response) return result;
  return route.status === 204
    ? new Response(null, { status: 204 })
    : jsonResponse(route.status, { data: result });
}

/**
 * Responds to `GET /organizations/{id}/api/v1/…`, which reads from the API with every scope. Tools can use it
 * to show the state without affecting tests. These requests aren't recorded in the journal, and rate limits,
 * faults, and overrides don't apply to them.
 *
 * @param path the path after `/__admin`
 * @returns undefined for other paths
 */
async function readAsAdmin({ mock }: Space, request: Request, path: string): Promise<Response | undefined> {
  const [, segment = '', rest = ''] = /^\/organizations\/([^/]+)(\/api\/.*)/.exec(path) ?? [];
  if (rest === '') return undefined;
  if (request.method !== 'GET') throw new AdminError(405, 'This admin route supports only GET.');
  const organization = decodeSegment(segment) ?? segment;
  requireFound(mock.state.organizations.get(organization), 'No organization has the ID', organization);
  const { origin, search } = new URL(request.url);
  return mock.readAsAdmin(new Request(origin + rest + search), organization);
}

/**
 * Converts an error to a response. An error about invalid input, such as seed data, becomes a 422 response.
 */
function errorResponse(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AdminError) {
    const response = jsonResponse(error.status, { message });
    if (error.status === 401) response.headers.set('www-authenticate', 'Bearer');
    return response;
  }
  if (error instanceof SeedError || error instanceof InvalidInputError) return jsonResponse(422, { message });
  if (!isDisconnect(error)) console.error('[worktrack]', error);
  return jsonResponse(500, { message: `The mock server failed: ${message}` });
}

function findRoute(routes: AdminRoutes, method: string, path: string) {
  const segments = path.split('/');
  const allowed: string[] = [];
  for (const [name, route] of Object.entries(routes)) {
    const [routeMethod = '', template = ''] = name.split(' ');
    const param = match(template.split('/'), segments);
    if (param === undefined) continue;
    if (routeMethod === method) return { route, param };
    allowed.push(routeMethod);
  }
  if (allowed.length > 0) throw new AdminError(405, `This admin route supports ${allowed.join(', ')}.`);
  throw new AdminError(
    404,
    `Unknown admin route ${path}. Available routes:\n${Object.keys(routes).join('\n')}`,
  );
}

/**
 * Returns the decoded value of the path's parameter, or an empty string if the template has none.
 *
 * @returns undefined if the path doesn't match the template
 */
function match(template: readonly string[], segments: readonly string[]): string | undefined {
  if (template.length !== segments.length) return undefined;
  let param = '';
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) {
      param = decodeSegment(segment) ?? '';
      if (param === '') return undefined;
    } else if (part !== segment) return undefined;
  }
  return param;
}

async function readBody(request: Request, { acceptsWorld = false }: AdminRoute): Promise<unknown> {
  const text = await readText(request, acceptsWorld ? bodyLimits.world : bodyLimits.other);
  if (text === '') return {};
  if (depthOf(text) > maxDepth) {
    throw new AdminError(422, `The body is nested more than ${maxDepth} levels deep.`);
  }
  return parseJson(text, () => {
    throw new AdminError(400, "The body isn't valid JSON.");
  });
}

async function readText({ headers, body }: Request, limit: number): Promise<string> {
  const tooLarge = new AdminError(413, `The body is larger than ${limit.toLocaleString('en-US')} bytes.`);
  if (Number(headers.get('content-length')) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // If this loop throws an error, it also cancels the body.
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const jsonResponse = (status: number, content: unknown): Response =>
  new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });
