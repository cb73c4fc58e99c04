import type { Operation, OperationId, Scope } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import { decodeCredential, defaultWire, type WireFormat } from '../../src/wire/index.js';
import type { OverrideCall } from '../controls/overrides.js';
import { RejectedRequest, withDefaults } from '../rules/index.js';
import type { PathRecords, RulePage } from '../rules/rule.js';
import { findLive, projectOf } from '../state/live.js';
import type { CredentialRow, OrganizationRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { EngineParts, Exchange } from './exchange.js';
import { requestOf } from './incoming.js';
import { checkPayload, parseBody, readBody, readQuery } from './input.js';
import type { CacheableRecord } from './record-json-cache.js';
import { journalBody, jsonResponse, pageEnvelope } from './responses.js';
import type { OperationMatch } from './router.js';

const { encode: defaultPageEncoder } = defaultWire.page;

/**
 * Authorizes and validates a request, then runs the operation's rule or its overrides.
 *
 * @throws RejectedRequest if a check fails
 */
export async function runOperation(
  parts: EngineParts,
  exchange: Exchange,
  match: OperationMatch,
): Promise<Response> {
  const { state, wire, behavior, bodyLimit, overrides } = parts;
  const { request, entry, requireCurrent } = exchange;
  const { operation } = match;
  requireCurrent();
  let [credential, records] = authorize(parts, exchange, match);
  let body: unknown;
  if (operation.body) {
    const text = await readBody(request, bodyLimit);
    // Check again, because reading the body is asynchronous, and another request may have changed the records
    // in the meantime.
    requireCurrent();
    [credential, records] = authorize(parts, exchange, match);
    entry.bodyText = text;
    const payload = withDefaults(operation.id, state, records, parseBody(text));
    body = checkPayload(operation.body, payload, behavior.unknownFields);
  }
  const url = operation.query && new URL(entry.url);
  const query =
    operation.query && url && checkPayload(operation.query, readQuery(url, operation.query, wire));
  entry.query = query;
  const call = { state, credential, query, body, ...records };
  const isOverridden = overrides.has(operation.id);
  const result = isOverridden
    ? await runOverridden(parts, exchange, match, call)
    : (behavior.rules[operation.id] as AnyRule)(call);
  return respondWith(parts, exchange, { operation, url, isOverridden }, result);
}

/** Any operation's rule. Its arguments match the operation, because they were validated. */
type AnyRule = (call: object) => unknown;

/** Runs the operation's overrides, which can run its rule. */
async function runOverridden(
  parts: EngineParts,
  exchange: Exchange,
  match: OperationMatch,
  call: { credential: CredentialRow; query: unknown; body: unknown },
): Promise<unknown> {
  const { operation, params } = match;
  const { query, body, credential } = call;
  const { id, name } = credential;
  const request = requestOf(exchange.request);
  const overridden = { operation: operation.id, params, query, body, credential: { id, name }, request };
  const result = await parts.overrides.run(overridden as unknown as OverrideCall<OperationId>, async () => {
    exchange.requireCurrent();
    // The override may have changed the state before it called `next`.
    const [credential, records] = authorize(parts, exchange, match);
    return (parts.behavior.rules[operation.id] as AnyRule)({ ...call, credential, ...records });
  });
  exchange.requireCurrent();
  return result;
}

/** Builds the response for the result of a rule or an override. */
function respondWith(
  { wire, journal, jsonCache }: EngineParts,
  exchange: Exchange,
  { operation, url, isOverridden }: { operation: Operation; url: URL | undefined; isOverridden: boolean },
  result: unknown,
): Response {
  const { entry, headers } = exchange;
  if (isOverridden && result instanceof globalThis.Response) {
    entry.responseHeaders = result.headers;
    return journalBody(result, (bytes) => journal.addResponseBody(entry, bytes));
  }
  const { status, paginated } = operation;
  if (status === 204) return new exchange.Response(null, { status, headers });
  if (!paginated || !url) {
    return jsonResponse(exchange, status, JSON.stringify(wire.envelope.encode(result)));
  }
  const page = result as RulePage<CacheableRecord>;
  const envelope = pageEnvelope(wire, page, entry.query, url);
  // The cache supports only records that the server itself built and the default page format.
  const isCacheable = !isOverridden && wire.page.encode === defaultPageEncoder;
  const json = isCacheable ? jsonCache.page(page.items, envelope) : JSON.stringify(envelope(page.items));
  return jsonResponse(exchange, status, json);
}

/** Authorizes a request and finds the records in its path. */
function authorize(
  { state, authenticate, scopes }: EngineParts,
  { request, entry }: Exchange,
  { operation: { scope }, params }: OperationMatch,
): [CredentialRow, Partial<PathRecords>] {
  const credential = authenticate(request.headers);
  entry.credential = credential.name;
  try {
    requireScope(credential, scope);
  } catch (error) {
    scopes.recordMissing(scope);
    throw error;
  }
  scopes.use(credential.name, scope);
  return [credential, findPathRecords(state, credential, params)];
}

/** @throws RejectedRequest `invalid_credential` (401) if the credential is missing or unknown */
export function authenticate(state: State, wire: WireFormat, headers: Headers): CredentialRow {
  const token = decodeCredential(wire.credential, headers);
  if (token === undefined) {
    const { header, scheme } = wire.credential;
    throw new RejectedRequest(
      'invalid_credential',
      `Missing credential. Send ${header}: ${scheme} <token>.`.replace('  ', ' '),
    );
  }
  const credential = state.credentials.get(token);
  if (!credential) throw new RejectedRequest('invalid_credential', 'The credential is invalid.');
  return credential;
}

/** @throws RejectedRequest `missing_scope` (403) if the credential lacks the scope */
function requireScope({ name, scopes }: CredentialRow, scope: Scope): void {
  if (scopes.has(scope)) return;
  throw new RejectedRequest(
    'missing_scope',
    `The credential ${JSON.stringify(name)} lacks the ${scope} scope.`,
  );
}

/**
 * Finds the records that the path parameters refer to.
 *
 * @throws RejectedRequest `not_found` (404) if a record, its project, or its board is unknown or deleted
 * @throws RejectedRequest `wrong_organization` (403) if a record belongs to another organization
 */
function findPathRecords(
  state: State,
  { organization_id }: CredentialRow,
  params: Readonly<Record<string, string>>,
): Partial<PathRecords> {
  const records: Partial<PathRecords> = {};
  for (const name of Object.keys(params) as (keyof PathRecords)[]) {
    const id = params[name] as string;
    if (name === 'organization') {
      // An unknown ID results in the same error, so the response doesn't reveal whether an organization
      // exists.
      if (id !== organization_id) throw wrongOrganization();
      records.organization = state.organizations.get(id) as OrganizationRow;
      continue;
    }
    const row = findLive[name](state, id);
    if (!row) throw new RejectedRequest('not_found', `No ${name} has the ID ${inQuotes(id)}.`);
    const owner = 'organization_id' in row ? row : projectOf(state, row);
    if (owner.organization_id !== organization_id) throw wrongOrganization();
    (records as Record<string, unknown>)[name] = row;
  }
  return records;
}

const wrongOrganization = () =>
  new RejectedRequest('wrong_organization', 'The credential belongs to another organization.');
