import type { OperationId } from '../src/contract/index.js';
import type { WireFormat } from '../src/wire/index.js';
import { Builders } from './controls/builders.js';
import { Credentials } from './controls/credentials.js';
import { type Override, type OverrideOptions, Overrides } from './controls/overrides.js';
import { StateView } from './controls/state-view.js';
import { Engine, type Interceptor } from './engine/engine.js';
import { type Incoming, incomingOf } from './engine/incoming.js';
import { readAsAdmin } from './engine/read-as-admin.js';
import { RecordJsonCache } from './engine/record-json-cache.js';
import type { ResponseConstructor } from './engine/responses.js';
import { authenticate } from './engine/run-operation.js';
import { ConnectionFault } from './faults/fault.js';
import { Faults } from './faults/faults.js';
import { Journal } from './journal/journal.js';
import { ScopeUse } from './journal/scopes.js';
import {
  type MswHandlers,
  type MswOptions,
  mswHandlers,
  mswOptions,
  networkError,
  unhandledError,
} from './msw.js';
import { type ClientChoice, clientOptions, type MockClientOptions } from './options/client-options.js';
import { readOptions } from './options/read-options.js';
import type { MockServerOptions } from './options/server-options.js';
import { loadData, loadWorld } from './seed/load-world.js';
import { readWorld } from './seed/read-world.js';
import { defaultWorld, type World } from './seed/world.js';
import { Clock } from './state/clock.js';
import { dumpState, loadDump } from './state/dump.js';
import { Random } from './state/ids.js';
import { type Snapshot, State } from './state/state.js';
import {
  type ChangedRecords,
  type StateChanges,
  summarizeChanges,
  takeChanges,
} from './state/state-changes.js';
import type { StateDump } from './state/state-dump.js';
import type { ChangeLog } from './store/epoch.js';

/**
 * Creates an in-memory mock server that enforces every rule of the Work-Tracking API.
 *
 * @throws TypeError if an option is unknown or invalid
 * @throws SeedError if the seed data is invalid
 * @example
 * const mock = createMockServer();
 * const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  return new MockServer(options);
}

/** An in-memory mock server. Create one with {@link createMockServer}. */
export class MockServer {
  /** The server's clock. By default, it's frozen: time passes only when a test advances it. */
  readonly clock: Clock;
  /** Read-only access to all records. */
  readonly state: StateView;
  /** Adds individual records directly, so scopes and WIP limits don't apply. */
  readonly add: Builders;
  /** Adds, revokes, and rotates credentials, and changes their scopes. */
  readonly credentials: Credentials;
  /** Injects latency, error statuses, broken connections, corrupt responses, and rate limits. */
  readonly faults: Faults;
  /** The requests that the server received, and methods to assert on them. */
  readonly requests: Journal;
  /** The scopes that requests have needed so far. */
  readonly scopes = new ScopeUse();
  /** Request handlers for MSW 2.15 or later: `setupServer(...mock.handlers)`. */
  readonly handlers: MswHandlers;
  /**
   * Options for MSW. After `server.listen(mock.mswOptions)`, a request that isn't matched by any handler
   * fails with a network error. Its cause suggests the right operation.
   */
  readonly mswOptions: MswOptions;
  readonly #baseUrl: URL;
  readonly #state: State;
  readonly #overrides = new Overrides();
  readonly #engine: Engine;
  readonly #rejects: boolean;
  readonly #emulatedWire: WireFormat | undefined;
  readonly #empty: Snapshot;
  #initialSnapshot: Snapshot;
  /** The changes since the last export. */
  #exported: ChangeLog | undefined;

