import { pageInfo as pageInfoSchema } from '../contract/fields.js';
import {
  type AnySchema,
  describeFieldErrors,
  type FieldErrors,
  fieldsOf,
  type Operation,
  type OperationId,
  validate,
} from '../contract/index.js';
import type { ResponseMismatch } from '../options.js';
import { race } from '../shared/abort.js';
import { isObject } from '../shared/json.js';
import type { CallState } from './call-state.js';
import { log } from './events.js';

/**
 * Compares a response with the contract. Returns the mismatches by field, or undefined if the response
 * matches or validation is off.
 */
export function findMismatches(
  operation: Operation,
  { settings }: CallState,
  { data, pageInfo }: { data: unknown; pageInfo?: unknown },
): FieldErrors | undefined {
  if (settings.responseValidation === 'off') return undefined;
  const results = [
    validate(operation.response as AnySchema, data),
    ...(operation.paginated ? [validate(pageInfoSchema() as AnySchema, pageInfo)] : []),
  ];
  const errors = results.flatMap((result) => (result.ok ? [] : Object.entries(result.fieldErrors)));
  return errors.length ? Object.fromEntries(errors) : undefined;
}

/**
 * Applies the `responseValidation` option to a response that doesn't match the contract.
 *
 * @param toError creates the error if the call must fail
 */
export async function applyResponseValidation(
  call: CallState,
  { fieldErrors, data }: Omit<ResponseMismatch, 'operation'>,
  toError: (problem: string, cause?: unknown) => Error,
): Promise<void> {
  const policy = call.settings.responseValidation;
  const summary = summarize(fieldErrors);
  if (policy === 'throw') throw toError(`doesn't match the contract: ${summary}`);
  if (policy === 'warn') warnOnce(call, fieldErrors);
  if (typeof policy !== 'function') return;
  try {
    const returned = policy({ operation: call.operation.id as OperationId, fieldErrors, data });
    await race(Promise.resolve(returned), call.callLimit);
  } catch (cause) {
    throw toError(`was rejected by responseValidation: ${summary}`, cause);
  }
}

/** Replaces missing lists with empty lists, so that code that relies on the types doesn't throw. */
export function fillMissingLists({ response }: Operation, data: unknown): void {
  for (const record of [data].flat()) {
    // Skip frozen records, which a custom `decode` function may return.
    if (!isObject(record) || !Object.isExtensible(record)) continue;
    for (const [name, type] of fieldsOf(response as AnySchema)) if (type === 'array') record[name] ??= [];
  }
}

/** Lists only the first few fields, because all records on a page can have the same mismatch. */
const summarize = (fieldErrors: FieldErrors): string => describeFieldErrors(fieldErrors, 3);

function warnOnce(call: CallState, fieldErrors: FieldErrors): void {
  const { warned } = call.settings.shared;
  const { id } = call.operation;
  const fresh: FieldErrors = {};
  for (const [field, texts] of Object.entries(fieldErrors)) {
    // Replace list indexes with `*` so that a field is logged once instead of once per item.
    const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
    const key = `${id} ${path}`;
    if (warned.has(key)) continue;
    warned.add(key);
    fresh[path] = texts;
  }
  const summary = summarize(fresh);
  if (!summary) return;
  const message = `worktrack: ${id}: the response doesn't match the contract: ${summary}`;
  log(call, 'warn', message, { operation: id, fieldErrors: fresh });
}
