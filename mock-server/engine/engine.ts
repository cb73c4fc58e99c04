import type { OperationId } from '../../src/contract/index.js';
import { type ErrorContent, pathPrefix } from '../../src/wire/index.js';
import type { Fault } from '../faults/fault.js';
import { type JournalEntry, pathOf, retainedHeaders } from '../journal/entry.js';
import { RejectedRequest } from '../rules/index.js';
import { applyFaults, corruptResponse, faultResponse } from './apply-faults.js';
import { type EngineParts, type Exchange, StaleRequestError } from './exchange.js';
import type { Incoming } from './incoming.js';
import { readUnusedBody } from './input.js';
import { jsonResponse, type ResponseConstructor } from './responses.js';
import { describeUnknown, type Match, matchRoute, type OperationMatch } from './router.js';
import { runOperation } from './run-operation.js';

/**
 * A function that handles each request for an operation. It can call `respond` to run the operation, with an
 * additional fault if needed.
 */
export type Interceptor = (
  request: { operation: OperationId; params: Readonly<Record<string, string>>; headers: Headers },
  respond: (fault?: Fault) => Promise<Response>,
) => Promise<Response>;

/**
 * Handles requests from all integrations. Every request goes through the same steps, in this order: faults,
 * credential, scope, organization and records, JSON, schema, rule. The first check that fails determines the
 * response. A rejected request doesn't change the state.
 */
