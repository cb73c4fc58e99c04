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
import { race } from './interrupt.js';
import { log } from './observe.js';
import type { CallState } from './state.js';

/**
 * Does what `responseValidation` says about an answer that does not fit.
 *
 * @param refuse makes the error of a call that is to end
 */
export async function applyPolicy(
  call: CallState,
  { fieldErrors, data }: Omit<ResponseMismatch, 'operation'>,
  refuse: (message: string, cause?: unknown) => Error,
): Promise<void> {
  const policy = call.settings.responseValidation;
  const said = describe(fieldErrors);
  if (policy === 'throw') throw refuse(`does not fit the contract: ${said}`);
  if (policy === 'warn') warnOnce(call, fieldErrors);
  if (typeof policy !== 'function') return;
  try {
    const told = policy({ operation: call.id as OperationId, fieldErrors, data });
    await race(Promise.resolve(told), call.total);
  } catch (cause) {
    throw refuse(`was refused by responseValidation: ${said}`, cause);
  }
}

/** What does not fit the contract, by field; undefined where all does, or nobody looks. */
export function mismatches(
  operation: Operation,
  { settings }: CallState,
  { data, pageInfo }: { data: unknown; pageInfo?: unknown },
): FieldErrors | undefined {
  if (settings.responseValidation === 'off') return undefined;
  const results = [
    validate(operation.response as Schema<unknown, never>, data),
    ...(operation.paginated ? [validate(pageInfoSchema() as Schema<unknown, never>, pageInfo)] : []),
  ];
  const wrong = results.flatMap((result) => (result.ok ? [] : Object.entries(result.fieldErrors)));
  return wrong.length ? Object.fromEntries(wrong) : undefined;
}

/** The first few: all records of a page can miss the same field. */
const describe = (fieldErrors: FieldErrors): string => describeFieldErrors(fieldErrors, 3);

function warnOnce(call: CallState, fieldErrors: FieldErrors): void {
  const { warned } = call.settings.shared;
  const fresh: FieldErrors = {};
  for (const [field, texts] of Object.entries(fieldErrors)) {
    // The same field of any item of a list is one path.
    const path = field.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
    const key = `${call.id} ${path}`;
    if (warned.has(key)) continue;
    warned.add(key);
    fresh[path] = texts;
  }
  const said = describe(fresh);
  if (!said) return;
  const message = `worktrack: ${call.id}: the answer does not fit the contract: ${said}`;
  log(call, 'warn', message, { operation: call.id, fieldErrors: fresh });
}
