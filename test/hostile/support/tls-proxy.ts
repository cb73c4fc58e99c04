import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { readRequests } from './listen.js';

const pem = (file: string) =>
  readFileSync(new URL(`../../unit/client/support/tls/${file}.pem`, import.meta.url));

const certificate = pem('certificate');

/** Handles a request that a TLS server received. `inject` writes bytes to the client outside of TLS. */
export type TlsHandler = (socket: TLSSocket, inject: (bytes: Buffer | string) => void) => void;

/** Starts a TLS server behind a proxy that can inject bytes into the stream to the client. */
export async function listenWithTls(onRequest: TlsHandler) {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const clients = new Map<number | undefined, Socket>();
  const track = <Kind extends Socket>(socket: Kind) => {
    open.add(socket.on('error', () => {}));
    return socket;
  };
  const server = createTlsServer({ key: pem('key'), cert: certificate }, (socket) => {
    track(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      onRequest(socket, (bytes) => void clients.get(socket.remotePort)?.write(bytes));
    });
  }).on('tlsClientError', () => {});
  const proxy = createServer((client) => {
    track(client);
    const upstream = track(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    upstream.on('connect', () => clients.set(upstream.localPort, client));
    client.pipe(upstream);
    upstream.on('data', (chunk) => client.write(chunk)).on('end', () => client.end());
  });
  for (const each of [server, proxy]) await new Promise<void>((done) => each.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
    proxy.close();
  });
  return { origin: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}
