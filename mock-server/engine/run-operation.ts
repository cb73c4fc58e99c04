import type { OperationId } from '../../src/contract/index.js';
import { defaultWire } from '../../src/wire/index.js';
import type { OverrideCall } from '../controls/overrides.js';
import { rules } from '../rules/index.js';
import type { PathRecords, RulePage } from '../rules/rule.js';
import type { CredentialRow } from '../state/rows.js';
import { authenticate, requireScope, resolve } from './access.js';
import type { EngineOptions, Exchange } from './exchange.js';
import { wholeRequest } from './incoming.js';
import { check, parseBody, readBody, readQuery } from './input.js';
import type { Keepable } from './record-json-cache.js';
import { jsonResponse, pageEnvelope } from './responses.js';
import type { Match } from './router.js';

const { encode: ownEncode } = defaultWire.page;

type Found = Extract<Match, { kind: 'operation' }>;

/**
 * Admits a request, checks it, and lets the operation's rule (or what overrides it) answer.
 *
 * @throws ErrorResponse at the first thing that is wrong
 */
export async function runOperation(
  options: EngineOptions,
  exchange: Exchange,
  found: Found,
): Promise<Response> {
  const { state, wire, bodyLimit, overrides, kept } = options;
  const { request, record, headers, Response } = exchange;
  const { route, params } = found;
  let [credential, records] = admit(options, exchange, found);
  let body: unknown;
  if (route.body) {
    const text = await readBody(request, bodyLimit);
    // While this waited, be it for an empty body, another request may have changed what was found.
    [credential, records] = admit(options, exchange, found);
    record.body = parseBody(text);
    body = check(route.body, record.body);
  }
  const url = route.query && new URL(record.url);
  const query = route.query && url && check(route.query, readQuery(url, route.query, wire));
  record.query = query;
  const rule = rules[route.id] as (call: unknown) => unknown;
  let result: unknown;
  const isOverridden = overrides.has(route.id);
  if (isOverridden) {
    const { id, name } = credential;
    const whole = wholeRequest(request);
    const call = { operation: route.id, params, query, body, credential: { id, name }, request: whole };
    result = await overrides.run(call as unknown as OverrideCall<OperationId>, async () => {
      const [asking, named] = admit(options, exchange, found);
      return rule({ state, credential: asking, query, body, ...named });
    });
    if (result instanceof globalThis.Response) return result;
  } else {
    result = rule({ state, credential, query, body, ...records });
  }
  const { status, paginated } = route.operation;
  if (status === 204) return new Response(null, { status, headers });
  if (!paginated || !url)
    return jsonResponse(Response, status, JSON.stringify(wire.envelope.encode(result)), headers);
  const page = result as RulePage<Keepable>;
  const envelope = pageEnvelope(wire, page, query, url);
  // What others make of the records is written as it is.
  const isOurs = !isOverridden && wire.page.encode === ownEncode;
  const answer = isOurs ? kept.page(page.items, envelope) : JSON.stringify(envelope(page.items));
  return jsonResponse(Response, status, answer, headers);
}

/** Who asks, and the records that the path names. */
function admit(
  { state, wire, scopes }: EngineOptions,
  { request, record }: Exchange,
  { route, params }: Found,
): [CredentialRow, Partial<PathRecords>] {
  const { scope } = route.operation;
  const credential = authenticate(state, wire, request.headers);
  record.credential = credential.name;
  try {
    requireScope(credential, scope);
  } catch (error) {
    scopes.refuse(scope);
    throw error;
  }
  scopes.use(credential.name, scope);
  return [credential, resolve(state, credential, params)];
}
