import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long to wait for in-flight requests when the server closes, in milliseconds. */
const grace = 1000;

export interface Bound {
  /** The server's URL on this machine. */
  url: string;
  /** The IP address that the server listens on. */
  address: string;
}

/** Returns the URL and the IP address that a server will listen on. Unlike in `bind`, the port can't be 0. */
export async function addressOf(port: number, host: string): Promise<Bound> {
  const { address, family } = await lookup(host);
  return boundTo({ address, port, family: `IPv${family}` });
}

/** @throws Error if the port is in use */
export function bind(http: Server, port: number, host: string): Promise<Bound> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} is in use.`) : error);
    });
    http.listen(port, host, () => {
      resolve(boundTo(http.address() as AddressInfo));
    });
  });
}

const boundTo = (info: AddressInfo): Bound => ({
  url: `http://${nameOf(info)}:${info.port}`,
  address: info.address,
});

/** Stops listening. Closes each connection when its requests finish or the grace period ends. */
export function unbind(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => http.closeAllConnections(), grace);
    http.close(() => {
      clearTimeout(timeout);
      resolve();
    });
    http.closeIdleConnections();
  });
}

/**
 * Returns the host to use in the server's URL. Clients can't connect to an unspecified address, such as
 * `0.0.0.0`, so it's replaced with a loopback address.
 */
function nameOf({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return family === 'IPv6' ? `[${address}]` : address;
}
