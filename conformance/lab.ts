import { errorCodes, type OperationId, operationOf, type RuleErrorCode } from '../src/contract/index.js';
import {
  encodeCredential,
  encodePath,
  encodeQuery,
  isObject,
  pathPrefix,
  type Wire,
} from '../src/wire/index.js';
import { Mismatch, NotCheckable, same } from './outcome.js';

/** A record, or whatever else JSON holds: the kit looks at answers as they are. */
export type Json = ReturnType<typeof JSON.parse>;

/** An answer of the deployment. */
export interface Answer {
  /** The request, for messages. */
  request: string;
  status: number;
  /** The parsed body; undefined where there is none or it is no JSON. */
  body: Json;
  /** What the envelope holds. */
  data: Json;
}

/** What a call sends, apart from the ids in its path. */
export interface Payload {
  body?: unknown;
  query?: Record<string, unknown>;
  /** Another credential; null for none. */
  token?: string | null;
}

export interface LabOptions {
  /** Without `/api/v1`. */
  baseUrl: string;
  token: string;
  organization: string;
  fetch: typeof fetch;
  wire: Wire;
  /** Whether the choices are checked too: error codes are one of them. */
  choices: boolean;
  /** Called with each request and its answer's text. */
  onExchange?: ((request: string, status: number, body: string) => void) | undefined;
}

/** What a scenario works with: calls, records that are cleaned away afterwards, and expectations. */
export class Lab {
  readonly organization: string;
  readonly choices: boolean;
  readonly #options: LabOptions;
  readonly #cleanUps: (() => Promise<unknown>)[] = [];

  constructor(options: LabOptions) {
    this.#options = options;
    this.organization = options.organization;
    this.choices = options.choices;
  }

  /** Calls an operation as it stands in the contract, without any check of what is sent. */
  async call(
    id: OperationId,
    ids: readonly string[] = [],
    { body, query, token }: Payload = {},
  ): Promise<Answer> {
    const { fetch, wire, baseUrl } = this.#options;
    const { method, path, parameters } = operationOf(id);
    const values = parameters[0] === 'organization' && ids.length === 0 ? [this.organization] : ids;
    const params = Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? '']));
    const search = query ? encodeQuery(query) : '';
    const target = `${pathPrefix}${encodePath(path, params)}${search && `?${search}`}`;
    const sent = token === undefined ? this.#options.token : token;
    const response = await fetch(baseUrl + target, {
      method,
      headers: {
        ...(sent !== null && { [wire.credential.header]: encodeCredential(wire.credential, sent) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const request = `${method} ${target}`;
    this.#options.onExchange?.(request, response.status, text);
    const parsed = parse(text);
    return {
      request: `${id} (${request})`,
      status: response.status,
      body: parsed,
      data: wire.envelope.decode(parsed)?.data,
    };
  }

  /** The items of a page and its figures. */
  page(answer: Answer): { items: Json[]; figures: Json } {
    this.succeeds(answer, 200);
    const page = this.#options.wire.page.decode(answer.body);
    if (!page) throw new Mismatch(`${answer.request}: the answer holds no page`);
    return { items: page.data, figures: page.pageInfo };
  }

  /** @returns the record or list of an answer that must have that status */
  succeeds(answer: Answer, status: number): Json {
    if (answer.status === 403) throw new NotCheckable(`${answer.request} is refused to the credential (403)`);
    if (answer.status !== status) {
      throw new Mismatch(`${answer.request}: expected ${status}, got ${answer.status}${messageOf(answer)}`);
    }
    return answer.data;
  }

  /** Checks that an answer refuses, with the code that the contract names where choices are checked. */
  refuses(
    answer: Answer,
    code: RuleErrorCode | 'not_found' | 'malformed_json' | 'invalid_credential',
    field?: string,
  ): void {
    if (answer.status === 403) throw new NotCheckable(`${answer.request} is refused to the credential (403)`);
    const wanted = errorCodes[code];
    if (answer.status !== wanted) {
      throw new Mismatch(
        `${answer.request}: expected ${wanted} (${code}), got ${answer.status}${messageOf(answer)}`,
      );
    }
    if (!this.choices) return;
    const { code: given, errors } = this.#options.wire.error.decode(answer.body);
    same(given, code, `${answer.request}: the error code`);
    if (
      field !== undefined &&
      !Object.keys(errors ?? {}).some((name) => name === field || name.startsWith(`${field}.`))
    ) {
      throw new Mismatch(`${answer.request}: the refusal does not name ${field}`);
    }
  }

  async project(fields: object = {}): Promise<Json> {
    const answer = await this.call('projects.create', [], {
      body: { name: 'Conformance', key: 'CONF', ...fields },
    });
    const project = this.succeeds(answer, 201);
    this.cleanUp(() => this.call('projects.delete', [project.id]));
    return project;
  }

  async board(project: Json, fields: object = {}): Promise<Json> {
    return this.succeeds(
      await this.call('boards.create', [project.id], { body: { name: 'Board', ...fields } }),
      201,
    );
  }

  async ticket(project: Json, board: Json, fields: object = {}): Promise<Json> {
    const body = { board_id: board.id, title: 'Ticket', ...fields };
    return this.succeeds(await this.call('tickets.create', [project.id], { body }), 201);
  }

  async document(fields: object = {}): Promise<Json> {
    const answer = await this.call('documents.create', [], { body: { title: 'Conformance', ...fields } });
    const document = this.succeeds(answer, 201);
    this.cleanUp(() => this.call('documents.delete', [document.id]));
    return document;
  }

  /** A project with two boards, and tickets on the first. */
  async stage(
    tickets = 1,
    second: object = {},
  ): Promise<{ project: Json; first: Json; second: Json; tickets: Json[] }> {
    const project = await this.project();
    const first = await this.board(project, { name: 'First' });
    const other = await this.board(project, { name: 'Second', ...second });
    const made: Json[] = [];
    for (let count = 1; count <= tickets; count += 1) {
      made.push(await this.ticket(project, first, { title: `Ticket ${count}` }));
    }
    return { project, first, second: other, tickets: made };
  }

  /** Ids of the tickets on a board, in order. */
  async order(project: Json, board: Json): Promise<string[]> {
    const query = { board_id: board.id, per_page: 200 };
    return this.page(await this.call('tickets.list', [project.id], { query })).items.map(({ id }) => id);
  }

  /** Someone who can see the project. */
  async member(project: Json): Promise<Json> {
    const [member] = this.succeeds(await this.call('projects.members.list', [project.id]), 200);
    if (!member) throw new NotCheckable('the organization has no owner, admin or member');
    return member;
  }

  cleanUp(step: () => Promise<unknown>): void {
    this.#cleanUps.push(step);
  }

  /** Takes away what was made, the latest first; what cannot be taken away stays. */
  async clear(): Promise<void> {
    for (const step of this.#cleanUps.splice(0).reverse()) await step().catch(() => {});
  }
}

function messageOf({ body }: Answer): string {
  const message = isObject(body) ? body.message : undefined;
  return typeof message === 'string' ? `: ${message.slice(0, 300)}` : '';
}

function parse(text: string): Json {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
