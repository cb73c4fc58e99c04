import {
  type BodyOf,
  type BodyOnDefaultBoardOf,
  type Method,
  type OperationId,
  operationOf,
  type PaginatedId,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
} from '../contract/index.js';
import type { Mark } from '../mark.js';
import type { CallOptions, ListOptions } from '../options.js';
import {
  buildRawRequest,
  buildRequest,
  type RawInput,
  type RequestInput,
  rawOperation,
} from './build-request.js';
import { checkFindByKey, checkFindOptions } from './check-options.js';
import {
  type CreatingStore,
  type FindByKeyOptions,
  type FindOptions,
  findOrCreate,
  withTotalTimeout,
} from './find-or-create.js';
import { createPageList, type PageList } from './pagination.js';
import { type ApiPromise, type ReceivedResponse, toApiPromise } from './read-response.js';
import { findMarked, type RecordStore, type StoredRecord } from './record-search.js';
import { runCall } from './run-call.js';
import { deriveSettings, resolveCallSettings, type Settings, type SharedState } from './settings.js';

/** An operation's arguments. The organization can also be set in the options. */
export interface CallInput<Id extends OperationId> {
  params?: Partial<ParamsOf<Id>> | undefined;
  query?: QueryOf<Id> | undefined;
  body?: BodyOf<Id> | BodyOnDefaultBoardOf<Id> | undefined;
  /** Whether to send fields that aren't in the contract instead of rejecting them. */
  allowUnknownFields?: boolean | undefined;
}

const registered = new WeakMap<object, OperationClient>();

/** Makes a client known to {@link sharedBy} and {@link deploymentOf}. */
export const registerClient = (client: object, operations: OperationClient): void => {
  registered.set(client, operations);
};

/**
 * Returns an object that a client shares only with the clients derived from it. Returns undefined if the
 * object isn't a client.
 */
export const sharedBy = (client: object): object | undefined => registered.get(client)?.shared;

/**
 * Returns the base URL and the organization that a client uses if a call sets no other. Returns undefined if the
 * object isn't a client.
 */
export const deploymentOf = (client: object): Deployment | undefined => registered.get(client)?.deployment;

/** Where a client's requests go. */
interface Deployment {
  baseUrl: string;
  organization: string | undefined;
}

