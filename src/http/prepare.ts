import {
  describeFieldErrors,
  fieldsOf,
  type Operation,
  type OperationId,
  operationOf,
  type Schema,
  validate,
} from '../contract/index.js';
import { ConfigurationError, InvalidRequestError } from '../errors/index.js';
import type { Settings } from '../settings.js';
import { encodePath, encodeQuery, isObject, type JsonObject } from '../wire/index.js';

/** What a caller gave, of whatever type it is in truth. */
export interface Input {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  loose?: boolean | undefined;
}

/**
 * Checks the arguments of a call against the contract and writes its URL and body.
 *
 * @throws InvalidRequestError with every issue, by field
 * @throws ConfigurationError where the organization is named nowhere
 */
export function prepare(id: OperationId, { params, query, body, loose }: Input, settings: Settings) {
  const operation: Operation = operationOf(id);
  const { path, parameters, method } = operation;
  const ofOrganization = (parameters as readonly string[]).includes('organization');
  const { organization } = settings;
  if (ofOrganization && !organization) {
    throw new ConfigurationError(
      `${id}: organization is missing: pass it to the client or the call, or set WORKTRACK_ORGANIZATION`,
      { operation: id },
    );
  }
  const wrong: [field: string, messages: string[]][] = [];
  const check = (schema: object, value: unknown, whole?: string): unknown => {
    const [known, unknown] = loose && isObject(value) ? split(schema as AnySchema, value) : [value];
    const result = validate(schema as AnySchema, known, whole);
    if (result.ok) return unknown ? { ...(result.value as object), ...unknown } : result.value;
    wrong.push(...Object.entries(result.fieldErrors));
    return undefined;
  };
  const values = check(operation.params, ofOrganization ? { organization, ...params } : (params ?? {}));
  const search = operation.query && check(operation.query, query === undefined ? {} : query, '(query)');
  // Only a DELETE may have its body left out.
  const hasBody = operation.body && (body !== undefined || method !== 'DELETE');
  const payload = hasBody ? check(operation.body as object, body) : undefined;
  // Plain JavaScript lets a body be forgotten: its fields are what the reader has to add.
  if (hasBody && body === undefined) check(operation.body as object, {});
  if (wrong.length) {
    // Own properties whatever their names: a field can be called `__proto__`.
    const fieldErrors = Object.fromEntries(wrong);
    throw new InvalidRequestError(`${id}: ${describeFieldErrors(fieldErrors)}`, {
      operation: id,
      fieldErrors,
    });
  }
  return {
    url: settings.baseUrl + encodePath(path, values as Record<string, string>) + queryText(search, settings),
    body: hasBody ? JSON.stringify(payload) : undefined,
  };
}

function queryText(search: unknown, { wire }: Settings): string {
  if (!search) return '';
  const { page, ...filters } = search as Record<string, unknown>;
  const text = encodeQuery({ ...filters, [wire.page.parameter]: page });
  return text && `?${text}`;
}

type AnySchema = Schema<unknown, never>;

/** The fields that the schema knows, and the others. */
function split(schema: AnySchema, payload: JsonObject): [known: JsonObject, unknown: JsonObject] {
  const fields = fieldsOf(schema);
  const entries = Object.entries(payload);
  return [true, false].map((known) =>
    Object.fromEntries(entries.filter(([name]) => fields.has(name) === known)),
  ) as [JsonObject, JsonObject];
}
