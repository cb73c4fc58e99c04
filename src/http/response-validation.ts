import {
  describeFieldErrors,
  type FieldErrors,
  type Operation,
  type OperationId,
  type Schema,
  validate,
} from '../contract/index.js';
import { pageInfo as pageInfoSchema } from '../contract/schemas/page.js';
import type { ResponseMismatch } from '../options.js';
import type { CallState } from './call-state.js';
import { log } from './log.js';
import { race } from './race.js';

/** Returns the contract mismatches by field, or undefined if the response matches or validation is off. */
export function findMismatches(
  operation: Operation,
  { settings }: CallState,
  { data, pageInfo }: { data: unknown; pageInfo?: unknown },
): FieldErrors | undefined {
  if (settings.responseValidation === 'off') return undefined;
  const results = [
    validate(operation.response as Schema<unknown, never>, data),
    ...(operation.paginated ? [validate(pageInfoSchema() as Schema<unknown, never>, pageInfo)] : []),
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
    const returned = policy({ operation: call.id as OperationId, fieldErrors, data });
    await race(Promise.resolve(returned), call.callLimit);
  } catch (cause) {
    throw toError(`was rejected by responseValidation: ${summary}`, cause);
  }
}

/** Lists only the first few fields, because all records on a page can have the same mismatch. */
const summarize = (fieldErrors: FieldErrors): string => describeFieldErrors(fieldErrors, 3);

function warnOnce(call: CallState, fieldErrors: FieldErrors): void {
  const { warned } = call.settings.shared;
  const fresh: FieldErrors = {};
  for (const [field, texts] of Object.entries(fieldErrors)) {
    // List indexes are replaced with `*` so that a field is logged only once for all items.
    const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
    const key = `${call.id} ${path}`;
    if (warned.has(key)) continue;
    warned.add(key);
    fresh[path] = texts;
  }
  const summary = summarize(fresh);
  if (!summary) return;
  const message = `worktrack: ${call.id}: the response doesn't match the contract: ${summary}`;
  log(call, 'warn', message, { operation: call.id, fieldErrors: fresh });
}
