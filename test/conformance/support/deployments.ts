import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { MockServer } from 'worktrack/mock-server';
import { listenOnLoopback } from '../../support/loopback.js';

/** A deployment that forwards requests to a mock server and can modify the requests and responses. */
export type Deployment = (request: Request) => Promise<Response>;

/** Starts a deployment on this machine, and stops it at the end of the test. Returns its URL. */
export async function serve(deployment: Deployment): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const response = await deployment(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

/** Forwards every request to the mock server unchanged. */
export const unchanged =
  (mock: MockServer): Deployment =>
  async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    const url = mock.clientOptions().baseUrl + pathname + search;
    return mock.fetch(url, { method, headers, ...(body && { body }) });
  };

/** Adds five boards to every project, omits optional fields, and returns only a message for errors. */
export function differing(mock: MockServer): Deployment {
  const next = unchanged(mock);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const createsProject = request.method === 'POST' && pathname.endsWith('/projects');
    const response = await next(request);
    if (response.status === 204) return response;
    const body = await response.json();
    if (!response.ok) return Response.json({ message: body.message }, { status: response.status });
    if (createsProject) {
      for (const name of ['Backlog', 'To do', 'Doing', 'Review', 'Done']) {
        mock.add.board({ project: body.data.id, name });
      }
    }
    return Response.json(dropFields(body), { status: response.status });
  };
}

const dropped = new Set([
  'archived_at',
  'api_credential_id',
  'author',
  'by_board',
  'completed_at',
  'created_at',
  'creator',
  'editors',
  'from',
  'labels',
  'number',
  'organization_id',
  'position',
  'published_at',
  'role',
  'slug',
  'started_at',
  'tags',
  'to',
  'updated_at',
]);

const dropFields = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (dropped.has(name) ? undefined : value)));
