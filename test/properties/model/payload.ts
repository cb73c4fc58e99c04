import type { OperationId } from 'worktrack/contract';
import { type Field, operations } from '../../support/operations.js';

/**
 * Returns the error code for an invalid body, or `undefined` for a valid body. Doesn't check rules that
 * depend on the state.
 */
export function bodyError(operation: OperationId, body: unknown): string | undefined {
  const fields = operations[operation].body;
  if (Object.keys(fields).length === 0) return undefined;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'validation_failed';
  const values = body as Record<string, unknown>;
  if (!Object.entries(fields).every(([name, field]) => isValid(field, values[name])))
    return 'validation_failed';
  if (operation === 'tickets.create' && (values.board_id === undefined) === (values.board_slug === undefined))
    return 'validation_failed';
  if (
    operation === 'notifications.send' &&
    typeof values.url === 'string' &&
    !/^\/app(\/\w*)*$/.test(values.url)
  )
    return 'invalid_url';
  return undefined;
}

/** Returns whether the specification allows a query. */
export function isValidQuery(operation: OperationId, query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).every(([name, text]) => {
    const {
      type = 'string',
      oneOf,
      minimum = 1,
      maximum = Number.POSITIVE_INFINITY,
    } = operations[operation].query[name] ?? {};
    if (type === 'integer') return /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
    return !oneOf || oneOf.includes(text);
  });
}

function isValid(field: Field, value: unknown): boolean {
  if (value === undefined) return !field.required;
  if (value === null) return Boolean(field.nullable);
  switch (field.type) {
    case 'string':
      return isString(value, field.maxLength) && (!field.oneOf || field.oneOf.includes(value));
    case 'date-time':
      return (
        typeof value === 'string' &&
        /^\d{4}-.*T.*(Z|[+-]\d\d:\d\d)$/.test(value) &&
        Boolean(Date.parse(value))
      );
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value) && (value as number) >= (field.minimum ?? Number.NEGATIVE_INFINITY);
    case 'strings':
      return (
        Array.isArray(value) &&
        value.length >= (field.minItems ?? 0) &&
        value.length <= (field.maxItems ?? Number.POSITIVE_INFINITY) &&
        value.every((item) => isString(item, field.itemMaxLength))
      );
  }
}

const isString = (value: unknown, maximum = Number.POSITIVE_INFINITY): value is string =>
  typeof value === 'string' && Array.from(value).length <= maximum;
