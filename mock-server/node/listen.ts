import { createServer } from 'node:http';
import { toNodeHandler } from 'srvx/node';
import * as z from 'zod/mini';
import {
  checkOptions,
  integerBetween,
  isString,
  nonEmptyString,
  option,
  secretOption,
} from '../../src/option-schema.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import type { MockClientOptions } from '../options/client-options.js';
import { readOptions } from '../options/read-options.js';
import type { StateDump } from '../state/state-dump.js';
import { AdminAccess } from './admin/access.js';
import { addressOf, bind, unbind } from './bind.js';
import { Persistence } from './persistence.js';
import { requestHandler } from './request-handler.js';
import { type NewSpaceOptions, Space, type SpaceOptions, Spaces, spaceFields } from './spaces.js';

export interface ListenOptions extends SpaceOptions {
  /** The port to listen on. With 0, the operating system chooses a free port. @defaultValue 0 */
  port?: number | undefined;
  /**
   * The host to listen on. By default, only this machine can reach the server. With `0.0.0.0` or `::`, other
   * machines can reach it too, and admin routes require a token.
   * @defaultValue 127.0.0.1
   */
  host?: string | undefined;
  /**
   * The file to store the state in, including the clock. If it exists, the server loads it and ignores
   * `world`, `state`, and `now`. Changes are written to the file before the response is sent. Spaces aren't
   * stored.
   */
  persist?: string | undefined;
  /**
   * The token that admin requests must send as `Authorization: Bearer <token>`. By default, no token is
   * required if only this machine can reach the server. Otherwise, the server generates a random token.
   */
  adminToken?: string | undefined;
  /**
   * The server's public URL if it's behind a proxy, such as `https://mock.example.com/worktrack`. It's used
   * for pagination links and `clientOptions()`.
   */
  publicUrl?: string | URL | undefined;
}

/** A mock server that listens for HTTP requests. */
export interface ListeningServer extends AsyncDisposable {
  /** The server's URL, such as `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The token that admin requests must send. Undefined if no token is required. */
  readonly adminToken: string | undefined;
  /** The mock server at the root URL. HTTP requests use its state, clock, faults, and journal. */
  readonly mock: MockServer;
  /**
   * Creates a space: a mock server with its own data and base path.
   *
   * @param options the space's options, which default to the `listen` options
   * @throws Error if the name is invalid, or if it's taken and `replace` isn't set
   */
  createSpace(name: string, options?: NewSpaceOptions): MockServer;
  deleteSpace(name: string): void;
  clientOptions(choice?: Parameters<MockServer['clientOptions']>[0]): MockClientOptions;
  /** Stops listening, closes all connections, and saves the state if `persist` is set. */
  close(): Promise<void>;
}

/**
 * Serves the API over HTTP to tests in any language. Admin routes are under `/__admin`, and additional spaces
 * are under `/spaces/<name>`.
 *
 * @throws Error if the port is in use, or if the `persist` file is in use or invalid
 * @throws SeedError if the seed data is invalid
 * @throws TypeError if an option is unknown or invalid
 * @example
 * await using server = await listen({ port: 0 });
 * const client = new Worktrack(server.clientOptions());
 */
export async function listen(options: ListenOptions = {}): Promise<ListeningServer> {
  checkOptions(schema, options, { fail: (message) => new TypeError(`listen: ${message}`) });
  const { port = 0, host = '127.0.0.1', persist, adminToken, publicUrl, ...mockOptions } = options;
  const behindProxy = publicUrl === undefined ? undefined : new URL(publicUrl);
  const http = createServer();
  // Don't bind a fixed port until the server is ready, because clients may poll the port to find out when it
  // is.
  const { url, address } = await (port === 0 ? bind(http, port, host) : addressOf(port, host));
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
      root: new Space('', mock),
      journalBytes: readOptions(mockOptions).journalBytes,
    });
    const access = new AdminAccess({ host, address, publicUrl: behindProxy, token: adminToken });
    const handler = requestHandler({ spaces, access, persistence, publicUrl: behindProxy && baseUrl });
    http.on('request', toNodeHandler(handler));
    if (port !== 0) await bind(http, port, host);
    const close = async () => {
      spaces.close();
      await unbind(http);
      await persistence?.close();
    };
    return {
      url,
      adminToken: access.token,
      mock,
      createSpace: (name, spaceOptions = {}) => spaces.create(name, spaceOptions, (space) => space),
      deleteSpace: (name) => void spaces.delete(name),
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

/** The schemas for the `listen` options. Omitting an option is a compile error. */
const optionFields: Record<keyof ListenOptions, z.core.$ZodType> = {
  ...spaceFields,
  port: integerBetween(0, 65_535),
  host: nonEmptyString(),
  persist: nonEmptyString(),
  adminToken: secretOption(
    'at least 8 ASCII characters without spaces',
    (value) => isString(value) && /^[\x21-\x7e]{8,}$/.test(value),
  ),
  publicUrl: option(
    'an http or https URL without credentials or a query, such as https://mock.example.com',
    (value) => isPublicUrl(String(value)),
  ),
};

const schema = z.strictObject(optionFields);

/** Whether a string is an http or https URL without credentials or a query. */
export function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { search, hash, username, password } = new URL(text);
  return [search, hash, username, password].every((part) => part === '');
}
