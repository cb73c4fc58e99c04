import { defaultWire, pathPrefix, type Wire } from '../src/wire/index.js';
import { Engine } from './engine/engine.js';
import { type MswHandlers, mswHandlers } from './handlers.js';
import { loadWorld } from './seed/load-world.js';
import { readWorld } from './seed/read-world.js';
import { defaultWorld, type World } from './seed/world.js';
import { Clock, type Instant } from './state/clock.js';
import { Random } from './state/ids.js';
import { type Snapshot, State } from './state/state.js';
import { StateView } from './state-view.js';

export interface MockServerOptions {
  /** What the server begins with: an object, or its JSON text. By default one organization, one user, one credential with every scope. */
  world?: World | string | undefined;
  /** The time at which the clock stands. 2026-01-01T00:00:00Z by default. */
  now?: Instant | undefined;
  /** Where ids (and everything else that is random) begin; 0 by default. */
  seed?: number | string | undefined;
  /** Replaces details of the wire that the specification leaves open; the client needs the same. */
  wire?: Partial<Wire> | undefined;
  /** The address that the server answers for, with or without `/api/v1`. `http://worktrack.test` by default. */
  baseUrl?: string | URL | undefined;
  /** Bytes a request's body may have; 10,000,000 by default. */
  bodyLimit?: number | undefined;
}

/** Client options that fit a mock server. */
export interface MockClientOptions {
  baseUrl: string;
  token: string;
  organization: string;
  /** The server's own answers must fit the contract to the letter. */
  responseValidation: 'throw';
}

/**
 * Makes a server of the Work-Tracking API that lives in memory: every rule, no network.
 *
 * @throws SeedError for a world that cannot be, naming the place in it
 * @example
 * const mock = createMockServer();
 * const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  return new MockServer(options);
}

/** A server of the API in memory; made by {@link createMockServer}. */
export class MockServer {
  /** The server's time; it stands still until a test moves it. */
  readonly clock: Clock;
  /** Every record, for reading. */
  readonly state: StateView;
  /** For MSW 2.15 or later: `setupServer(...mock.handlers)`. It answers every request to the base URL's origin. */
  readonly handlers: MswHandlers;
  readonly #baseUrl: URL;
  readonly #state: State;
  readonly #engine: Engine;
  readonly #beginning: Snapshot;

  constructor({
    world = defaultWorld,
    now = '2026-01-01T00:00:00.000Z',
    seed = 0,
    wire = {},
    baseUrl = 'http://worktrack.test',
    bodyLimit = 10_000_000,
  }: MockServerOptions) {
    this.#baseUrl = readBaseUrl(baseUrl);
    this.clock = new Clock(now);
    this.#state = new State(this.clock, new Random(seed));
    this.state = new StateView(this.#state);
    loadWorld(this.#state, readWorld(world));
    this.#beginning = this.#state.snapshot();
    this.#engine = new Engine({
      state: this.#state,
      wire: { ...defaultWire, ...wire },
      basePath: this.#baseUrl.pathname.replace(/\/$/, ''),
      bodyLimit,
    });
    this.handlers = mswHandlers(this.#baseUrl.origin, (request) => this.#engine.handle(request));
  }

  /**
   * The server as a `fetch` function; nothing global is patched.
   *
   * @throws TypeError for a request to another origin than the base URL's
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    const { origin } = this.#baseUrl;
    if (!request.url.startsWith(`${origin}/`)) {
      throw new TypeError(
        `${request.method} ${request.url} is not for this mock server, which answers for ${origin}. ` +
          'Give the client the options of mock.clientOptions().',
      );
    }
    request.signal.throwIfAborted();
    return this.#engine.handle(request);
  };

  /**
   * What a client needs to talk to this server.
   *
   * @param choice a token of the world, or an organization's id; by default the world's first credential
   * @throws TypeError where the world has no such credential
   */
  clientOptions(choice: { token?: string; organization?: string } = {}): MockClientOptions {
    const { token, organization } = choice;
    const credential = [...this.#state.credentials.values()].find(
      (other) =>
        (token === undefined || other.token === token) &&
        (organization === undefined || token !== undefined || other.organization_id === organization),
    );
    if (!credential && token === undefined) {
      throw new TypeError(
        `No credential in this world${organization === undefined ? '' : ` for organization ${JSON.stringify(organization)}`}; add one, or give a token.`,
      );
    }
    return {
      baseUrl: this.#baseUrl.href.replace(/\/$/, ''),
      token: token ?? (credential?.token as string),
      organization: organization ?? credential?.organization_id ?? this.#firstOrganization(),
      responseValidation: 'throw',
    };
  }

  /** Keeps the whole state as it is, in the same short time at any size. */
  snapshot(): Snapshot {
    return this.#state.snapshot();
  }

  /** Goes back to a kept state, any number of times. */
  restore(snapshot: Snapshot): void {
    this.#state.restore(snapshot);
  }

  /** Goes back to the beginning: the seed, the clock, the ids. */
  reset(): void {
    this.#state.restore(this.#beginning);
    this.#engine.reset();
  }

  #firstOrganization(): string {
    const [organization] = this.#state.organizations.values();
    return organization?.id ?? '';
  }
}

function readBaseUrl(given: string | URL): URL {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(pathPrefix) ? path.slice(0, -pathPrefix.length) : path;
  url.search = '';
  url.hash = '';
  return url;
}
