import {
  errorCodes,
  type OperationId,
  operationOf,
  type RuleErrorCode,
  type Scope,
} from '../../src/contract/index.js';
import type { WireFormat } from '../../src/index.js';
import {
  encodeCredential,
  encodePath,
  encodeQuery,
  isObject,
  parseJson,
  pathPrefix,
} from '../../src/internal.js';
import { LostResponse, Mismatch, NotCheckable, TokenRejected } from './expectations.js';
import type { OwnRecords } from './own-records.js';
import { guardFields, type Json, type SharedRecords } from './records.js';
import type { Purpose, Sender } from './sender.js';

export interface DeploymentResponse {
  /** The request, for error messages. */
  request: string;
  status: number;
  /** The parsed body. Undefined if it's empty or isn't JSON. */
  body: Json;
  /** The data in the response envelope. */
  data: Json;
}

/** A request's body, query, and token. */
export interface Payload {
  body?: unknown;
  query?: Record<string, unknown>;
  /** A different token, or null to send no token. */
  token?: string | null;
}

/** A second credential, which lacks some scopes. */
export interface LimitedCredential {
  token: string;
  /** The credential's scopes. If omitted, only a 403 response reveals a missing scope. */
  scopes?: readonly Scope[] | undefined;
}

export interface HarnessOptions {
  /** The base URL without `/api/v1`. */
  baseUrl: string;
  token: string;
  organization: string;
  limitedCredential?: LimitedCredential | undefined;
  sender: Sender;
  /** The records that the run created. */
  own: OwnRecords;
  wire: WireFormat;
  /** Whether to also check optional rules, such as those about error codes. */
  includeOptional: boolean;
  /** Called after each request and its retries, with the final status and body. */
  onExchange?: ((request: string, status: number, body: string) => unknown) | undefined;
}

/**
 * Helps scenarios call the deployment, create records, and check responses. Tracks created records for
 * cleanup.
 */
export class Harness {
  readonly options: HarnessOptions;
  readonly #shared: SharedRecords | undefined;
  /** The delete operation and ID for each created record. */
  readonly #created: [OperationId, string][] = [];
  /** Whether the deployment's clock stood still for about a second. */
  #isClockStopped = false;
  /** A line for each record that may have been created, but whose ID is unknown. */
  #unidentified: string[] = [];

  /** @param shared the records shared by all scenarios. Omitted for the harness that creates them. */
  constructor(options: HarnessOptions, shared?: SharedRecords) {
    this.options = options;
    this.#shared = shared;
  }

