import type { OperationId } from '../../src/contract/index.js';
import { pathPrefix } from '../../src/wire/index.js';
import type { Fault } from '../faults/fault.js';
import { type JournalEntry, pathOf, retainedHeaders } from '../journal/entry.js';
import { ErrorResponse } from '../rules/index.js';
import { applyFaults, corruptResponse, faultResponse } from './apply-faults.js';
import { type EngineOptions, type Exchange, StaleRequestError } from './exchange.js';
import type { Incoming } from './incoming.js';
import { readUnusedBody } from './input.js';
import { buildErrorResponse, buildStaleResponse, type ResponseConstructor } from './responses.js';
import { describeUnknown, type Match, matchRoute } from './router.js';
import { runOperation } from './run-operation.js';

/** Handles each request for an operation. `respond` runs the operation with an additional fault. */
export type Interceptor = (
  request: { operation: OperationId; params: Readonly<Record<string, string>>; headers: Headers },
  respond: (fault?: Fault) => Promise<Response>,
) => Promise<Response>;

/**
 * Handles requests from all integrations. Every operation goes through the same steps: fault, credential,
 * scope, organization or record, JSON, schema, rule. The first check that fails determines the response. A
 * rejected request doesn't change the state.
 */
export class Engine {
  readonly #options: EngineOptions;
  #requests = 0;
  #generation = 0;
  #interceptor: Interceptor | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /**
   * @param Response the response class to use
   * @throws ConnectionFault if a fault breaks the connection
   * @throws the signal's reason if the request is aborted
   */
  async handle(request: Incoming, Response: ResponseConstructor = globalThis.Response): Promise<Response> {
    const { method, url } = request;
    const record = this.#open(request);
    const headers = { [this.#options.wire.requestIdHeader]: record.id };
    const generation = this.#generation;
    const requireCurrent = () => {
      if (generation !== this.#generation) throw new StaleRequestError();
    };
    const start = performance.now();
    try {
      const exchange = { request, record, headers, Response, requireCurrent };
      const match = this.#match(method, url);
      const response =
        this.#interceptor && match.kind === 'operation'
          ? await this.#interceptor(
              { operation: match.operation.id, params: match.params, headers: request.headers },
              (fault) => this.#respond(exchange, match, fault),
            )
          : await this.#respond(exchange, match);
      record.status = response.status;
      record.responseHeaders ??= headers;
      return response;
    } finally {
      await this.#keepBody(request, record);
      record.duration = performance.now() - start;
      this.#options.journal.finish(record);
    }
  }

  /**
   * Describes a request that doesn't match any operation. Returns undefined if the request matches one.
   */
  unhandled({ method, url }: { method: string; url: string }): string | undefined {
    if (this.#match(method, url).kind === 'operation') return undefined;
    return describeUnknown(method, this.#pathOf(url));
  }

  /** Records a request to which the server doesn't respond. */
  recordUnhandled(request: Incoming, explanation: string): void {
    const record = this.#open(request);
    record.unhandled = explanation;
    this.#options.journal.finish(record);
  }

  /** Returns whether the path starts with the API's prefix, even if no operation matches it. */
  isBelowApi(url: string): boolean {
    const path = pathOf(url);
    const api = this.#options.basePath + pathPrefix;
    return path.startsWith(api) && (path.length === api.length || path.charAt(api.length) === '/');
  }

  /** Fails in-flight requests after the state has been replaced. */
  abandonInFlight(): void {
    this.#generation += 1;
  }

  /** Passes all requests for operations through a function. Returns a function that removes it. */
  intercept(interceptor: Interceptor): () => void {
    this.#interceptor = interceptor;
    return () => {
      this.#interceptor = undefined;
    };
  }

  /** Saves the number of requests. Returns a function that restores it. */
  capture(): () => void {
    const requests = this.#requests;
    return () => {
      this.#requests = requests;
    };
  }

  reset(): void {
    this.#requests = 0;
    this.#options.jsonCache.clear();
  }

  async #respond(exchange: Exchange, match: Match, injected?: Fault): Promise<Response> {
    const { record } = exchange;
    if (match.kind !== 'operation') {
      const error = this.#unmatched(exchange, match);
      record.unhandled = error.message;
      return this.#reject(exchange, error);
    }
    record.operation = match.operation.id;
    record.params = match.params;
    record.scope = match.operation.scope;
    const { faults, wire } = this.#options;
    const fault =
      injected || faults.any
        ? await applyFaults(this.#options, exchange, match.operation.id, injected)
        : undefined;
    if (fault?.status !== undefined) return faultResponse(fault, wire, exchange);
    const response = await runOperation(this.#options, exchange, match).catch((error: unknown) => {
      if (error instanceof ErrorResponse) return this.#reject(exchange, error);
      if (error instanceof StaleRequestError) {
        return buildStaleResponse(exchange, error, wire);
      }
      throw error;
    });
    return fault ? corruptResponse(response, fault) : response;
  }

  /** Records the body of a request that was rejected, or broken by a fault, before its body was read. */
  async #keepBody(request: Incoming, record: JournalEntry): Promise<void> {
    if (record.bodyText !== undefined || record.method === 'GET' || record.method === 'HEAD') return;
    if (record.status >= 400 || record.fault !== undefined) {
      record.bodyText = await readUnusedBody(request, this.#options.bodyLimit);
    }
  }

  #open(request: Incoming): JournalEntry {
    const { method, url } = request;
    this.#requests += 1;
    const record: JournalEntry = {
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
      at: this.#options.state.clock.iso(),
      duration: 0,
      requestHeaders: retainedHeaders(request),
      responseHeaders: undefined,
      bodyText: undefined,
      responseText: undefined,
      size: 0,
    };
    this.#options.journal.add(record);
    return record;
  }

  #reject(exchange: Exchange, error: ErrorResponse): Response {
    const { record } = exchange;
    record.code = error.code;
    record.fieldErrors = error.fieldErrors;
    const { wire, behavior } = this.#options;
    return buildErrorResponse(exchange, error, wire, behavior.statuses);
  }

  #unmatched({ record, headers }: Exchange, match: Exclude<Match, { kind: 'operation' }>): ErrorResponse {
    if (match.kind === 'unknown') {
      return new ErrorResponse('not_found', describeUnknown(record.method, this.#pathOf(record.url)));
    }
    headers.allow = match.allowed.join(', ');
    return new ErrorResponse(
      'method_not_allowed',
      `This path supports ${headers.allow}, not ${record.method}.`,
    );
  }

  #match(method: string, url: string): Match {
    const path = pathOf(url);
    const { basePath } = this.#options;
    return path.startsWith(basePath) ? matchRoute(method, path.slice(basePath.length)) : { kind: 'unknown' };
  }

  /** Returns a URL's path without the base path. */
  #pathOf(url: string): string {
    const path = pathOf(url);
    const { basePath } = this.#options;
    return path.startsWith(basePath) ? path.slice(basePath.length) : path;
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze({});
