import {
  isApiError,
  isConnectionError,
  isRequestTimeoutError,
  type WorktrackError,
} from '../errors/index.js';
import type { CallState } from './call-state.js';

/** Idempotent operations are retried after these statuses. All operations are retried after a 429. */
export const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Returns the delay before the next attempt in milliseconds, or undefined if the failed attempt must not be
 * retried. `prepareRetry` also checks the deadline, and retries at once if a 401 led to a new credential.
 */
export function retryDelay(call: CallState, error: WorktrackError): number | undefined {
  const { limit, maxDelay, maxRetryAfter } = call.settings.retry;
  // The extra attempt with a new credential after a 401 isn't counted as a retry.
  const nextRetry = call.attempts - (call.rejectedToken === undefined ? 0 : 1);
  if (nextRetry > limit || !isRetryable(call, error)) return undefined;
  if (isApiError(error) && error.retryAfter !== undefined) {
    const retryAfterMs = error.retryAfter * 1000;
    return retryAfterMs > maxRetryAfter ? undefined : retryAfterMs;
  }
  const backoff = Math.min(maxDelay, 500 * 2 ** (nextRetry - 1));
  // Jitter prevents clients that failed at the same time from retrying at the same time.
  return Math.ceil(backoff * (0.5 + Math.random() / 2));
}

function isRetryable({ operation }: CallState, error: WorktrackError): boolean {
  if (isApiError(error)) {
    return error.status === 429 || (operation.idempotent && retryableStatuses.includes(error.status));
  }
  const wasLost = isConnectionError(error) || (isRequestTimeoutError(error) && error.limit === 'timeout');
  if (!wasLost) return false;
  if (error.outcome === 'not_sent') return true;
  // If a successful response was cut off, the operation was performed, so only reads are repeated.
  return operation.idempotent && (error.outcome !== 'done' || operation.method === 'GET');
}
