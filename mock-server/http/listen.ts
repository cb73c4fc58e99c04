import { createServer } from 'node:http';
import { toNodeHandler } from 'srvx/node';
import { createMockServer, type MockServer } from '../mock-server.js';
import { readOptions } from '../options/read-options.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import type { MockClientOptions } from '../options/server-options.js';
import type { StateDump } from '../state/state-dump.js';
import { AdminAccess } from './admin/access.js';
import { bind, unbind } from './bind.js';
import { Persistence } from './persistence/persistence.js';
import { requestHandler } from './request-handler.js';
import { Space } from './space.js';
import { type SpaceOptions, Spaces, spaceOptions } from './spaces.js';

export interface ListenOptions extends SpaceOptions {
  /** Port; 0, the default, takes a free one. */
  port?: number | undefined;
  /**
   * Address to listen on; `127.0.0.1` by default, so that no other machine can reach the server. With
   * `0.0.0.0` or `::` other machines reach it by an address of this one, and admin routes need a token.
   */
  host?: string | undefined;
  /**
   * File that keeps the state. If it exists, the server starts with it instead of `world`. A request's
   * changes are in the file before the response is sent. Spaces aren't kept.
   */
  persist?: string | undefined;
  /**
   * Token that requests to the admin routes must send as `Authorization: Bearer <token>`. Without this
   * option, a server that only this machine can reach needs none, and any other one makes up a random token.
   */
  adminToken?: string | undefined;
  /**
   * URL under which a proxy makes the server available, such as `https://mock.example.com/worktrack`.
   * Links to pages and `clientOptions()` use it.
   */
  publicUrl?: string | URL | undefined;
}

/** A mock server that listens. */
export interface ListeningServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The token that admin routes need; undefined if they need none. */
  readonly adminToken: string | undefined;
  /** The server at the root: its clock, faults and journal are those that requests over HTTP see. */
  readonly mock: MockServer;
  /**
   * Creates a space: a mock server with data of its own, under a base path of its own. It replaces
   * another space of the same name.
   *
   * @param options the options of `listen` by default
   */
  createSpace(name: string, options?: SpaceOptions): MockServer;
  dropSpace(name: string): void;
  clientOptions(choice?: Parameters<MockServer['clientOptions']>[0]): MockClientOptions;
  /** Stops listening, closes connections, and writes the state if the server persists it. */
  close(): Promise<void>;
}

/**
 * Serves the API over HTTP, for any language. Admin routes are below `/__admin`, further spaces below
 * `/spaces/<name>`.
 *
 * @throws Error if the port is in use, SeedError for an invalid world, TypeError for an unknown option
 * @example
 * await using server = await listen({ port: 0 });
 * const client = new Worktrack(server.clientOptions());
 */
export async function listen(options: ListenOptions = {}): Promise<ListeningServer> {
  refuseUnknown('listen', options, known);
  const { port = 0, host = '127.0.0.1', persist, adminToken, publicUrl, ...mockOptions } = options;
  requireToken(adminToken);
  const behindProxy = publicUrl === undefined ? undefined : readPublicUrl(publicUrl);
  const http = createServer();
  const { url, address } = await bind(http, port, host);
  let persistence: Persistence | undefined;
  try {
    const baseUrl = behindProxy?.href.replace(/\/$/, '') ?? url;
    const create = (state?: StateDump) =>
      createMockServer({ ...mockOptions, ...(state && { state }), baseUrl });
    let mock: MockServer;
    if (persist === undefined) mock = create();
    else ({ mock, persistence } = await Persistence.open(persist, create));
    const spaces = new Spaces({
      url: baseUrl,
      defaults: mockOptions,
      root: new Space('', {}, mock),
      journalBytes: readOptions(mockOptions).journalBytes,
    });
    const access = new AdminAccess({ host, address, publicUrl: behindProxy, token: adminToken });
    const handler = requestHandler({ spaces, access, persistence, publicUrl: behindProxy && baseUrl });
    http.on('request', toNodeHandler(handler));
    const close = async () => {
      spaces.close();
      await unbind(http);
      await persistence?.close();
    };
    return {
      url,
      adminToken: access.token,
      mock,
      createSpace: (name, spaceOptions) => spaces.create(name, spaceOptions).mock,
      dropSpace: (name) => void spaces.drop(name),
      clientOptions: (choice) => mock.clientOptions(choice),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await unbind(http);
    await persistence?.close();
    throw error;
  }
}

const known = { ...spaceOptions, port: true, host: true, persist: true, adminToken: true, publicUrl: true };

function requireToken(token: unknown): void {
  if (token !== undefined && !(typeof token === 'string' && /^[\x21-\x7e]{8,}$/.test(token))) {
    throw new TypeError(
      'listen: option "adminToken" must have at least 8 characters, all ASCII and no spaces',
    );
  }
}

function readPublicUrl(url: string | URL): URL {
  const text = String(url);
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const parsed = new URL(text);
    if (parsed.search === '' && parsed.hash === '' && parsed.username === '') return parsed;
  }
  throw new TypeError(
    `listen: option "publicUrl" must be an http or https URL without query, such as https://mock.example.com (got ${JSON.stringify(text)})`,
  );
}
