import type { MockClientOptions, MockServerOptions } from '../mock-server/index.js';
import { type ListeningServer, listen } from '../mock-server/node/index.js';
import { parseJson } from '../src/shared/json.js';

/** Options for a space. */
export type SpaceOptions = Pick<MockServerOptions, 'world' | 'now' | 'randomSeed'>;

/** A mock server with its own base URL, data, clock, faults, and journal. */
export interface PlaywrightSpace
  extends Readonly<Pick<MockClientOptions, 'responseValidation' | 'defaultBoard'>> {
  readonly name: string;
  /** The base URL without `/api/v1`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly organization: string;
  /**
   * The headers that route a request sent to the server's root URL to this space. A server-rendered app can
   * forward them from the browser's requests.
   */
  readonly headers: { readonly baggage: string };
  /**
   * Calls one of the space's admin routes and returns the response data.
   *
   * @param route the method and path, such as `POST /faults`
   * @throws Error with the server's message if the server returns an error
   * @example
   * await space.admin('POST /faults', { operation: 'tickets.move', status: 503, times: 1 });
   */
  admin<Data = unknown>(route: string, body?: unknown): Promise<Data>;
}

/** The mock server that hosts the spaces: either a new server or one that was already running. */
export class SpaceHost {
  /** The server's URL, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  readonly #server: ListeningServer | undefined;

  private constructor(url: string, server?: ListeningServer) {
    this.url = url;
    this.#server = server;
  }

  /** Starts a mock server, unless the URL of a running server is given. */
  static async open(url = process.env.WORKTRACK_BASE_URL): Promise<SpaceHost> {
    if (url) return new SpaceHost(url.replace(/\/+$/, '').replace(/\/api\/v1$/, ''));
    const server = await listen();
    return new SpaceHost(server.url, server);
  }

  /** Creates a space. A random suffix keeps its name unique if several test runs share a server. */
  async create(prefix: string, options: SpaceOptions): Promise<PlaywrightSpace> {
    const name = `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
    const created = await callAdmin<Omit<MockClientOptions, 'wire'>>(this.url, 'POST /spaces', {
      name,
      ...options,
    });
    // Ignore the base URL in the response, because it may not be reachable through a proxy.
    const baseUrl = `${this.url}/spaces/${name}`;
    return {
      ...created,
      name,
      baseUrl,
      headers: { baggage: `worktrack-space=${name}` },
      admin: (route, body) => callAdmin(baseUrl, route, body),
    };
  }

  async delete({ name }: PlaywrightSpace): Promise<void> {
    await callAdmin(this.url, `DELETE /spaces/${name}`);
  }

  /** Stops the server if {@link SpaceHost.open} started it. */
  async close(): Promise<void> {
    await this.#server?.close();
  }
}

async function callAdmin<Data>(baseUrl: string, route: string, body?: unknown): Promise<Data> {
  const [method = '', path = ''] = route.split(' ');
  const url = `${baseUrl}/__admin${path}`;
  const adminToken = process.env.WORKTRACK_ADMIN_TOKEN;
  const response = await fetch(url, {
    method,
    headers: adminToken ? { authorization: `Bearer ${adminToken}` } : {},
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Error(`${method} ${url} failed; is the mock server running?`, { cause });
  });
  const text = await response.text();
  const { data, message } = Object(parseJson(text)) as { data?: unknown; message?: string };
  if (response.ok && (data !== undefined || response.status === 204)) return data as Data;
  throw new Error(`${method} ${url} responded with ${response.status}: ${message ?? notAMock}`);
}

const notAMock =
  "this isn't a worktrack mock server (check mockServerUrl and the WORKTRACK_BASE_URL environment variable)";