/** Performs operations with a client's settings. Used by all resource methods. */
export class OperationClient {
  // The field is private because the settings contain the credential, which must not be printed with the
  // client.
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Returns a client that has different options and shares the `SharedState`, such as the throttle, the
   * rate-limit pauses, and the `findOrCreate` calls in flight.
   */
  withOptions(options: ListOptions): OperationClient {
    return new OperationClient(deriveSettings(this.#settings, options));
  }

  get deployment(): Deployment {
    const { baseUrl, organization } = this.#settings;
    return { baseUrl, organization };
  }

  get shared(): SharedState {
    return this.#settings.shared;
  }

  /** Waits until no call is in flight, including calls started in response to earlier results. */
  async idle(): Promise<void> {
    const { inFlight } = this.#settings.shared;
    do {
      if (inFlight.count) await new Promise<void>((resolve) => inFlight.onIdle.push(resolve));
      // Give the caller time to start another call, such as a request for the next page.
      await new Promise((resolve) => setTimeout(resolve));
    } while (inFlight.count);
  }

  call<Id extends OperationId>(
    operation: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): ApiPromise<ResultOf<Id>> {
    return toApiPromise(this.#perform(operation, input, options));
  }

  list<Id extends PaginatedId>(
    operation: Id,
    input: CallInput<Id>,
    options?: ListOptions,
  ): PageList<ResultOf<Id>[number]> {
    const { prefetch = this.#settings.prefetch, signal = this.#settings.signal } = options ?? {};
    return createPageList(operation, {
      query: input.query,
      prefetch,
      signal,
      fetchPage: (query, pageSignal) =>
        this.#perform(operation, { ...input, query }, { ...options, signal: pageSignal }),
    });
  }

  /**
   * Finds or creates a record. `totalTimeout` applies to all requests combined. Concurrent calls with the
   * same key and credential share the result.
   *
   * @param createStore creates the record store; receives a function that returns the options for the next
   * call
   */
  async findOrCreate<Item extends StoredRecord>(
    operation: 'tickets.create' | 'documents.create',
    input: FindOptions<Item>,
    createStore: (nextOptions: () => CallOptions) => CreatingStore<Item>,
    scope = '',
  ): Promise<Item> {
    const method = operation.replace('create', 'findOrCreate');
    const { key, match, q, onCreate, ...options } = input ?? {};
    checkFindOptions(method, { key, match, q, onCreate });
    const settings = resolveCallSettings(this.#settings, options, operationOf(operation));
    return this.#track(() =>
      withTotalTimeout(operation, method, settings, (limits, signal) => {
        const store = createStore(() => ({ ...options, ...limits() }));
        const { shared, token, organization } = settings;
        const name = shared.keyedCalls.nameOf(token, operation, scope, organization, key);
        const mark = key === undefined ? undefined : { kind: kindOf(operation), key };
        const call = { mark, match, q, onCreate, store, signal, name, calls: shared.keyedCalls };
        return mark ? shared.keyedCalls.share(name, signal, () => findOrCreate(call)) : findOrCreate(call);
      }),
    );
  }

  /** Finds the record with a key. `totalTimeout` applies to all requests combined. */
  async findByKey<Item extends StoredRecord>(
    operation: 'tickets.list' | 'documents.list',
    key: string,
    input: FindByKeyOptions | undefined,
    createStore: (nextOptions: () => CallOptions) => RecordStore<Item>,
  ): Promise<Item | undefined> {
    const method = operation.replace('list', 'findByKey');
    const { source, ...options } = input ?? {};
    checkFindByKey(method, { key, source });
    const settings = resolveCallSettings(this.#settings, options, operationOf(operation));
    return this.#track(() =>
      withTotalTimeout(operation, method, settings, (limits) => {
        const store = createStore(() => ({ ...options, ...limits() }));
        return findMarked(store, { kind: kindOf(operation), source, key });
      }),
    );
  }

  /** Sends a request to a path that isn't in the contract. */
  raw(method: Method, path: string, input: RawInput = {}, options?: CallOptions): ApiPromise<unknown> {
    return toApiPromise(this.#performRaw(method, path, input, options));
  }

  async #perform(id: OperationId, input: RequestInput, options?: ListOptions): Promise<ReceivedResponse> {
    const operation = operationOf(id);
    const settings = options ? resolveCallSettings(this.#settings, options, operation) : this.#settings;
    const request = buildRequest(operation, input, settings);
    return this.#track(() => runCall(settings, { operation, request }));
  }

  async #performRaw(
    method: Method,
    path: string,
    input: RawInput,
    options?: CallOptions,
  ): Promise<ReceivedResponse> {
    const operation = rawOperation(method, path);
    const settings = options ? resolveCallSettings(this.#settings, options, operation) : this.#settings;
    const request = buildRawRequest(settings, method, path, input);
    return this.#track(() => runCall(settings, { operation, request }));
  }

  /** Counts a call as in flight until it settles. */
  async #track<Result>(call: () => Promise<Result>): Promise<Result> {
    const { inFlight } = this.#settings.shared;
    inFlight.count++;
    try {
      return await call();
    } finally {
      if (--inFlight.count === 0) for (const resolve of inFlight.onIdle.splice(0)) resolve();
    }
  }
}

const kindOf = (operation: OperationId): Mark['kind'] =>
  operation.startsWith('tickets') ? 'ticket' : 'document';

/** The base class of the client's resources, such as `client.tickets`. */
export class Resource {
  protected readonly operations: OperationClient;

  /** @internal */
  constructor(operations: OperationClient) {
    this.operations = operations;
  }
}
