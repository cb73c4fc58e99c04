import { bodyField } from '../contract/field-errors.js';
import {
  type AnySchema,
  describeFieldErrors,
  type FieldErrors,
  fieldsOf,
  type Method,
  type Operation,
  validate,
} from '../contract/index.js';
import { ConfigurationError, InvalidRequestError } from '../errors/index.js';
import { definedFields } from '../shared/defined-fields.js';
import { isObject, type JsonObject } from '../shared/json.js';
import { encodePath, encodeQuery } from '../wire/index.js';
import type { BuiltRequest, RawOperation } from './call-state.js';
import type { Settings } from './settings.js';

/** The arguments of any operation, before validation. */
export interface RequestInput {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  allowUnknownFields?: boolean | undefined;
}

/**
 * Validates a call's arguments against the contract and builds its URL and body.
 *
 * @throws InvalidRequestError if the arguments are invalid (with all errors by field) or the body can't be
 * serialized as JSON
 * @throws ConfigurationError if the organization is missing
 */
export function buildRequest(
  operation: Operation,
  { params, query, body, allowUnknownFields }: RequestInput,
  settings: Settings,
): BuiltRequest {
  const { id, path, parameters, method } = operation;
  const needsOrganization = parameters.includes('organization');
  const allParams: { organization?: string } = needsOrganization
    ? { organization: settings.organization, ...params }
    : (params ?? {});
  if (needsOrganization && !allParams.organization) {
    throw new ConfigurationError(
      `${id}: organization is missing; pass it to the client or the call, or set WORKTRACK_ORGANIZATION`,
      { operation: id },
    );
  }
  const issues: [field: string, messages: string[]][] = [];
  const parsePart = (schema: AnySchema, value: unknown, rootField?: string): unknown => {
    const isOpen = allowUnknownFields && schema !== operation.params && isObject(value);
    const [known, unknown] = isOpen ? splitFields(schema, value) : [value];
    const result = validate(schema, known, rootField);
    if (unknown) for (const { field, problem } of invalidValuesIn(value)) issues.push([field, [problem]]);
    // Unknown fields are sent as is, because only the server can validate them.
    if (unknown) return { ...((result.ok ? result.value : known) as object), ...unknown };
    if (result.ok) return result.value;
    issues.push(...Object.entries(result.fieldErrors));
    return undefined;
  };
  const parsedParams = parsePart(operation.params, allParams);
  const parsedQuery =
    operation.query && parsePart(operation.query, query === undefined ? {} : query, '(query)');
  const bodySchema = (settings.defaultBoard && operation.bodyOnDefaultBoard) || operation.body;
  const hasBody = bodySchema && (body !== undefined || method !== 'DELETE');
  const payload = hasBody ? parsePart(bodySchema, body) : undefined;
  // Plain JavaScript callers may omit a required body. Validating an empty object adds the missing fields to
  // the error. If they omitted the first argument instead, the body is in its place, so it isn't missing.
  if (hasBody && body === undefined && parsedParams) parsePart(bodySchema, {});
  const invalid = (fieldErrors: FieldErrors, cause?: unknown) =>
    new InvalidRequestError(`${id}: ${describeFieldErrors(fieldErrors)}`, {
      operation: id,
      fieldErrors,
      cause,
    });
  if (issues.length) throw invalid(Object.fromEntries(issues));
  return {
    url:
      settings.baseUrl +
      encodePath(path, parsedParams as Record<string, string>) +
      queryString(parsedQuery, settings),
    body: hasBody
      ? serializeBody(payload, (problem, cause) => invalid({ [bodyField]: [problem] }, cause))
      : undefined,
  };
}

function queryString(query: unknown, { wire }: Settings): string {
  if (!query) return '';
  const { page, ...filters } = query as Record<string, unknown>;
  const text = encodeQuery({ ...filters, [wire.page.parameter]: page });
  return text && `?${text}`;
}