  /**
   * The records shared by all scenarios. Scenarios can read these records and create new ones inside them,
   * but must not modify them.
   */
  get shared(): SharedRecords {
    if (!this.#shared) throw new Error('this harness has no shared records');
    return this.#shared;
  }

  /** The name and title of the run's projects and documents. */
  get title(): string {
    return `Conformance ${this.mark}`;
  }

  /** The key of the run's projects. */
  get key(): string {
    return `C${this.mark.toUpperCase()}`;
  }

  /** The random text that identifies the run's records. */
  get mark(): string {
    return this.options.own.mark;
  }

  /** An ID that no record has. */
  get unknownId(): string {
    return this.options.own.unknownId;
  }

  /**
   * Calls an operation without validating the request or the response.
   *
   * @throws NotCheckable if the call would change a record that this run may not have created
   */
  async call(
    id: OperationId,
    ids: readonly string[] = [],
    payload: Payload = {},
  ): Promise<DeploymentResponse> {
    const { own } = this.options;
    this.#requireOwn(id, ids[0]);
    const deletion = deletionOf[id];
    if (deletion) await this.noteExisting(id);
    const noteLost = (reason: string) =>
      this.#unidentified.push(`a record that ${id} may have created: ${reason}`);
    const response = await this.#send(id, ids, payload, deletion ? 'creation' : 'check').catch((error) => {
      if (deletion && (error instanceof LostResponse || error instanceof Mismatch)) noteLost(error.message);
      throw error;
    });
    if (payload.token === undefined) await this.#requireValidToken(id, response);
    // Delete the record even if the rule expected the request to be rejected.
    const created = isObject(response.data) ? response.data.id : undefined;
    const isSuccess = response.status >= 200 && response.status < 300;
    const isOwn = isSuccess && own.claim(id, response.data, deletion ? undefined : ids[0]);
    if (deletion && isOwn) {
      this.#created.push([deletion, String(created)]);
    } else if (deletion && created !== undefined) {
      this.#unidentified.push(`${id} returned ${created}, which may have existed before: left as it is`);
    } else if (deletion && isSuccess) {
      noteLost("the response doesn't contain its ID");
    }
    return { ...response, data: guardFields(response.data, id) };
  }

  /**
   * Lists the projects or documents that exist before the first one is created, because only new ones may be
   * deleted.
   *
   * @throws NotCheckable if they can't be listed, so that nothing is created
   */
  async noteExisting(create: OperationId): Promise<void> {
    const { own } = this.options;
    if (own.knowsExisting(create)) return;
    const list = create === 'projects.create' ? 'projects.list' : 'documents.list';
    const ids = new Set<unknown>();
    let hasMore = true;
    for (let page = 1; hasMore && page <= maxListedPages; page += 1) {
      const { items, isLast } = await this.#listExisting(list, page);
      const before = ids.size;
      for (const item of items) if (isObject(item)) ids.add(item.id);
      hasMore = !isLast && ids.size > before;
    }
    if (hasMore) throw unsafe(list, `has more than ${maxListedPages} pages`);
    own.noteExisting(create, ids);
  }

  async #listExisting(list: OperationId, page: number): Promise<{ items: unknown[]; isLast: boolean }> {
    const { wire } = this.options;
    const { paginated } = operationOf(list);
    const query = { [wire.page.parameter]: page, per_page: 200 };
    const { status, body, data } = await this.call(list, [], paginated ? { query } : {});
    if (status !== 200) throw unsafe(list, `returns ${status}`);
    const decoded = paginated ? wire.page.decode(body) : undefined;
    const items = decoded?.data ?? data;
    if (!Array.isArray(items)) throw unsafe(list, "doesn't return a list");
    return { items, isLast: !paginated || decoded?.hasNext === false };
  }

  /** Calls an operation that must return a page. Returns the page's items and page info. */
  async expectPage(
    id: OperationId,
    ids: readonly string[],
    query: object,
  ): Promise<{ items: Json[]; pageInfo: Json }> {
    const response = await this.call(id, ids, { query: { ...query } });
    this.expectStatus(response, 200);
    const page = this.options.wire.page.decode(response.body);
    if (!page) throw new Mismatch(`${response.request}: the response doesn't contain a page`);
    return {
      items: guardFields(page.data, response.request),
      pageInfo: guardFields(page.pageInfo, response.request),
    };
  }

  /** Calls an operation that must succeed. Returns the record or list in the response. */
  async expectSuccess(id: OperationId, ids?: readonly string[], payload?: Payload): Promise<Json> {
    const response = await this.call(id, ids, payload);
    const { status } = operationOf(id);
    this.expectStatus(response, status);
    if (status !== 204 && (typeof response.data !== 'object' || response.data === null)) {
      throw new Mismatch(`${response.request}: the response doesn't contain data`);
    }
    return response.data;
  }

  /**
   * Calls an operation that must fail. Checks the response's status and, if `includeOptional` is true, its error
   * code and field.
   */
  async expectError(
    id: OperationId,
    ids: readonly string[],
    payload: Payload,
    code: RuleErrorCode | 'not_found' | 'malformed_json' | 'invalid_credential',
    field?: string,
  ): Promise<void> {
    const response = await this.call(id, ids, payload);
    this.expectStatus(response, errorCodes[code], ` (${code})`);
    if (!this.options.includeOptional) return;
    const { code: actual, errors = {} } = this.options.wire.error.decode(response.body);
    const missing = this.#shared?.missingInErrors;
    if (actual !== code && (actual || !missing?.includes('code'))) {
      throw new Mismatch(`${response.request}: expected error code ${code}, got ${actual}`, 'optional');
    }
    const isNamed = (name: string) => name === field || name.startsWith(`${field}.`);
    const names = Object.keys(errors);
    if (field !== undefined && !names.some(isNamed) && (names.length > 0 || !missing?.includes('errors'))) {
      throw new Mismatch(`${response.request}: the error doesn't mention ${field}`, 'optional');
    }
  }

  /**
   * Writes until a time in the response differs from the one in `previous`. Many deployments store
   * times in whole seconds, so two fast writes can have the same time. If the deployment's clock doesn't
   * advance within about a second, returns the last response, and later calls write only once.
   */
  async writeLater(
    field: 'created_at' | 'updated_at',
    previous: Json,
    write: () => Promise<Json>,
  ): Promise<Json> {
    const timeIn = (record: Json) => (field in record ? record[field] : undefined);
    let record = await write();
    for (const pause of [10, 1000]) {
      const time = timeIn(record);
      if (this.#isClockStopped || time === undefined || time !== timeIn(previous)) return record;
      await this.options.sender.wait(pause);
      record = await write();
    }
    this.#isClockStopped = timeIn(record) === timeIn(previous);
    return record;
  }

  /** Tries to create a project without a name, which every deployment must reject. */
  createWithoutName(): Promise<DeploymentResponse> {
    return this.call('projects.create', [], { body: { key: this.key } });
  }

  /** Returns the parts that are missing from a response about an invalid field. */
  missingInError({ status, body }: DeploymentResponse): ('code' | 'errors')[] {
    if (status !== errorCodes.validation_failed) return [];
    const { code, errors = {} } = this.options.wire.error.decode(body);
    return [
      ...(code ? [] : ['code' as const]),
      ...(Object.keys(errors).length > 0 ? [] : ['errors' as const]),
    ];
  }

  expectStatus({ request, status, body }: DeploymentResponse, expected: number, hint = ''): void {
    if (status === expected) return;
    // A 403 response usually means that the credential lacks a scope. If a 401 is expected, the credential is
    // invalid on purpose.
    if (status === 403 && expected !== 401)
      throw new NotCheckable(`${request}: the credential isn't allowed to do this (403)`);
    // Browsers report the status of a redirect as 0.
    const isRedirect = status === 0 || (status >= 300 && status < 400);
    const text = isObject(body) && typeof body.message === 'string' ? body.message.slice(0, 300) : '';
    const reason = isRedirect ? "redirects aren't followed; check the base URL" : text;
    const message = reason && `: ${reason}`;
    throw new Mismatch(`${request}: expected ${expected}${hint}, got ${status}${message}`);
  }

  async createProject(fields: object = {}): Promise<Json> {
    return this.#create('projects.create', [], { name: this.title, key: this.key, ...fields });
  }

  async createBoard(project: Json, fields: object = {}): Promise<Json> {
    return this.#create('boards.create', [project.id], { name: `Board ${this.mark}`, ...fields });
  }

  async createTicket(project: Json, board: Json, fields: object = {}): Promise<Json> {
    const body = { board_id: board.id, title: `Ticket ${this.mark}`, ...fields };
    return this.#create('tickets.create', [project.id], body);
  }

  async createDocument(fields: object = {}): Promise<Json> {
    return this.#create('documents.create', [], { title: this.title, ...fields });
  }

  /** @throws NotCheckable if the response contains a record that may have existed before */
  async #create(id: OperationId, ids: readonly string[], body: object): Promise<Json> {
    const record = await this.expectSuccess(id, ids, { body });
    if ('id' in record && !this.options.own.has(record.id)) {
      throw new NotCheckable(`${id} returned ${record.id}, which may have existed before`);
    }
    return record;
  }

  /**
   * Creates a project with two boards and adds tickets to the first board.
   *
   * @returns the project, the boards, and the tickets. `ticket` is the first one, because most rules need
   * only one.
   */
  async createBoards(
    ticketCount = 1,
    secondBoard: object = {},
  ): Promise<{ project: Json; first: Json; second: Json; tickets: Json[]; ticket: Json }> {
    const project = await this.createProject();
    const first = await this.createBoard(project, { name: `First ${this.mark}` });
    const second = await this.createBoard(project, { name: `Second ${this.mark}`, ...secondBoard });
    const tickets: Json[] = [];
    for (let count = 1; count <= ticketCount; count += 1) {
      tickets.push(await this.createTicket(project, first, { title: `Ticket ${count} ${this.mark}` }));
    }
    return { project, first, second, tickets, ticket: tickets[0] };
  }

  /** Returns the IDs of a project's boards, in order. Includes default boards created by the deployment. */
  async listBoardIds(project: Json): Promise<string[]> {
    return idsOf(await this.expectSuccess('boards.list', [project.id]));
  }

  listTicketIds(project: Json, board: Json): Promise<string[]> {
    return this.listIds('tickets.list', [project.id], { board_id: board.id, per_page: 200 });
  }

  /** Returns the IDs of the records on a page of a list. */
  async listIds(id: OperationId, ids: readonly string[], query: object): Promise<string[]> {
    return idsOf((await this.expectPage(id, ids, query)).items);
  }

  /** Returns a user who can see the project. */
  async findMember(project: Json): Promise<Json> {
    const [member] = await this.expectSuccess('projects.members.list', [project.id]);
    if (!member) throw new NotCheckable('the project has no members');
    return member;
  }

  /**
   * Deletes the created records, newest first.
   *
   * @returns a line for each record that couldn't be deleted
   */
  async cleanUp(): Promise<string[]> {
    const problems = this.#unidentified;
    this.#unidentified = [];
    for (const [operation, id] of this.#created.splice(0).reverse()) {
      try {
        const { status } = await this.#send(operation, [id], {}, 'cleanup');
        if (status >= 300 && status !== 404) problems.push(`${operation} ${id}: ${status}`);
      } catch (error) {
        problems.push(`${operation} ${id}: ${(error as Error).message}`);
      }
    }
    return problems;
  }

  /** @throws NotCheckable if the operation changes a record that the run may not have created */
  #requireOwn(id: OperationId, record: string | undefined): void {
    const { method, parameters } = operationOf(id);
    const changesRecord = method !== 'GET' && parameters[0] !== 'organization';
    if (!changesRecord || record === this.unknownId || this.options.own.has(record)) return;
    throw new NotCheckable(`${id} wasn't called, because ${record} may have existed before`);
  }

  /** @throws TokenRejected if the deployment has never accepted the token */
  async #requireValidToken(id: OperationId, { status }: DeploymentResponse): Promise<void> {
    const { sender } = this.options;
    sender.isTokenAccepted ||= status !== 401;
    if (sender.isTokenAccepted) return;
    // If other operations accept the token, only this operation's rules fail.
    const otherId = id === 'projects.list' ? 'organization.get' : 'projects.list';
    const other = await this.#send(otherId, [], {}, 'check');
    if (other.status === 401) throw new TokenRejected();
    sender.isTokenAccepted = true;
  }

  async #send(
    id: OperationId,
    ids: readonly string[],
    { body, query, token = this.options.token }: Payload,
    purpose: Purpose,
  ): Promise<DeploymentResponse> {
    const { sender, wire, baseUrl, onExchange } = this.options;
    const { method, path, parameters } = operationOf(id);
    const values = ids.length === 0 ? [this.options.organization] : ids;
    const params = Object.fromEntries(parameters.map((name, index) => [name, String(values[index])]));
    const search = query ? encodeQuery(query) : '';
    const target = `${pathPrefix}${encodePath(path, params)}${search && `?${search}`}`;
    const headers = {
      ...(token !== null && { [wire.credential.header]: encodeCredential(wire.credential, token) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { method, url: baseUrl + target, headers, body: text };
    const response = await sender.send(sent, purpose);
    const request = `${method} ${target}`;
    await onExchange?.(request, response.status, response.text);
    const parsed: Json = parseJson(response.text, () => undefined);
    const { status } = response;
    return { request: `${id} (${request})`, status, body: parsed, data: wire.envelope.decode(parsed)?.data };
  }
}

export const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);

/** How many pages of existing documents a run reads. With more of them, no documents are created. */
const maxListedPages = 50;

const unsafe = (list: OperationId, problem: string) =>
  new NotCheckable(
    `nothing was created, because ${list} ${problem}, so new records can't be told from others`,
  );

/**
 * The operations that delete created records. Boards, tickets, and comments are deleted with their project or
 * document.
 */
const deletionOf: Readonly<Partial<Record<OperationId, OperationId>>> = {
  'projects.create': 'projects.delete',
  'documents.create': 'documents.delete',
};
