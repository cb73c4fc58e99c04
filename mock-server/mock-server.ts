import type { OperationId } from '../src/contract/index.js';
import { Builders } from './controls/builders.js';
import { Credentials } from './controls/credentials.js';
import { type Override, type OverrideOptions, Overrides } from './controls/overrides.js';
import { StateView } from './controls/state-view.js';
import { Engine } from './engine/engine.js';
import { incomingOf } from './engine/incoming.js';
import { RecordJsonCache } from './engine/record-json-cache.js';
import type { ResponseConstructor } from './engine/responses.js';
import { ConnectionFault } from './faults/fault.js';
import { Faults } from './faults/faults.js';
import { Journal } from './journal/journal.js';
import { ScopeUse } from './journal/scopes.js';
import { type MswHandlers, type MswOptions, mswHandlers, mswOptions, UnhandledRequestError } from './msw.js';
import { readOptions } from './options/read-options.js';
import type { MockClientOptions, MockServerOptions } from './options/server-options.js';
import { loadData } from './seed/load-data.js';
import { loadWorld } from './seed/load-world.js';
import { readWorld } from './seed/read-world.js';
import { defaultWorld, type World } from './seed/world.js';
import { Clock } from './state/clock.js';
import { dumpState, loadDump } from './state/dump.js';
import { Random } from './state/ids.js';
import { type Snapshot, State } from './state/state.js';
import type { StateDump } from './state/state-dump.js';