function splitFields(schema: AnySchema, payload: JsonObject): [known: JsonObject, unknown: JsonObject] {
  const fields = fieldsOf(schema);
  const entries = Object.entries(payload);
  const select = (isKnown: boolean) =>
    Object.fromEntries(entries.filter(([name]) => fields.has(name) === isKnown));
  return [select(true), select(false)];
}

/** The query and body of a raw request. */
export interface RawInput {
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Any value that can be serialized as JSON. */
  body?: unknown;
}

/**
 * Builds the URL and body of a request to a path that isn't in the contract.
 *
 * @throws ConfigurationError if the method is unknown, the path is outside the API, the body can't be
 * serialized as JSON, or a date is invalid
 */
export function buildRawRequest(
  { baseUrl }: Settings,
  method: Method,
  path: string,
  { query = {}, body }: RawInput,
): BuiltRequest {
  const reject = (message: string, cause?: unknown) =>
    new ConfigurationError(`${method} ${path}: ${message}`, { cause });
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) throw reject('unknown method');
  if (method === 'GET' && body !== undefined) throw reject('a GET request must not have a body');
  const url = new URL(baseUrl + path);
  // Reject paths such as `//example.com` or `/../..`, which would send the credential to another host or
  // path.
  if (!url.href.startsWith(`${baseUrl}/`)) {
    throw reject(`the path must start with "/" and stay under ${baseUrl}`);
  }
  const [invalid] = [...invalidValuesIn(query, 'query'), ...invalidValuesIn(body, 'body')];
  if (invalid) throw reject(`${invalid.field} ${invalid.problem}`);
  for (const [name, value] of Object.entries(definedFields(query))) {
    url.searchParams.append(name, String(value));
  }
  const json = serializeBody(body, (problem, cause) => reject(`the body ${problem}`, cause));
  return { url: url.href, body: json };
}

/**
 * Describes a raw request as if it were an operation in the contract. The query is removed from the path,
 * because span names and log entries must not contain it.
 */
export function rawOperation(method: Method, pathWithQuery: string): RawOperation {
  const path = `${pathWithQuery}`.replace(/[?#].*/s, '');
  return {
    id: `${method} ${path}`,
    method,
    path,
    idempotent: /GET|PUT|DELETE/.test(method),
    errorCodes: [],
    parameters: [],
    paginated: false,
    isRaw: true,
  };
}

/** The maximum nesting depth of a body. Most servers reject deeper JSON, and it could overflow the stack. */
const maxDepth = 500;

/** A value that must not be sent. */
export interface InvalidValue {
  /** The path, such as `steps.0.at`. */
  field: string;
  problem: string;
}

/**
 * Returns the values in a request that can't be sent:
 *
 * - invalid dates, because `JSON.stringify` would turn them into null, which would clear the field
 * - fields that are nested too deeply
 */
function invalidValuesIn(value: unknown, path = ''): InvalidValue[] {
  const found: InvalidValue[] = [];
  const parents: object[] = [];
  const visit = (child: unknown, field: string) => {
    if (child instanceof Date) {
      if (Number.isNaN(+child)) found.push({ field, problem: 'must be a valid date (got an invalid Date)' });
      return;
    }
    // Skip circular references, because `JSON.stringify` reports them.
    if (typeof child !== 'object' || child === null || parents.includes(child)) return;
    if (parents.length === maxDepth) {
      const [topField = field] = field.split('.', 1);
      found.push({ field: topField, problem: `must not be nested more than ${maxDepth} levels deep` });
      return;
    }
    parents.push(child);
    for (const [name, item] of Object.entries(child)) visit(item, field ? `${field}.${name}` : name);
    parents.pop();
  };
  visit(value, path);
  return found;
}

/**
 * Serializes a request body as JSON.
 *
 * @param toError creates the error to throw if the body can't be serialized, for example because it contains
 * a circular reference
 */
function serializeBody(
  body: unknown,
  toError: (problem: string, cause: unknown) => Error,
): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw toError("can't be serialized as JSON", cause);
  }
}
