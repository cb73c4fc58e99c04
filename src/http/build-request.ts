import {
  bodyField,
  describeFieldErrors,
  type FieldErrors,
  fieldsOf,
  type Operation,
  type OperationId,
  operationOf,
  type Schema,
  validate,
} from '../contract/index.js';
import { ConfigurationError, InvalidRequestError } from '../errors/index.js';
import { encodePath, encodeQuery, isObject, type JsonObject } from '../wire/index.js';
import type { BuiltRequest } from './call-state.js';
import { invalidValuesIn } from './invalid-dates.js';
import { serializeBody } from './serialize-body.js';
import type { Settings } from './settings.js';

/** A call's arguments before validation. */
export interface UncheckedInput {
  params?: object | undefined;
  query?: object | undefined;
  body?: unknown;
  loose?: boolean | undefined;
}

/**
 * Validates a call's arguments against the contract and builds its URL and body.
 *
 * @throws InvalidRequestError with all validation errors, by field, or if the body can't be serialized as JSON
 * @throws ConfigurationError if the organization is missing
 */
export function buildRequest(
  id: OperationId,
  { params, query, body, loose }: UncheckedInput,
  settings: Settings,
): BuiltRequest {
  const operation: Operation = operationOf(id);
  const { path, parameters, method } = operation;
  const { organization } = settings;
  const needsOrganization = (parameters as readonly string[]).includes('organization');
  if (needsOrganization && !organization) {
    throw new ConfigurationError(
      `${id}: organization is missing; pass it to the client or the call, or set WORKTRACK_ORGANIZATION`,
      { operation: id },
    );
  }
  const issues: [field: string, messages: string[]][] = [];
  const check = (schema: object, value: unknown, rootField?: string): unknown => {
    const isOpen = loose && schema !== operation.params && isObject(value);
    const [known, unknown] = isOpen ? splitFields(schema as AnySchema, value) : [value];
    const result = validate(schema as AnySchema, known, rootField);
    if (unknown) for (const { field, problem } of invalidValuesIn(value)) issues.push([field, [problem]]);
    // Values and combinations that aren't in the contract are left for the server to validate.
    if (unknown) return { ...((result.ok ? result.value : known) as object), ...unknown };
    if (result.ok) return result.value;
    issues.push(...Object.entries(result.fieldErrors));
    return undefined;
  };
  const checkedParams = check(
    operation.params,
    needsOrganization ? { organization, ...params } : (params ?? {}),
  );
  const checkedQuery = operation.query && check(operation.query, query === undefined ? {} : query, '(query)');
  // The body is optional only for DELETE requests.
  const hasBody = operation.body && (body !== undefined || method !== 'DELETE');
  const payload = hasBody ? check(operation.body as object, body) : undefined;
  // Plain JavaScript callers can omit the body. Validating an empty object adds the required fields to the
  // error.
  if (hasBody && body === undefined) check(operation.body as object, {});
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
      encodePath(path, checkedParams as Record<string, string>) +
      queryString(checkedQuery, settings),
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

type AnySchema = Schema<unknown, never>;

/** Splits a payload into known and unknown fields. */
function splitFields(schema: AnySchema, payload: JsonObject): [known: JsonObject, unknown: JsonObject] {
  const fields = fieldsOf(schema);
  const entries = Object.entries(payload);
  const select = (isKnown: boolean) =>
    Object.fromEntries(entries.filter(([name]) => fields.has(name) === isKnown));
  return [select(true), select(false)];
}
