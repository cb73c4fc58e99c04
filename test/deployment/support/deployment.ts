import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Body,
  colleague,
  credential,
  find,
  type Query,
  Records,
  Rejection,
  type Settings,
} from './records.js';

/** A request before the deployment processes it. */
export interface DeploymentRequest {
  operation: string;
  /** The number of requests of this operation so far, including this one. */
  count: number;
  query: Query;
  body: Body;
}

/** How a request fails. */
export interface Failure {
  /** Whether the deployment processes the request. */
  processed: boolean;
  /** How long after the failure the deployment processes the request, in milliseconds. */
  later?: number;
  /** Whether the connection is closed in the middle of the response's body. */
  truncated?: boolean;
  /** The status of the response. If omitted, the connection is closed without a response. */
  status?: number;
  /** The `Retry-After` header, in seconds. */
  retryAfter?: number;
}

/**
 * Starts a deployment that shares no code with the mock server. It was written from the API's specification.
 * If the specification doesn't cover a case, the deployment does what a plain Laravel application would do.
 */
export async function startDeployment(settings: Partial<Settings> = {}) {
  const records = new Records({
    order: 'position',
    listLag: 0,
    clockOffset: 0,
    cleanTitle: (title) => title,
    cleanHtml: (html) => html,
    cleanQuery: (q) => q,
    searchesHtml: true,
    ...settings,
  });
  const counts = new Map<string, number>();
  const requests = (operation: string) => counts.get(operation) ?? 0;
  const client = { baseUrl: '', token: 'token-of-the-import', organization: 'organization-1' };
  const deployment = {
    records,
    settings: records.settings,
    client,
    /** Decides what goes wrong with a request. It can change records before the request is processed. */
    intercept: async (_: DeploymentRequest): Promise<Failure | undefined> => undefined,
    /** The number of requests of an operation so far. */
    requests,
    /** Creates a ticket as a person would in the web application. */
    addTicketByHand: (project: string, body: Body) => records.addTicket(project, body, colleague),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? '', client.baseUrl);
    const route = routes.find(({ method, path }) => method === incoming.method && path.test(url.pathname));
    if (!route) throw new Rejection(404, 'The route could not be found.');
    if (incoming.headers.authorization !== `Bearer ${client.token}`)
      throw new Rejection(401, 'Unauthenticated.');
    const { operation, path, status, handle } = route;
    const count = requests(operation) + 1;
    counts.set(operation, count);
    const id = path.exec(url.pathname)?.[1] ?? '';
    const query = Object.fromEntries(url.searchParams);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const failure = await deployment.intercept({ operation, count, query, body });
    if (!failure) return send(outgoing, status, handle(records, { id, body, query, url }));
    const process = () => handle(records, { id, body, query, url });
    fail(outgoing, failure, process, status);
  }

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error) => {
      const { status = 500, message, errors } = error as Partial<Rejection>;
      send(outgoing, status, { message, errors });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return deployment;
}

function send(outgoing: ServerResponse, status: number, content: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(status === 204 ? undefined : JSON.stringify(content));
}

function fail(outgoing: ServerResponse, failure: Failure, process: () => unknown, status: number): void {
  if (failure.later) setTimeout(process, failure.later);
  const content = failure.processed && !failure.later ? process() : undefined;
  if (failure.truncated) sendHalf(outgoing, status, content);
  else if (failure.status) sendProxyError(outgoing, failure.status, failure.retryAfter);
  else outgoing.destroy();
}

function sendHalf(outgoing: ServerResponse, status: number, content: unknown): void {
  const text = JSON.stringify(content);
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length });
  outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
}

/** Responds like a proxy that doesn't send JSON. */
function sendProxyError(outgoing: ServerResponse, status: number, retryAfter: number | undefined): void {
  if (retryAfter !== undefined) outgoing.setHeader('retry-after', retryAfter);
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end(`<h1>${status}</h1>`);
}

interface RouteInput {
  id: string;
  body: Body;
  query: Query;
  url: URL;
}

type Handler = (records: Records, input: RouteInput) => unknown;

const route = (operation: string, method: string, path: string, status: number, handle: Handler) => ({
  operation,
  method,
  path: new RegExp(`^/api/v1/${path.replace('*', '([^/]+)')}$`),
  status,
  handle,
});

const one = (data: unknown) => ({ data });

const routes = [
  route('organization.get', 'GET', 'organizations/*', 200, () => one({ id: 'organization-1', name: 'Acme' })),
  route('projects.list', 'GET', 'organizations/*/projects', 200, (all) => one([...all.projects.values()])),
  route('projects.members.list', 'GET', 'projects/*/members', 200, () => one([])),
  route('projects.labels.list', 'GET', 'projects/*/labels', 200, () => one([])),
  route('projects.tags.list', 'GET', 'projects/*/tags', 200, () => one([])),
  route('boards.list', 'GET', 'projects/*/boards', 200, (all, { id }) =>
    one([...all.boards.values()].filter(({ project_id }) => project_id === id)),
  ),
  route('projects.get', 'GET', 'projects/*', 200, (all, { id }) => one(find(all.projects, id))),
  route('tickets.list', 'GET', 'projects/*/tickets', 200, (all, { id, query, url }) =>
    pageOf(all.listTickets(id, query), query, url),
  ),
  route('tickets.create', 'POST', 'projects/*/tickets', 201, (all, { id, body }) =>
    one(all.addTicket(id, body, credential)),
  ),
  route('tickets.get', 'GET', 'tickets/*', 200, (all, { id }) => one(find(all.tickets, id))),
  route('tickets.update', 'PATCH', 'tickets/*', 200, (all, { id, body }) => one(all.updateTicket(id, body))),
  route('tickets.delete', 'DELETE', 'tickets/*', 204, (all, { id }) => all.deleteTicket(id)),
  route('tickets.move', 'POST', 'tickets/*/move', 200, (all, { id, body }) =>
    one(all.moveTicket(id, body.board_id)),
  ),
];

/** A page in the format of Laravel's resource collections. */
function pageOf(all: unknown[], query: Query, url: URL) {
  const size = Number(query.per_page ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 200)
    throw new Rejection(422, 'The per page field must be between 1 and 200.');
  const page = Math.max(1, Number(query.page ?? 1) || 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const start = (page - 1) * size;
  const data = all.slice(start, start + size);
  const path = url.origin + url.pathname;
  const link = (number: number) =>
    number >= 1 && number <= last ? `${path}?${new URLSearchParams({ ...query, page: `${number}` })}` : null;
  const range = data.length > 0 ? { from: start + 1, to: start + data.length } : { from: null, to: null };
  return {
    data,
    links: { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) },
    meta: { current_page: page, last_page: last, path, per_page: size, total: all.length, ...range },
  };
}
