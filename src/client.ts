import type { BodyOf, Method, OperationId, PaginatedId, QueryOf, ResultOf } from './contract/index.js';
import { operationIds, operationOf } from './contract/index.js';
import type { ApiPromise } from './http/api-promise.js';
import type { RawInput } from './http/build-raw-request.js';
import { Caller, type CallInput } from './http/caller.js';
import type { PageList } from './http/pagination.js';
import { resolveClientSettings } from './http/settings.js';
import { unknownName } from './http/unknown-name.js';
import type { CallOptions, ClientOptions, ListOptions } from './options.js';
import { Boards } from './resources/boards.js';
import { Documents } from './resources/documents.js';
import { Notifications } from './resources/notifications.js';
import { OrganizationResource } from './resources/organization.js';
import { Projects } from './resources/projects.js';
import { Tickets } from './resources/tickets.js';
import type { SdkShape } from './sdk-shape.js';

/**
 * A client for the Work-Tracking External API.
 *
 * @throws {@link ConfigurationError} if an option is unknown, missing, or invalid
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
  readonly organization: OrganizationResource;
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

  readonly #caller: Caller;

  constructor(options: ClientOptions = {}) {
    // Internally, `withOptions` passes a caller instead of options.
    const caller = options instanceof Caller ? options : new Caller(resolveClientSettings(options));
    this.#caller = caller;
    this.organization = new OrganizationResource(caller);
    this.projects = new Projects(caller);
    this.boards = new Boards(caller);
    this.tickets = new Tickets(caller);
    this.documents = new Documents(caller);
    this.notifications = new Notifications(caller);
  }

  /**
   * Creates a client that has different options but shares this client's transport, budget, and rate-limit
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
    return new Worktrack(this.#caller.withOptions(options) as object);
  }

  /**
   * Performs an operation by ID. Unlike the operation's own method, `request` also sends fields that aren't in
   * the contract, because a newer server may accept them.
   *
   * @throws {@link ConfigurationError} if the operation ID is unknown
   *
   * @example
   * ```ts
   * await client.request('tickets.update', { params: { ticket }, body: { estimate: 3 } });
   * ```
   */
  request<Id extends PaginatedId>(
    operation: Id,
    input?: OpenInput<Id>,
    options?: ListOptions,
  ): PageList<ResultOf<Id>[number]>;
  request<Id extends OperationId>(
    operation: Id,
    input?: OpenInput<Id>,
    options?: CallOptions,
  ): ApiPromise<ResultOf<Id>>;
  request<Id extends OperationId>(operation: Id, input: OpenInput<Id> = {}, options?: ListOptions): unknown {
    if (!operationIds.includes(operation)) {
      throw unknownName('unknown operation', `${operation}`, operationIds);
    }
    const looseInput = { ...input, loose: true } as CallInput<never>;
    return operationOf(operation).paginated
      ? this.#caller.list(operation as PaginatedId, looseInput, options)
      : this.#caller.call(operation, looseInput, options);
  }

  /**
   * Sends a request to a path under `/api/v1` that isn't in the contract. Uses the client's credential,
   * timeouts, and error handling. POST and PATCH requests are retried only if the server definitely didn't
   * process them.
   *
   * @typeParam Result the type of the parsed body, which isn't checked at runtime
   * @returns the response body: undefined if it's empty, the parsed value if it's JSON, and a string
   * otherwise
   * @throws {@link ConfigurationError} if the path is outside the API
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
    return this.#caller.raw(method, path, input, options) as ApiPromise<Result>;
  }
}

/** An operation's arguments, which may include fields and values that aren't in the contract. */
export interface OpenInput<Id extends OperationId> {
  params?: CallInput<Id>['params'];
  query?: QueryOf<Id> | Record<string, unknown> | undefined;
  body?: BodyOf<Id> | Record<string, unknown> | undefined;
}
