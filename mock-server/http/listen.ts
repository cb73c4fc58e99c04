import { createServer } from 'node:http';
import { toNodeHandler } from 'srvx/node';
import * as z from 'zod/mini';
import { isString, nonEmptyString, option, secretOption } from '../../src/shared/option-types.js';
import { checkOptions } from '../../src/shared/options.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import { readOptions } from '../options/read-options.js';
import type { MockClientOptions } from '../options/server-options.js';
import type { StateDump } from '../state/state-dump.js';
import { AdminAccess } from './admin/access.js';
import { bind, unbind } from './bind.js';
import { Persistence } from './persistence/persistence.js';
import { requestHandler } from './request-handler.js';
import { Space } from './space.js';
import { type SpaceOptions, Spaces, spaceFields } from './spaces.js';

export interface ListenOptions extends SpaceOptions {
  /** The port. With 0, the default, the system chooses a free port. */
  port?: number | undefined;
  /**
   * The host to listen on. With the default, `127.0.0.1`, no other machine can reach the server. With
   * `0.0.0.0` or `::`, other machines can reach it, and admin routes require a token.
   */
  host?: string | undefined;
  /**
   * The file that stores the state. If it exists, the server starts with its state instead of `world`.
   * Changes are written to the file before the response is sent. Spaces aren't stored.
   */
  persist?: string | undefined;
  /**
   * The token that admin requests must send as `Authorization: Bearer <token>`. By default, a server that
   * only this machine can reach requires no token, and any other server generates a random one.
   */
  adminToken?: string | undefined;
  /**
   * The URL at which a proxy makes the server available, such as `https://mock.example.com/worktrack`. Links
   * to pages and `clientOptions()` use it.
   */
  publicUrl?: string | URL | undefined;
}

/** A listening mock server. */
export interface ListeningServer extends AsyncDisposable {
  /** The server's URL, for example `http://127.0.0.1:49152`. */
  readonly url: string;
  /** The token that admin requests must send; undefined if none is required. */
  readonly adminToken: string | undefined;
  /** The server at the root. Its state, clock, faults and journal are the ones that HTTP requests use. */
  readonly mock: MockServer;
  /**
   * Creates a space: a mock server with its own data and base path. It replaces an existing space with the
   * same name.
   *
   * @param options options of the space; they default to the options of `listen`
   */
  createSpace(name: string, options?: SpaceOptions): MockServer;
  dropSpace(name: string): void;
  clientOptions(choice?: Parameters<MockServer['clientOptions']>[0]): MockClientOptions;
  /** Stops listening, closes the connections, and writes the state if it is stored in a file. */
  close(): Promise<void>;
}

/**
 * Serves the API over HTTP, for tests in any language. Admin routes are below `/__admin`, additional spaces
 * below `/spaces/<name>`.
 *
 * @throws Error if the port is in use, SeedError if the seed data is invalid, TypeError if an option is
 * unknown
 * @example
 * await using server = await listen({ port: 0 });
 * const client = new Worktrack(server.clientOptions());
 */
export async function listen(options: ListenOptions = {}): Promise<ListeningServer> {
  checkOptions(schema, options, { fail: (message) => new TypeError(`listen: ${message}`) });
  const { port = 0, host = '127.0.0.1', persist, adminToken, publicUrl, ...mockOptions } = options;
  const behindProxy = publicUrl === undefined ? undefined : new URL(publicUrl);
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

/** The options of `listen`; a missing one doesn't compile. */
const optionFields: Record<keyof ListenOptions, z.core.$ZodType> = {
  ...spaceFields,
  port: option(
    'an integer from 0 to 65,535',
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  ),
  host: nonEmptyString(),
  persist: nonEmptyString(),
  adminToken: secretOption(
    'at least 8 ASCII characters without spaces',
    (value) => isString(value) && /^[\x21-\x7e]{8,}$/.test(value as string),
  ),
  publicUrl: option(
    'an http or https URL without query or user name, such as https://mock.example.com',
    (value) => isPublicUrl(String(value)),
  ),
};

const schema = z.strictObject(optionFields);

function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { search, hash, username } = new URL(text);
  return search === '' && hash === '' && username === '';
}
