import {
  isApiError,
  isConnectionError,
  isRequestTimeoutError,
  type WorktrackError,
} from '../errors/index.js';
import type { CallState } from './call-state.js';

/** The statuses after which idempotent operations are retried. After 429 all operations are. */
export const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Returns the milliseconds to wait before the next attempt, or undefined if the failed attempt must not be
 * retried.
 */
export function retryDelay(call: CallState, error: WorktrackError): number | undefined {
  const { limit, maxDelay, maxRetryAfter } = call.settings.retry;
  // The extra attempt with a new credential after a 401 doesn't count.
  const retries = call.attempts - (call.rejectedToken === undefined ? 0 : 1);
  if (retries > limit || !isRetryable(call, error)) return undefined;
  if (isApiError(error) && error.retryAfter !== undefined) {
    const retryAfterMs = error.retryAfter * 1000;
    return retryAfterMs > maxRetryAfter ? undefined : retryAfterMs;
  }
  const backoff = Math.min(maxDelay, 500 * 2 ** (retries - 1));
  // Jitter keeps clients that failed together from retrying together.
  return Math.ceil(backoff * (0.5 + Math.random() / 2));
}

function isRetryable({ operation }: CallState, error: WorktrackError): boolean {
  if (isApiError(error)) {
    return error.status === 429 || (operation.idempotent && retryableStatuses.includes(error.status));
  }
  const wasLost = isConnectionError(error) || (isRequestTimeoutError(error) && error.limit === 'timeout');
  if (!wasLost) return false;
  if (error.outcome === 'not_sent') return true;
  return operation.idempotent && (error.outcome !== 'done' || operation.method === 'GET');
}
