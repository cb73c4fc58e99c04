import type { BodyOf, Method, OperationId, PaginatedId, QueryOf, ResultOf } from './contract/index.js';
import { operationIds, operationOf } from './contract/index.js';
import {
  type ApiPromise,
  type Call,
  type CallInput,
  createCall,
  createRawCall,
  type RawCall,
  type RawInput,
} from './http/call.js';
import type { CallOptions, ClientOptions, ListOptions } from './options.js';
import { createLister, type Lister, type PageList } from './pagination.js';
import { Boards } from './resources/boards.js';
import { Documents } from './resources/documents.js';
import { Notifications } from './resources/notifications.js';
import { OrganizationResource } from './resources/organization.js';
import { Projects } from './resources/projects.js';
import { Tickets } from './resources/tickets.js';
import type { SdkShape } from './sdk-shape.js';
import { clientSettings, unknownName } from './settings.js';

/**
 * A client of the Work-Tracking External API.
 *
 * @throws ConfigurationError for an option that is unknown, missing or cannot be
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
  /** The organization itself. */
  readonly organization: OrganizationResource;
  /** Projects, with their members, labels, tags and analytics. */
  readonly projects: Projects;
  /** Boards of a project. */
  readonly boards: Boards;
  /** Tickets, and comments on them. */
  readonly tickets: Tickets;
  /** Documents, and comments on them. */
  readonly documents: Documents;
  /** Notifications to users of the organization. */
  readonly notifications: Notifications;

  readonly #call: Call;
  readonly #list: Lister;
  readonly #raw: RawCall;

  constructor(options: ClientOptions = {}) {
    // The settings hold the credential: they stay in the closures of `call`, and are no property.
    const settings = clientSettings(options);
    const call = createCall(settings);
    const list = createLister(call, settings.prefetch);
    this.#call = call;
    this.#list = list;
    this.#raw = createRawCall(settings);
    this.organization = new OrganizationResource(call);
    this.projects = new Projects(call);
    this.boards = new Boards(call);
    this.tickets = new Tickets(call, list);
    this.documents = new Documents(call, list);
    this.notifications = new Notifications(call);
  }
  /**
   * Carries out an operation by its id, like its method, but lets fields pass that the contract does not
   * know: a server that is newer than this package may take them.
   *
   * @throws ConfigurationError at once for an id that is none
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
    if (!operationIds.includes(operation))
      throw unknownName('unknown operation', `${operation}`, operationIds);
    const loose = { ...input, loose: true } as CallInput<never>;
    return operationOf(operation).paginated
      ? this.#list(operation as PaginatedId, loose, options)
      : this.#call(operation, loose as CallInput<Id>, options);
  }

  /**
   * Calls a path below `/api/v1` that the contract does not know, with the client's credential, limits of
   * time and errors. Repeats all but POST and PATCH.
   *
   * @returns the answer's body: parsed where it is JSON, else text, undefined where it is empty
   * @throws ConfigurationError for a path that leads elsewhere
   *
   * @example
   * ```ts
   * const hooks = await client.raw('GET', `/projects/${project}/webhooks`, { query: { active: true } });
   * ```
   */
  raw(method: Method, path: string, input?: RawInput, options?: CallOptions): ApiPromise<unknown> {
    return this.#raw(method, path, input, options);
  }
}

/** The arguments of an operation, and fields that the contract does not know. */
export interface OpenInput<Id extends OperationId> {
  params?: CallInput<Id>['params'];
  query?: (QueryOf<Id> & Record<string, unknown>) | undefined;
  body?: (BodyOf<Id> & Record<string, unknown>) | undefined;
}
