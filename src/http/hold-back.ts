import { RateLimitError } from '../errors/index.js';
import { wait } from './interrupt.js';
import { type CallState, failure, orInterruption } from './state.js';

/** After a 429 with a time, no call of the client is sent before it. */
export interface HoldBack {
  until: number;
  /** The refusal that asked for it. */
  error?: RateLimitError;
}

/** Milliseconds; more is a mistake, such as a date in seconds, and would end the client for good. */
const longest = 3_600_000;

export function holdBack({ settings }: CallState, error: unknown): void {
  if (!(error instanceof RateLimitError) || error.retryAfter === undefined) return;
  const until = Date.now() + Math.min(error.retryAfter * 1000, longest);
  if (until > settings.shared.held.until) Object.assign(settings.shared.held, { until, error });
}

/**
 * Waits as long as the server has asked the client to.
 *
 * @throws RateLimitError at once where that is longer than the call's `maxRetryAfter` or its deadline
 */
export async function untilAllowed(call: CallState): Promise<void> {
  const { held } = call.settings.shared;
  for (;;) {
    const pause = held.until - Date.now();
    if (pause <= 0 || !held.error) return;
    if (pause > call.settings.retry.maxRetryAfter || held.until >= call.endsAt) {
      const { status, headers, body, requestId, reason, possibleReasons } = held.error;
      const retryAfter = Math.ceil(pause / 1000);
      const message = `not sent: an earlier answer (429) asks to wait ${retryAfter} seconds more`;
      throw failure(call, RateLimitError, message, {
        outcome: call.standing,
        ...{ status, headers, body, requestId, reason, possibleReasons, retryAfter },
      });
    }
    await orInterruption(call, wait(pause, call.total));
  }
}