export class Engine {
  readonly #parts: EngineParts;
  #requests = 0;
  #generation = 0;
  #interceptor: Interceptor | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /**
   * @param Response the response class to use
   * @throws ConnectionFault if a fault breaks the connection
   * @throws the signal's reason if the request is aborted
   */
  async handle(request: Incoming, Response: ResponseConstructor = globalThis.Response): Promise<Response> {
    const { method, url } = request;
    const entry = this.#open(request);
    const headers = { [this.#parts.wire.requestIdHeader]: entry.id };
    const generation = this.#generation;
    const requireCurrent = () => {
      if (generation !== this.#generation) throw new StaleRequestError();
    };
    const start = performance.now();
    try {
      const exchange = { request, entry, headers, Response, requireCurrent };
      const match = this.#match(method, url);
      const response =
        this.#interceptor && match.kind === 'operation'
          ? await this.#interceptor(
              { operation: match.operation.id, params: match.params, headers: request.headers },
              (fault) => this.#respond(exchange, match, fault),
            )
          : await this.#respond(exchange, match);
      entry.status = response.status;
      entry.responseHeaders ??= headers;
      return response;
    } finally {
      await this.#keepBody(request, entry);
      entry.duration = performance.now() - start;
      this.#parts.journal.finish(entry);
    }
  }

  /**
   * Describes a request that doesn't match any operation. Returns undefined if the request matches one.
   */
  describeUnhandled({ method, url }: { method: string; url: string }): string | undefined {
    if (this.#match(method, url).kind === 'operation') return undefined;
    return describeUnknown(method, this.#relativePath(url) ?? pathOf(url));
  }

  /** Records a request that the server doesn't respond to. */
  recordUnhandled(request: Incoming, explanation: string): void {
    const entry = this.#open(request);
    entry.unhandled = explanation;
    this.#parts.journal.finish(entry);
  }

  /** Returns whether the path starts with the API's prefix, even if no operation matches it. */
  isBelowApi(url: string): boolean {
    const path = pathOf(url);
    const api = this.#parts.basePath + pathPrefix;
    return path.startsWith(api) && (path.length === api.length || path.charAt(api.length) === '/');
  }

  /** Makes all in-flight requests fail, because the state has been replaced. */
  abandonInFlight(): void {
    this.#generation += 1;
  }

  /**
   * Routes every request to an operation through an interceptor, which replaces any earlier one. Returns a
   * function that removes the interceptor.
   */
  intercept(interceptor: Interceptor): () => void {
    this.#interceptor = interceptor;
    return () => {
      if (this.#interceptor === interceptor) this.#interceptor = undefined;
    };
  }

  /** Saves the number of requests. Returns a function that restores it. */
  checkpoint(): () => void {
    const requests = this.#requests;
    return () => {
      this.#requests = requests;
    };
  }

  reset(): void {
    this.#requests = 0;
    this.#parts.jsonCache.clear();
  }

  async #respond(exchange: Exchange, match: Match, injected?: Fault): Promise<Response> {
    const { entry } = exchange;
    if (match.kind !== 'operation') {
      const error = this.#unmatched(exchange, match);
      entry.unhandled = error.message;
      return this.#reject(exchange, error);
    }
    entry.operation = match.operation.id;
    entry.params = match.params;
    entry.scope = match.operation.scope;
    const { faults } = this.#parts;
    const fault =
      injected || faults.any
        ? await applyFaults(this.#parts, exchange, match.operation.id, injected)
        : undefined;
    if (fault?.status !== undefined) return faultResponse(fault, this.#parts.wire, exchange);
    const response = await runOperation(this.#parts, exchange, match).catch((error: unknown) => {
      if (error instanceof RejectedRequest) return this.#reject(exchange, error);
      // Clients don't retry a request that failed with this status.
      if (error instanceof StaleRequestError) return this.#fail(exchange, 409, { message: error.message });
      throw error;
    });
    return fault ? corruptResponse(response, fault) : response;
  }

  /**
   * Records the body of a request that was rejected before its body was read, or that failed because of a
   * fault.
   */
  async #keepBody(request: Incoming, entry: JournalEntry): Promise<void> {
    if (entry.bodyText !== undefined || entry.method === 'GET' || entry.method === 'HEAD') return;
    if (entry.status >= 400 || entry.fault !== undefined) {
      entry.bodyText = await readUnusedBody(request, this.#parts.bodyLimit);
    }
  }

  #open(request: Incoming): JournalEntry {
    const { method, url } = request;
    this.#requests += 1;
    const entry: JournalEntry = {
      id: `req_${String(this.#requests).padStart(6, '0')}`,
      operation: undefined,
      method,
      url,
      params: noParams,
      query: undefined,
      credential: undefined,
      scope: undefined,
      status: 0,
      code: undefined,
      fieldErrors: undefined,
      fault: undefined,
      unhandled: undefined,
      at: this.#parts.state.clock.iso(),
      duration: 0,
      requestHeaders: retainedHeaders(request),
      responseHeaders: undefined,
      bodyText: undefined,
      responseText: undefined,
      phase: 'in_flight',
      size: 0,
    };
    this.#parts.journal.add(entry);
    return entry;
  }

  #reject(exchange: Exchange, { code, message, fieldErrors }: RejectedRequest): Response {
    const { entry, headers } = exchange;
    entry.code = code;
    entry.fieldErrors = fieldErrors;
    const { wire, behavior } = this.#parts;
    const status = behavior.statuses[code];
    if (status === 401 && wire.credential.scheme) headers['www-authenticate'] = wire.credential.scheme;
    return this.#fail(exchange, status, { message, code, ...(fieldErrors && { errors: fieldErrors }) });
  }

  #fail(exchange: Exchange, status: number, content: ErrorContent): Response {
    return jsonResponse(exchange, status, JSON.stringify(this.#parts.wire.error.encode(content, status)));
  }

  #unmatched({ entry, headers }: Exchange, match: Exclude<Match, OperationMatch>): RejectedRequest {
    if (match.kind === 'unknown') {
      return new RejectedRequest(
        'not_found',
        describeUnknown(entry.method, this.#relativePath(entry.url) ?? pathOf(entry.url)),
      );
    }
    headers.allow = match.allowed.join(', ');
    return new RejectedRequest(
      'method_not_allowed',
      `This path supports ${headers.allow}, not ${entry.method}.`,
    );
  }

  #match(method: string, url: string): Match {
    const path = this.#relativePath(url);
    return path === undefined ? { kind: 'unknown' } : matchRoute(method, path);
  }

  /** Returns a URL's path without the base path, or undefined if the URL isn't below it. */
  #relativePath(url: string): string | undefined {
    const path = pathOf(url);
    const { basePath } = this.#parts;
    return path.startsWith(basePath) ? path.slice(basePath.length) : undefined;
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});