/**
 * Makes a server of the Work-Tracking API that lives in memory: every rule, no network.
 *
 * @throws TypeError for an option that is unknown or cannot be; SeedError for a world that cannot be,
 * naming the place in it
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
  /** Adds one record at a time, past all rules. */
  readonly add: Builders;
  /** Adds, revokes, rotates and re-scopes credentials. */
  readonly credentials: Credentials;
  /** Latency, statuses, broken connections and bodies, rate limits. */
  readonly faults: Faults;
  /** Every request that came, and expectations of them. */
  readonly requests: Journal;
  /** Which scopes the requests needed. */
  readonly scopes = new ScopeUse();
  /** For MSW 2.15 or later: `setupServer(...mock.handlers)`. */
  readonly handlers: MswHandlers;
  /** For MSW: `server.listen(mock.mswOptions)` fails what nothing handles, and names the nearest operation. */
  readonly mswOptions: MswOptions;
  readonly #baseUrl: URL;
  readonly #state: State;
  readonly #overrides = new Overrides();
  readonly #engine: Engine;
  readonly #rejects: boolean;
  readonly #empty: Snapshot;
  #beginning: Snapshot;

  constructor(options: MockServerOptions = {}) {
    const {
      state: dump,
      world = defaultWorld,
      now = '2026-01-01T00:00:00.000Z',
      seed = 0,
      wire,
      baseUrl,
      bodyLimit,
      journalLimit,
      journalBytes,
      unhandled,
      faults,
      rateLimit,
    } = readOptions(options);
    this.#baseUrl = baseUrl;
    this.#rejects = unhandled === 'error';
    this.clock = new Clock(now);
    this.#state = new State(this.clock, new Random(seed));
    this.#empty = this.#state.snapshot();
    if (dump) loadDump(this.#state, structuredClone(dump));
    else loadWorld(this.#state, readWorld(world));
    this.#beginning = this.#state.snapshot();
    this.state = new StateView(this.#state);
    this.add = new Builders(this.#state);
    this.credentials = new Credentials(this.#state);
    this.faults = new Faults(new Random(`faults ${seed}`), () => this.clock.milliseconds(), {
      faults,
      rateLimit,
    });
    this.requests = new Journal({
      limit: journalLimit,
      byteLimit: journalBytes,
      credentialHeader: wire.credential.header,
    });
    this.#engine = new Engine({
      state: this.#state,
      wire,
      basePath: this.#baseUrl.pathname.replace(/\/$/, ''),
      bodyLimit,
      faults: this.faults,
      overrides: this.#overrides,
      journal: this.requests,
      scopes: this.scopes,
      jsonCache: new RecordJsonCache(),
    });
    this.handlers = mswHandlers(
      this.#baseUrl.origin,
      (request) =>
        this.#isMine(request) &&
        this.#engine.isBelowApi(request.url) &&
        !(this.#rejects && this.#engine.unhandled(request)),
      (request) => this.#engine.handle(request),
    );
    this.mswOptions = mswOptions((request) =>
      this.#isMine(request) ? this.#engine.unhandled(request) : undefined,
    );
  }

  /**
   * The server as a `fetch` function; nothing global is patched.
   *
   * @throws TypeError for a request to another origin than the base URL's, and where a fault breaks the connection
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = incomingOf(input, init);
    if (!this.#isMine(request)) {
      throw new UnhandledRequestError(
        `${request.method} ${request.url} is not for this mock server, which answers for ${this.#baseUrl.origin}. ` +
          'Give the client the options of mock.clientOptions().',
      );
    }
    const unhandled = this.#rejects && this.#engine.unhandled(request);
    if (unhandled) throw new UnhandledRequestError(unhandled);
    request.signal?.throwIfAborted();
    try {
      return await this.#engine.handle(request);
    } catch (error) {
      throw error instanceof ConnectionFault ? new TypeError('fetch failed', { cause: error }) : error;
    }
  };

  /**
   * What a client needs to talk to this server.
   *
   * @param choice a token, or an organization's id; by default the first credential of the world
   * @throws TypeError where there is no such credential
   */
  clientOptions({ token, organization }: { token?: string; organization?: string } = {}): MockClientOptions {
    const credential =
      token === undefined
        ? this.state.credentials
            .all()
            .find((other) => organization === undefined || other.organization_id === organization)
        : this.state.credentials.filter((other) => other.token === token)[0];
    if (!credential) {
      const which = token ?? organization;
      throw new TypeError(
        `There is no credential${which === undefined ? '' : ` for ${JSON.stringify(which)}`}: add one to the world, or with mock.credentials.add().`,
      );
    }
    return {
      baseUrl: this.#baseUrl.href.replace(/\/$/, ''),
      token: credential.token,
      organization: organization ?? credential.organization_id,
      responseValidation: 'throw',
    };
  }

  /**
   * Lets a function answer an operation in the place of its rule, or change what the rule answers.
   * The latest override comes first, and its `next` is the one before it; `reset()` removes them.
   *
   * @returns a function that takes the override back
   * @throws TypeError for an unknown operation or option, and for what is no function
   * @example
   * mock.override('tickets.move', async (call, next) => ({ ...(await next()), title: 'Patched' }));
   */
  override<Id extends OperationId>(
    operation: Id,
    override: Override<Id>,
    options?: OverrideOptions,
  ): () => void {
    return this.#overrides.add(operation, override, options);
  }

  /** Keeps the whole state as it is, clock included, in the same short time at any size. */
  snapshot(): Snapshot {
    return this.#state.snapshot();
  }

  /** Goes back to a snapshot, any number of times. Requests in flight get a 409 and change nothing. */
  restore(snapshot: Snapshot): void {
    this.#state.restore(snapshot);
    this.#engine.abandonInFlight();
  }

  /**
   * Goes back to the start: seed data, clock and ids. Removes overrides, empties the journal, and replaces
   * faults and rate limit with those of the options. Requests in flight get a 409 and change nothing.
   */
  reset(): void {
    this.restore(this.#beginning);
    this.#engine.reset();
    this.#overrides.clear();
    this.faults.reset();
    this.requests.clear();
    this.scopes.clear();
  }

  /**
   * Replaces everything with other seed data, or with a state that {@link MockServer.export} returned.
   * `reset()` then restores that.
   *
   * @param data an object, or its JSON
   * @throws SeedError for invalid seed data, TypeError for an invalid state; the server is unchanged then
   */
  load(data: World | StateDump | string): void {
    const before = this.#state.snapshot();
    try {
      this.#state.restore(this.#empty);
      loadData(this.#state, data);
    } catch (error) {
      this.#state.restore(before);
      throw error;
    }
    this.#beginning = this.#state.snapshot();
    this.reset();
  }

  /** The whole state as JSON, for `createMockServer({ state })`. */
  export(): StateDump {
    return structuredClone(dumpState(this.#state));
  }

  /** Changes whenever the state does. */
  get revision(): number {
    return this.#state.revision;
  }

  /**
   * Answers a request whatever its origin: for servers and workers that take a `fetch` function.
   *
   * @param Response the constructor to build answers with
   * @throws ConnectionFault where a fault breaks the connection
   */
  handle(request: Request, Response?: ResponseConstructor): Promise<Response> {
    return this.#engine.handle(request, Response);
  }

  #isMine({ url }: { url: string }): boolean {
    const { origin } = this.#baseUrl;
    return url.startsWith(origin) && url.charAt(origin.length) === '/';
  }
}
