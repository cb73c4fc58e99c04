import { RateLimitError } from '../errors/index.js';
import { now } from '../shared/now.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import { orInterruption } from './interruption-error.js';
import { delay } from './race.js';

/** Milliseconds. A longer pause is a mistake of the server, such as a timestamp, and would stop the client for good. */
const longestPause = 3_600_000;

/** Pauses all calls of the client if the error is a 429 that says for how long. */
export function pauseAfter({ settings }: CallState, error: unknown): void {
  if (!(error instanceof RateLimitError) || error.retryAfter === undefined) return;
  const { pause } = settings.shared;
  const until = now() + Math.min(error.retryAfter * 1000, longestPause);
  if (until > pause.until) Object.assign(pause, { until, error });
}

/**
 * Waits until the rate-limit pause is over.
 *
 * @throws RateLimitError immediately if the pause is longer than the call's `maxRetryAfter` or ends after its
 * deadline
 */
export async function waitForPause(call: CallState): Promise<void> {
  const { pause } = call.settings.shared;
  for (;;) {
    const remaining = pause.until - now();
    if (remaining <= 0 || !pause.error) return;
    if (remaining > call.settings.retry.maxRetryAfter || pause.until >= call.deadlineAt) {
      throw notSentError(call, pause.error, remaining);
    }
    await orInterruption(call, delay(remaining, call.callLimit));
  }
}

function notSentError(call: CallState, cause: RateLimitError, remaining: number): RateLimitError {
  const { status, headers, body, requestId, reason, possibleReasons } = cause;
  const retryAfter = Math.ceil(remaining / 1000);
  const message = `not sent: an earlier response (429) asks clients to wait ${retryAfter} more seconds`;
  return callError(call, RateLimitError, message, {
    outcome: call.outcomeSoFar,
    ...{ status, headers, body, requestId, reason, possibleReasons, retryAfter },
  });
}
