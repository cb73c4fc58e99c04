import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy in front of a database, for counting and closing connections. */
export interface Proxy {
  port: number;
  /** The number of open connections. */
  readonly open: number;
  /** The highest number of connections that were open at the same time. */
  readonly mostOpen: number;
  /** The number of connections that were refused. */
  readonly refused: number;
  /** Closes all connections, as if the network had failed. */
  cut(): void;
  /** Closes new connections immediately, as if the database were unavailable. */
  refuse(value: boolean): void;
}

/** Starts a proxy that is closed at the end of the test. */
export async function startProxy(to: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let mostOpen = 0;
  let refused = 0;
  let isRefusing = false;
  const server = createServer((socket) => {
    if (isRefusing) {
      refused++;
      socket.destroy();
      return;
    }
    const database = connect(to);
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    socket.pipe(database).pipe(socket);
    for (const end of [socket, database]) {
      end.on('error', () => {});
      end.on('close', () => {
        socket.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return sockets.size;
    },
    get mostOpen() {
      return mostOpen;
    },
    get refused() {
      return refused;
    },
    cut,
    refuse(value) {
      isRefusing = value;
    },
  };
}
