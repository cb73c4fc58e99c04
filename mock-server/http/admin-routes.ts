import { decodeSegment, isObject } from '../../src/wire/index.js';
import type { Space } from './space.js';

/** What an admin route works with. */
export interface AdminCall {
  space: Space;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

/** @returns what to answer with, inside `{ "data": … }`; nothing for 204 */
export type AdminRoute = (call: AdminCall) => unknown;

/** An admin request that cannot be done. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AdminError';
    this.status = status;
  }
}

/**
 * Answers a request to one of the routes, keyed by method and template: `DELETE /faults/{id}`.
 *
 * @param path below the admin prefix
 */
export async function answerAdmin(
  routes: Readonly<Record<string, AdminRoute>>,
  request: Request,
  path: string,
  space: Space,
): Promise<Response> {
  try {
    const found = find(routes, request.method, path);
    const text = request.method === 'GET' ? '' : await request.text();
    const query = new URL(request.url).searchParams;
    const result = await found.route({ space, params: found.params, query, body: parse(text) });
    return result === undefined ? new Response(null, { status: 204 }) : json(200, { data: result });
  } catch (error) {
    // Whatever the space refuses (a bad seed, an unknown operation) is the caller's mistake.
    const status = error instanceof AdminError ? error.status : 422;
    return json(status, { message: (error as Error).message });
  }
}

export function readObject(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new AdminError(422, 'The body must be a JSON object.');
}

function find(routes: Readonly<Record<string, AdminRoute>>, method: string, path: string) {
  const segments = path.split('/');
  const allowed: string[] = [];
  for (const [name, route] of Object.entries(routes)) {
    const [taken = '', template = ''] = name.split(' ');
    const params = match(template.split('/'), segments);
    if (!params) continue;
    if (taken === method) return { route, params };
    allowed.push(taken);
  }
  if (allowed.length > 0) throw new AdminError(405, `This admin route takes ${allowed.join(', ')}.`);
  throw new AdminError(404, `There is no admin route ${path}; there are:\n${Object.keys(routes).join('\n')}`);
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decodeSegment(segment);
    if (!value) return undefined;
    params[part.slice(1, -1)] = value;
  }
  return params;
}

function parse(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminError(400, 'The body is not JSON.');
  }
}

const json = (status: number, content: unknown): Response =>
  new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });
