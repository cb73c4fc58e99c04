import {
  type ConnectionContext,
  ConnectionError,
  RequestAbortedError,
  RequestTimeoutError,
  type WorktrackError,
} from '../errors/index.js';
import { quote } from '../shared/quote.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import { describeNetworkError, neverConnected } from './network-error.js';
import type { TimeLimit } from './time-limit.js';

/** How far an attempt got before it was interrupted. */
export interface Progress extends Partial<ConnectionContext> {
  attemptLimit?: TimeLimit | undefined;
}

/** Creates the error for an attempt that was aborted, timed out, or lost its connection. */
export function interruptionError(
  call: CallState,
  { attemptLimit, cause, ...progress }: Progress,
): WorktrackError {
  const { signal, deadline, timeout, baseUrl } = call.settings;
  const context = { outcome: call.outcomeSoFar, ...progress };
  if (signal?.aborted) {
    const error = callError(call, RequestAbortedError, "aborted by the caller's signal", context);
    // The cause is the caller's own object, so it isn't redacted.
    return Object.defineProperty(error, 'cause', {
      value: signal.reason,
      configurable: true,
      writable: true,
    });
  }
  const timeoutError = (limit: 'timeout' | 'deadline', milliseconds: number) =>
    callError(
      call,
      RequestTimeoutError,
      `no complete response within ${milliseconds} ms (option "${limit}")`,
      { ...context, limit, milliseconds, cause },
    );
  if (call.callLimit.aborted) return timeoutError('deadline', deadline);
  if (attemptLimit?.aborted) return timeoutError('timeout', timeout);
  const { origin, hostname } = new URL(baseUrl);
  const what = progress.status
    ? `the response from ${origin} (${progress.status}) was cut off`
    : `no response from ${origin}`;
  const hint =
    hostname.endsWith('.test') && neverConnected(cause)
      ? '; did you forget to pass "fetch: mock.fetch" to the client?'
      : '';
  return callError(
    call,
    ConnectionError,
    `${what}: ${quote(call.redactor.redact(describeNetworkError(cause)))}${hint}`,
    { ...context, cause },
  );
}

/**
 * Awaits a promise before the request is sent. If the call is interrupted first, rejects with the
 * corresponding error.
 */
export const orInterruption = <Value>(call: CallState, awaited: Promise<Value>): Promise<Value> =>
  awaited.catch((cause) => {
    throw interruptionError(call, { cause });
  });
