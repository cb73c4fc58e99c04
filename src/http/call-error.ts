import type { ErrorContext } from '../errors/index.js';
import { type CallState, isRaw } from './call-state.js';

/**
 * Creates an error with the call's context. Credentials are redacted, except in the body, which must already have
 * been redacted with `redactBody`.
 */
export function callError<Context extends ErrorContext, Kind>(
  call: CallState,
  ErrorClass: new (message: string, context: Context) => Kind,
  message: string,
  context: Omit<Context, 'operation' | 'attempts'>,
): Kind {
  // If an earlier attempt may have performed the write, the outcome is unknown, regardless of what happened
  // later.
  const isUnknown =
    call.outcomeSoFar === 'unknown' && call.operation.method !== 'GET' && context.outcome !== 'done';
  const redacted = Object.entries(context).map(([name, value]) => [
    name,
    name === 'body' ? value : call.redactor.redact(value),
  ]);
  return new ErrorClass(call.redactor.redact(`${call.id}: ${message}`), {
    ...Object.fromEntries(redacted),
    ...(isUnknown && { outcome: 'unknown' }),
    operation: isRaw(call.operation) ? undefined : call.id,
    attempts: call.attempts,
  } as unknown as Context);
}