  constructor(options: MockServerOptions = {}) {
    const {
      state: dump,
      world = defaultWorld,
      now = '2026-01-01T00:00:00.000Z',
      randomSeed = 0,
      wire,
      behavior,
      settings,
      emulatedWire,
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
    this.#emulatedWire = emulatedWire;
    this.clock = new Clock(now);
    this.#state = new State(this.clock, new Random(randomSeed), settings);
    this.#empty = this.#state.snapshot();
    if (dump) loadDump(this.#state, structuredClone(dump));
    else loadWorld(this.#state, readWorld(world));
    this.#initialSnapshot = this.#state.snapshot();
    this.state = new StateView(this.#state);
    this.add = new Builders(this.#state);
    this.credentials = new Credentials(this.#state);
    this.faults = new Faults(new Random(`faults ${randomSeed}`), () => this.clock.milliseconds(), {
      faults,
      rateLimit,
    });
    this.requests = new Journal({
      limit: journalLimit,
      byteLimit: journalBytes,
      credentialHeader: wire.credential.header,
      tokens: () => [...this.#state.credentials.values()].map(({ token }) => token),
    });
    this.#engine = new Engine({
      state: this.#state,
      authenticate: (headers) => authenticate(this.#state, wire, headers),
      wire,
      behavior,
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
      (request) => this.#handlesUrl(request) && this.#engine.isBelowApi(request.url),
      (request) => this.#respond(request),
    );
    this.mswOptions = mswOptions((request) =>
      this.#rejection(
        request,
        (this.#handlesUrl(request) && this.#engine.describeUnhandled(request)) ||
          `No handler matches ${request.method} ${request.url}.`,
      ),
    );
  }

  /**
   * A `fetch` function that sends requests to this server. It doesn't patch the global `fetch`.
   *
   * @throws TypeError if the request goes to another origin, if a fault breaks the connection, or if no
   * operation matches and the `unhandled` option is `'error'`. The cause is an {@link UnhandledRequestError}
   * or a {@link ConnectionFault}.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = incomingOf(input, init);
    if (!this.#handlesUrl(request)) {
      throw this.#rejection(
        request,
        `${request.method} ${request.url} doesn't match this mock server's origin, ` +
          `${this.#baseUrl.origin}. Create the client with mock.clientOptions().`,
      );
    }
    request.signal?.throwIfAborted();
    try {
      return await this.#respond(request);
    } catch (error) {
      throw error instanceof ConnectionFault ? networkError(error) : error;
    }
  };

  /**
   * Returns the options that a client needs to call this server.
   *
   * @param choice a token or an organization ID. Defaults to the server's first credential.
   * @throws TypeError if no credential matches
   */
  clientOptions(choice: ClientChoice = {}): MockClientOptions {
    return clientOptions(this.#state, {
      baseUrl: this.#baseUrl.href.replace(/\/$/, ''),
      wire: this.#emulatedWire,
      ...choice,
    });
  }

  /**
   * Replaces an operation's behavior or changes its result. The latest override runs first, and its `next`
   * calls the override that was added before it. `reset()` removes all overrides.
   *
   * @returns a function that removes the override
   * @throws TypeError if the operation or an option is unknown, or if `override` isn't a function
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

  /** Takes a snapshot of the entire state, including the clock, in constant time. */
  snapshot(): Snapshot {
    return this.#state.snapshot();
  }

  /**
   * Restores a snapshot. You can restore the same snapshot any number of times. In-flight requests fail with
   * a 409 and don't change the state.
   *
   * @throws TypeError if the snapshot is from another server
   */
  restore(snapshot: Snapshot): void {
    this.#state.restore(snapshot);
    this.#engine.abandonInFlight();
  }

  /**
   * Restores the initial seed data, clock, ID generator, faults, and rate limit. Removes all overrides and
   * clears the journal. In-flight requests fail with a 409 and don't change the state.
   */
  reset(): void {
    this.restore(this.#initialSnapshot);
    this.#engine.reset();
    this.#overrides.clear();
    this.faults.reset();
    this.requests.clear();
    this.scopes.clear();
  }

  /**
   * Resets the server to different seed data or to a state from {@link MockServer.export}. Later calls to
   * `reset()` restore this data.
   *
   * @param data an object or a JSON string
   * @throws SeedError if the seed data is invalid; the server remains unchanged
   * @throws TypeError if the exported state is invalid; the server remains unchanged
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
    this.#initialSnapshot = this.#state.snapshot();
    this.reset();
  }

  /** Exports the entire state as a JSON-compatible object for `createMockServer({ state })`. */
  export(): StateDump {
    return structuredClone(dumpState(this.#state));
  }

  /**
   * Returns the same string as `JSON.stringify(mock.export())`, but faster, because it doesn't copy the
   * state.
   *
   * @internal
   */
  exportJson(): string {
    return JSON.stringify(dumpState(this.#state));
  }

  /**
   * @internal Returns what has changed since the previous call, or undefined if it's the first call or the
   * entire state must be exported.
   */
  takeChanges(): StateChanges | undefined {
    this.#exported ??= this.#state.logChanges();
    return takeChanges(this.#state, this.#exported);
  }

  /**
   * @internal Watches which records change. `take` returns the changes since its previous call, or undefined
   * if any record may have changed.
   */
  watchRecords(): { take(): ChangedRecords | undefined; stop(): void } {
    const log = this.#state.logChanges();
    log.take();
    return { take: () => summarizeChanges(this.#state, log), stop: () => log.stop() };
  }

  /** A number that changes whenever the records or settings change. Changes to the clock don't count. */
  get revision(): number {
    return this.#state.revision;
  }

  /**
   * Responds to a request, regardless of its origin. Use it in servers and workers that expect a `fetch`
   * handler.
   *
   * @param Response the response class to use
   * @throws ConnectionFault if a fault breaks the connection
   */
  handle(request: Request, Response?: ResponseConstructor): Promise<Response> {
    return this.#engine.handle(request, Response);
  }

  /**
   * @internal Responds to a read request as if its credential had every scope in the organization. The
   * request isn't recorded in the journal, and faults and overrides don't apply to it.
   */
  readAsAdmin(request: Request, organization: string): Promise<Response> {
    return readAsAdmin(this.#state, request, organization);
  }

  /**
   * @internal Saves the state and everything else that requests change. Returns a function that restores it
   * and can be called repeatedly.
   */
  checkpoint(): () => void {
    const snapshot = this.snapshot();
    const parts = [this.faults, this.#overrides, this.requests, this.scopes, this.#engine];
    const restores = parts.map((part) => part.checkpoint());
    return () => {
      this.restore(snapshot);
      for (const restore of restores) restore();
    };
  }

  /**
   * @internal Routes every request to an operation through an interceptor. Returns a function that removes
   * the interceptor.
   */
  intercept(interceptor: Interceptor): () => void {
    return this.#engine.intercept(interceptor);
  }

  /** @throws TypeError if no operation matches and the `unhandled` option is `'error'` */
  async #respond(request: Incoming): Promise<Response> {
    const unhandled = this.#rejects && this.#engine.describeUnhandled(request);
    if (unhandled) throw this.#rejection(request, unhandled);
    return this.#engine.handle(request);
  }

  /** Records an unhandled request and returns the network error for it. */
  #rejection(request: Incoming, explanation: string): TypeError {
    this.#engine.recordUnhandled(request, explanation);
    return unhandledError(explanation);
  }

  #handlesUrl({ url }: { url: string }): boolean {
    const { origin } = this.#baseUrl;
    return url.startsWith(origin) && url.charAt(origin.length) === '/';
  }
}
