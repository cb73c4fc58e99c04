import { defaultPerPage, failureCodes, type PageFigures } from '../../src/contract/index.js';
import type { ErrorContent, Wire } from '../../src/wire/index.js';
import { Refusal, rules } from '../rules/index.js';
import type { RulePage } from '../rules/rule.js';
import type { State } from '../state/state.js';
import { authenticate, requireScope, resolve } from './access.js';
import { check, parseBody, readBody, readQuery } from './input.js';
import { type Match, matchRoute, type Route } from './router.js';

export interface EngineOptions {
  state: State;
  wire: Wire;
  /** Part of the path before `/api/v1`; empty where there is none. */
  basePath: string;
  /** Bytes a body may have. */
  bodyLimit: number;
}

/**
 * The server without a face: from a request to its answer, in one order for all operations.
 * Credential, scope, organization or record, JSON, schema, rule; whichever refuses first answers,
 * and what a refused request would have changed is as it was.
 */
export class Engine {
  readonly #options: EngineOptions;
  #requests = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  async handle(request: Request): Promise<Response> {
    this.#requests += 1;
    const headers: Record<string, string> = {
      [this.#options.wire.requestIdHeader]: `req_${String(this.#requests).padStart(6, '0')}`,
    };
    try {
      const { url } = request;
      const match = this.#match(request.method, url);
      if (match.kind !== 'operation') throw refuseMatch(match, headers);
      return await this.#answer(request, url, match, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refusal(error, headers);
    }
  }

  reset(): void {
    this.#requests = 0;
  }

  #match(method: string, url: string): Match {
    const path = pathOf(url);
    const { basePath } = this.#options;
    return path.startsWith(basePath) ? matchRoute(method, path.slice(basePath.length)) : { kind: 'unknown' };
  }

  async #answer(
    request: Request,
    address: string,
    { route, params }: Extract<Match, { kind: 'operation' }>,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { state, wire, bodyLimit } = this.#options;
    const { operation } = route;
    const credential = this.#admit(request, route);
    let subjects = resolve(state, credential, params);
    let body: unknown;
    if (route.body) {
      const text = await readBody(request, bodyLimit);
      // While the body came in, another request may have changed what was resolved.
      if (text !== '') subjects = resolve(state, this.#admit(request, route), params);
      body = check(route.body, parseBody(text));
    }
    const url = route.query && new URL(address);
    const query = route.query && url && check(route.query, readQuery(url, route.query, wire));
    const rule = rules[route.id] as (call: unknown) => unknown;
    const result = rule({ state, credential, query, body, ...subjects });
    if (operation.status === 204) return new Response(null, { status: 204, headers });
    const content =
      operation.paginated && url
        ? encodePage(wire, result as RulePage<unknown>, query as { page?: number; per_page?: number }, url)
        : wire.envelope.encode(result);
    return json(operation.status, content, headers);
  }

  #admit(request: Request, { operation }: Route) {
    const { state, wire } = this.#options;
    const credential = authenticate(state, wire, request.headers);
    requireScope(credential, operation.scope);
    return credential;
  }

  #refusal({ code, message, fieldErrors }: Refusal, headers: Record<string, string>): Response {
    const { wire } = this.#options;
    const status = failureCodes[code];
    if (status === 401 && wire.credential.scheme) headers['www-authenticate'] = wire.credential.scheme;
    const content: ErrorContent = { message, code, ...(fieldErrors && { errors: fieldErrors }) };
    return json(status, wire.error.encode(content), headers);
  }
}

function encodePage(
  wire: Wire,
  { items, total }: RulePage<unknown>,
  { page = 1, per_page = defaultPerPage }: { page?: number; per_page?: number },
  url: URL,
): unknown {
  const from = (page - 1) * per_page;
  const figures: PageFigures = {
    current_page: page,
    per_page,
    last_page: Math.max(1, Math.ceil(total / per_page)),
    total,
    from: items.length === 0 ? null : from + 1,
    to: items.length === 0 ? null : from + items.length,
  };
  return wire.page.encode(items, figures, url);
}

function json(status: number, content: unknown, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json';
  return new Response(JSON.stringify(content), { status, headers });
}

/** The path of an absolute URL, without building a URL object for it. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?', start);
  const end = query < 0 ? url.indexOf('#', start) : query;
  return url.slice(start, end < 0 ? undefined : end);
}

function refuseMatch(match: Exclude<Match, { kind: 'operation' }>, headers: Record<string, string>): Refusal {
  if (match.kind === 'unknown') return new Refusal('not_found', 'No operation has this path.');
  headers.allow = match.allowed.join(', ');
  return new Refusal('method_not_allowed', `This path takes ${match.allowed.join(', ')}.`);
}
