import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, Worktrack } from 'worktrack';

/** Handles a request on a socket. `index` is the zero-based request number across all sockets. */
export type SocketHandler = (socket: Socket, request: string, index: number) => void;

export const secret = 'wt_hostile_0123456789';

let fetch: ClientOptions['fetch'];

/** Sets the `fetch` function for all clients in this test file. */
export function use(other: ClientOptions['fetch']): void {
  fetch = other;
}

/** Starts a raw socket server, which can send invalid HTTP. */
export async function listen(onRequest: SocketHandler) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    readRequests(socket, (request) => onRequest(socket, request, requests.push(request) - 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (withConnections = true) => {
    if (withConnections) for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(() => close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: ClientOptions = {}) =>
    new Worktrack({
      baseUrl: origin,
      token: secret,
      organization: 'org_acme',
      responseValidation: 'off',
      timeout: 2000,
      totalTimeout: 5000,
      retry: { limit: 2, maxDelay: 1 },
      ...(fetch && { fetch }),
      ...options,
    });
  return { origin, requests, client, close };
}

/** Calls a function with each HTTP request that arrives on a socket. */
export function readRequests(socket: Socket, onRequest: (request: string) => void): void {
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    const end = received.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (end < 0 || received.length < end + 4 + length) return;
    const request = received.slice(0, end + 4 + length);
    received = received.slice(request.length);
    onRequest(request);
  });
}

/**
 * Encodes a response that closes the connection. `content-length` is correct unless the headers override it.
 */
export function encodeResponse(
  status: string,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const all = {
    'content-type': 'application/json',
    'content-length': bytes.length,
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}

export const record = '{"data":{"id":"x"}}';

/** One call of each kind. */
export const calls: ((client: Worktrack) => PromiseLike<unknown>)[] = [
  (client) => client.tickets.get('t'),
  (client) => client.tickets.create('p', { board_id: 'b', title: 'T' }),
  (client) => client.tickets.delete('t'),
  (client) => client.tickets.list('p').toArray({ limit: 3 }),
  (client) => client.boards.list('p'),
  (client) => client.raw('GET', '/x'),
];
