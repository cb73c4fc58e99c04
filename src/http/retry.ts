import {
  isApiError,
  isConnectionError,
  isRequestTimeoutError,
  type WorktrackError,
} from '../errors/index.js';
import type { CallState } from './state.js';

/** Statuses after which what is safe to repeat is repeated; 429 alone also what is not. */
export const repeatedStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * How long to wait before the failed attempt is repeated.
 *
 * @returns milliseconds; undefined where it is not to be repeated
 */
export function waitBeforeRepeat(call: CallState, error: WorktrackError): number | undefined {
  const { limit, maxDelay, maxRetryAfter } = call.settings.retry;
  // The attempt that a 401 and a new credential added is not one of them.
  const repeats = call.attempts - (call.rejected === undefined ? 0 : 1);
  if (repeats > limit || !mayRepeat(call, error)) return undefined;
  if (isApiError(error) && error.retryAfter !== undefined) {
    const asked = error.retryAfter * 1000;
    return asked > maxRetryAfter ? undefined : asked;
  }
  const backoff = Math.min(maxDelay, 500 * 2 ** (repeats - 1));
  // Clients that failed together must not come back together.
  return Math.ceil(backoff * (0.5 + Math.random() / 2));
}

function mayRepeat({ operation }: CallState, error: WorktrackError): boolean {
  if (isApiError(error)) {
    return error.status === 429 || (operation.idempotent && repeatedStatuses.includes(error.status));
  }
  const lost = isConnectionError(error) || (isRequestTimeoutError(error) && error.limit === 'timeout');
  if (!lost) return false;
  if (error.outcome === 'not_sent') return true;
  return operation.idempotent && (error.outcome !== 'done' || operation.method === 'GET');
}
