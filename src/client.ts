import {
  type BodyOf,
  type Method,
  type OperationId,
  operationIds,
  operationOf,
  type PaginatedId,
  type QueryOf,
  type ResultOf,
} from './contract/index.js';
import type { RawInput } from './http/build-request.js';
import { unknownName } from './http/check-options.js';
import { type CallInput, OperationClient, registerClient } from './http/operation-client.js';
import type { PageList } from './http/pagination.js';
import type { ApiPromise } from './http/read-response.js';
import { resolveClientSettings } from './http/settings.js';
import type { CallOptions, ClientOptions, ListOptions } from './options.js';
import { Boards } from './resources/boards.js';
import { Documents } from './resources/documents.js';
import { Notifications } from './resources/notifications.js';
import { Organizations } from './resources/organization.js';
import { Projects } from './resources/projects.js';
import { Tickets } from './resources/tickets.js';
import type { SdkShape } from './sdk-shape.js';

/**
 * A client for the Work-Tracking External API.
 *
 * @throws {@link ConfigurationError} if an option is unknown or invalid, or if `baseUrl` is missing
 *
 * @example
 * ```ts
 * const client = new Worktrack({
 *   baseUrl: 'https://work.example.com',
 *   token: process.env.WORKTRACK_TOKEN,
 *   organization: 'org_acme',
 * });
 * const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
 * ```
 */
export class Worktrack implements SdkShape {
  /** The organization. */
  readonly organization: Organizations;
  /** Projects and their members, labels, tags, and analytics. */
  readonly projects: Projects;
  /** Project boards. */
  readonly boards: Boards;
  /** Tickets and their comments. */
  readonly tickets: Tickets;
  /** Documents and their comments. */
  readonly documents: Documents;
  /** Notifications for the organization's users. */
  readonly notifications: Notifications;

  readonly #operations: OperationClient;

  /** @internal Used by `withOptions`. */
  constructor(operations: OperationClient);
  constructor(options?: ClientOptions);
  constructor(source: ClientOptions | OperationClient = {}) {
    const operations =
      source instanceof OperationClient ? source : new OperationClient(resolveClientSettings(source));
    this.#operations = operations;
    registerClient(this, operations);
    this.organization = new Organizations(operations);
    this.projects = new Projects(operations);
    this.boards = new Boards(operations);
    this.tickets = new Tickets(operations);
    this.documents = new Documents(operations);
    this.notifications = new Notifications(operations);
  }

  /**
   * Creates a client that has different options but shares this client's `fetch`, throttle, and rate-limit
   * pauses.
   *
   * @throws {@link ConfigurationError} if an option is unknown or invalid
   *
   * @example
   * ```ts
   * const other = client.withOptions({ token: otherToken, organization: 'org_other' });
   * ```
   */
  withOptions(options: ListOptions): Worktrack {
    return new Worktrack(this.#operations.withOptions(options));
  }

  /**
   * Waits until all calls have finished, including calls on clients created with `withOptions`. Also waits
   * for calls that immediately follow them, such as the request for the next page of a list.
   *
   * @example
   * ```ts
   * process.once('SIGTERM', async () => {
   *   server.close(); // accept no more work
   *   await client.idle();
   *   process.exit();
   * });
   * ```
   */
  idle(): Promise<void> {
    return this.#operations.idle();
  }

  /**
   * Performs an operation by ID. Unlike the operation's own method, `request` doesn't validate the query or
   * the body, because newer servers may accept fields and values that aren't in the contract. It still
   * rejects invalid IDs, invalid dates, a missing body, and values that can't be sent as JSON.
   *
   * @throws {@link ConfigurationError} if the operation ID is unknown
   * @throws {@link InvalidRequestError} if an ID or a date is invalid
   *
   * @example
   * ```ts
   * await client.request('tickets.update', { params: { ticket }, body: { estimate: 3 } });
   * ```
   */
  request<Id extends PaginatedId>(
    operation: Id,
    input?: UncheckedInput<Id>,
    options?: ListOptions,
  ): PageList<ResultOf<Id>[number]>;
  request<Id extends OperationId>(
    operation: Id,
    input?: UncheckedInput<Id>,
    options?: CallOptions,
  ): ApiPromise<ResultOf<Id>>;
  request<Id extends OperationId>(
    operation: Id,
    input: UncheckedInput<Id> = {},
    options?: ListOptions,
  ): unknown {
    if (!operationIds.includes(operation)) {
      throw unknownName('unknown operation', `${operation}`, operationIds);
    }
    const uncheckedInput = { ...input, allowUnknownFields: true } as CallInput<never>;
    return operationOf(operation).paginated
      ? this.#operations.list(operation as PaginatedId, uncheckedInput, options)
      : this.#operations.call(operation, uncheckedInput, options);
  }

  /**
   * Sends a request to a path under `/api/v1` that isn't in the contract. Uses the client's credential,
   * timeouts, and error handling. POST and PATCH requests are retried only if the server definitely didn't
   * process them.
   *
   * @typeParam Result the type of the parsed body, which isn't checked at runtime
   * @returns the response body: undefined if it's empty, the parsed value if it's JSON, and a string
   * otherwise
   * @throws {@link ConfigurationError} if the path is outside the API, or the method, query, or body is invalid
   *
   * @example
   * ```ts
   * const hooks = await client.raw('GET', `/projects/${project}/webhooks`, { query: { active: true } });
   * ```
   */
  raw<Result = unknown>(
    method: Method,
    path: string,
    input?: RawInput,
    options?: CallOptions,
  ): ApiPromise<Result> {
    return this.#operations.raw(method, path, input, options) as ApiPromise<Result>;
  }
}

/** An operation's arguments, which may include fields and values that aren't in the contract. */
export interface UncheckedInput<Id extends OperationId> {
  params?: CallInput<Id>['params'];
  query?: QueryOf<Id> | Record<string, unknown> | undefined;
  body?: BodyOf<Id> | Record<string, unknown> | undefined;
}
