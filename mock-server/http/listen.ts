import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FastResponse, toNodeHandler } from 'srvx/node';
import type { ResponseConstructor } from '../engine/responses.js';
import { pathOf } from '../engine/url-path.js';
import { ConnectionFault } from '../faults/fault.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import type { MockClientOptions, MockServerOptions } from '../options/server-options.js';
import { adminRoutes } from './admin.js';
import { answerAdmin } from './admin-routes.js';
import { expose, preflight } from './cors.js';
import { type NodeRequest, withPatientBody } from './patient-body.js';
import { holdsNoState, Persistence, readState } from './persistence.js';
import { Space } from './space.js';
import { type SpaceOptions, Spaces, spaceOptions, spaceRoutes } from './spaces.js';

export interface ListenOptions extends SpaceOptions {
  /** Port; 0, the default, takes a free one. */
  port?: number | undefined;
  /**
   * Address to listen on; `127.0.0.1` by default, so that no other machine can reach it. With `0.0.0.0` or
   * `::` all can, by an address of this one; `url` has the one by which it reaches itself.
   */
  host?: string | undefined;
  /**
   * File that holds the state: read at the start where it is there (it goes before `world` then), and
   * written before a request that changed something is answered. Spaces are not in it.
   */
  persist?: string | undefined;
}

/** A mock server that listens. */
export interface ListeningServer {
  /** For example `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The server at the root; its faults, clock, journal are those that HTTP requests meet. */
  readonly mock: MockServer;
  /**
   * Makes a space with a world of its own under a base path of its own, in the place of any other of that name.
   *
   * @param options of `listen`'s by default; the base URL follows from the name
   */
  createSpace(name: string, options?: SpaceOptions): MockServer;
  dropSpace(name: string): void;
  clientOptions(choice?: Parameters<MockServer['clientOptions']>[0]): MockClientOptions;
  /** Stops listening, ends connections, and writes the state where it is kept. */
  close(): Promise<void>;
}

/**
 * Serves the API over HTTP, for any language. Admin routes are below `/__admin`, further worlds
 * below `/spaces/<name>`.
 *
 * @throws Error for a port in use, SeedError for a world that cannot be, TypeError for an unknown option
 * @example
 * const server = await listen({ port: 0 });
 * const client = new Worktrack(server.clientOptions());
 * await server.close();
 */
export async function listen(given: ListenOptions = {}): Promise<ListeningServer> {
  refuseUnknown('listen', given, known);
  const { port = 0, host = '127.0.0.1', persist, ...options } = given;
  const state = persist === undefined ? undefined : await readState(persist);
  const http = createServer();
  const url = await bind(http, port, host);
  try {
    const mock = state
      ? resume({ ...options, state, baseUrl: url }, persist)
      : createMockServer({ ...options, baseUrl: url });
    const persistence = persist === undefined ? undefined : new Persistence(persist, mock);
    await persistence?.save();
    const spaces = new Spaces(url, options, new Space('', {}, mock));
    http.on('request', toNodeHandler(answerer(spaces, persistence)));
    return {
      url,
      mock,
      createSpace: (name, spaceOptions) => spaces.create(name, spaceOptions).mock,
      dropSpace: (name) => void spaces.drop(name),
      clientOptions: (choice) => mock.clientOptions(choice),
      async close() {
        await close(http);
        await persistence?.save();
      },
    };
  } catch (error) {
    await close(http);
    throw error;
  }
}

const known = { ...spaceOptions, port: true, host: true, persist: true };

/** The server that a file holds. */
function resume(options: MockServerOptions, path: string | undefined): MockServer {
  try {
    return createMockServer(options);
  } catch (error) {
    throw holdsNoState(path, error);
  }
}

/** Milliseconds that requests under way have when the server closes. */
const grace = 1000;

function answerer(spaces: Spaces, persistence: Persistence | undefined) {
  const rootRoutes = { ...adminRoutes, ...spaceRoutes(spaces) };
  const respond = async (request: NodeRequest): Promise<Response> => {
    const found = spaces.find(pathOf(request.url));
    if (!found) return new Response('{"message":"There is no such space."}', { status: 404 });
    const { space, rest } = found;
    if (rest !== '/__admin' && !rest.startsWith('/__admin/')) {
      return space.mock.handle(withPatientBody(request), BytesResponse as unknown as ResponseConstructor);
    }
    const routes = space.name === '' ? rootRoutes : adminRoutes;
    return answerAdmin(routes, request, rest.slice('/__admin'.length) || '/', space);
  };
  return async (request: NodeRequest): Promise<Response> => {
    const early = preflight(request);
    if (early) return early;
    try {
      // Whoever hears that something was done, or hears nothing, finds it in the file.
      const response = await respond(request).finally(() => persistence?.save());
      expose(request, response);
      return response;
    } catch (error) {
      // Without a connection there is no one to answer; the response only ends the adapter's work.
      if (error instanceof ConnectionFault) request.runtime?.node?.res?.destroy();
      else if (!isGone(error)) console.error('[worktrack]', error);
      return new Response('{"message":"The mock server failed; its log says why."}', { status: 500 });
    }
  };
}

/** Holds its text as bytes: Node.js would go through text twice, to measure and to encode it, for the worst case. */
class BytesResponse extends FastResponse {
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(typeof body === 'string' ? Buffer.from(body) : body, init);
  }
}

/** Whether the sender went away before its body was complete. */
const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException)?.code === 'ECONNRESET';

function bind(http: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} of ${host} is in use.`) : error);
    });
    http.listen(port, host, () => {
      const address = http.address() as AddressInfo;
      resolve(`http://${nameOf(address)}:${address.port}`);
    });
  });
}

/** What to put into a URL; an address that stands for all is none that a request can go to. */
function nameOf({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return family === 'IPv6' ? `[${address}]` : address;
}

function close(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => http.closeAllConnections(), grace);
    http.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    http.closeIdleConnections();
  });
}
