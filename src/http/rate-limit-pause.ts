import { RateLimitError } from '../errors/index.js';
import { now } from '../shared/now.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import { emit } from './events.js';
import { orInterruption } from './interruption-error.js';
import { delay } from './race.js';
import type { RateLimitPause } from './settings.js';

/**
 * In milliseconds. A longer `Retry-After` is probably a server bug, such as a timestamp instead of a number
 * of seconds.
 */
const longestPause = 3_600_000;

/** Pauses all calls with the same credential if the error is a 429 with `Retry-After`. */
export function pauseAfter({ settings, token }: CallState, error: unknown): void {
  if (!(error instanceof RateLimitError) || error.retryAfter === undefined || token === undefined) return;
  const { pauses } = settings.shared;
  const until = now() + Math.min(error.retryAfter * 1000, longestPause);
  if (until <= (pauses.get(token)?.until ?? 0)) return;
  for (const [other, pause] of pauses) if (pause.until <= now()) pauses.delete(other);
  pauses.set(token, { until, error });
}

/** Returns the pause for the call's credential, unless the call has already waited for its end. */
export function currentPause({ settings, token = '', waitedUntil }: CallState): RateLimitPause | undefined {
  const pause = settings.shared.pauses.get(token);
  return pause && pause.until > Math.max(now(), waitedUntil) ? pause : undefined;
}

/**
 * Waits until the pause is over.
 *
 * @throws RateLimitError immediately if the call must not wait, the pause is longer than `maxRetryAfter`, or
 * it ends after the deadline
 */
export async function waitForPause(call: CallState, { until, error }: RateLimitPause): Promise<void> {
  const { retry, waitForRateLimit = retry.limit > 0 } = call.settings;
  const remaining = until - now();
  if (!waitForRateLimit || remaining > retry.maxRetryAfter || until >= call.deadlineAt) {
    call.mustFail = true;
    throw notSentError(call, error, remaining);
  }
  await emit(call, 'pause', () => ({ error, delayMs: Math.ceil(remaining) }));
  await orInterruption(call, delay(until - now(), call.callLimit));
  call.waitedUntil = until;
}

function notSentError(call: CallState, cause: RateLimitError, remaining: number): RateLimitError {
  const { status, headers, body, requestId, reason, possibleReasons } = cause;
  const retryAfter = Math.ceil(remaining / 1000);
  const message = `not sent: rate-limited for ${retryAfter} s after an earlier 429`;
  return callError(call, RateLimitError, message, {
    outcome: call.outcomeSoFar,
    ...{ status, headers, body, requestId, reason, possibleReasons, retryAfter },
  });
}
