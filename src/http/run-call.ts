import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  RequestTimeoutError,
  WorktrackError,
} from '../errors/index.js';
import { delay, TimeLimit } from '../shared/abort.js';
import { Redactor } from '../shared/redact.js';
import { callError, interruptionError, orInterruption } from './call-errors.js';
import type { CallPlan, CallState } from './call-state.js';
import { type Credential, getCredential, renewToken } from './credential.js';
import { emit } from './events.js';
import { type ReceivedResponse, readResponse } from './read-response.js';
import type { EndTurn, RequestQueue } from './request-queue.js';
import { sendRequest } from './send-request.js';
import type { RateLimitPause, Settings } from './settings.js';

/** Makes attempts until the call succeeds, fails, or exceeds its total timeout. */
export async function runCall(settings: Settings, plan: CallPlan): Promise<ReceivedResponse> {
  const call = createCall(settings, plan);
  try {
    for (;;) {
      try {
        return await attempt(call);
      } catch (error) {
        if (!(error instanceof WorktrackError) || call.cannotRetry) throw error;
        await prepareRetry(call, error);
      }
    }
  } catch (error) {
    if (error instanceof WorktrackError)
      await emit(call, 'error', () => describeFailure(error, call.startedAt));
    throw error;
  } finally {
    call.callLimit.close();
  }
}

/** Waits until the request can be sent, sends it once, and reads the response. */
async function attempt(call: CallState): Promise<ReceivedResponse> {
  const { queue } = call.settings.shared;
  for (;;) {
    const credential = await getCredential(call);
    if (call.callLimit.aborted) throw interruptionError(call, {});
    let pause = currentPause(call);
    if (!pause) {
      if (!queue) return await exchange(call, credential);
      const endTurn = await takeTurn(call, queue, credential);
      // If the call was paused or aborted while it was waiting, the next iteration handles that.
      pause = currentPause(call);
      const canStart = !pause && !call.callLimit.aborted;
      try {
        if (canStart) return await exchange(call, credential);
      } finally {
        endTurn(canStart);
      }
    }
    if (pause) await waitForPause(call, pause);
  }
}

/**
 * Waits for the throttle.
 *
 * @throws RateLimitError immediately if the call must not wait, or can't be sent before the total timeout
 * expires
 */
async function takeTurn(call: CallState, queue: RequestQueue, { token }: Credential): Promise<EndTurn> {
  // Calls with `retry: 0` also wait for the throttle. Unlike a rate-limit pause, this wait doesn't use up an
  // attempt.
  const { waitForRateLimit = true } = call.settings;
  const wait = queue.waitFor(token);
  if (
    wait?.delayMs !== undefined &&
    (!waitForRateLimit || performance.now() + wait.delayMs >= call.deadlineAt)
  ) {
    throw notSent(
      call,
      wait.delayMs,
      (seconds) => `option "throttle" (${wait.reason}) would delay the request by ${seconds} s`,
      { code: 'throttled', status: 429, headers: new Headers(), body: undefined },
    );
  }
  const turn = orInterruption(call, queue.enter(token, call.callLimit));
  if (wait) {
    const { reason, delayMs } = wait;
    await Promise.all([
      turn,
      emit(call, 'pause', () => ({ reason, error: undefined, delayMs: delayMs && Math.ceil(delayMs) })),
    ]);
  }
  return turn;
}

/** Sends the request and reads the response, both within the attempt's timeout. */
async function exchange(call: CallState, credential: Credential): Promise<ReceivedResponse> {
  const attemptLimit = new TimeLimit(call.settings.timeout, call.callLimit);
  try {
    const response = await sendRequest(call, attemptLimit, credential);
    return await readResponse(call, attemptLimit, response);
  } finally {
    attemptLimit.close();
  }
}

function createCall(settings: Settings, { operation, request }: CallPlan): CallState {
  const startedAt = performance.now();
  return {
    operation,
    request,
    settings,
    key: {},
    redactor: new Redactor(settings.shared.secrets),
    callLimit: new TimeLimit(settings.totalTimeout, settings.signal),
    startedAt,
    deadlineAt: startedAt + settings.totalTimeout,
    attemptStartedAt: startedAt,
    attempts: 0,
    outcomeSoFar: 'not_sent',
    waitedUntil: startedAt,
    cannotRetry: false,
    token: undefined,
    rejectedToken: undefined,
  };
}

/** @throws the given error if the attempt must not be retried */
async function prepareRetry(call: CallState, error: WorktrackError): Promise<void> {
  call.outcomeSoFar = error.outcome;
  pauseAfter(call, error);
  const hasNewToken = error instanceof AuthenticationError && (await renewToken(call));
  const delayMs = hasNewToken ? 0 : retryDelay(call, error);
  if (delayMs === undefined || performance.now() + delayMs >= call.deadlineAt) throw error;
  await emit(call, 'retry', () => ({ ...describeFailure(error, call.attemptStartedAt), delayMs }));
  call.waitedUntil = performance.now() + delayMs;
  await orInterruption(call, delay(delayMs, call.callLimit));
}

const describeFailure = (error: WorktrackError, since: number) => ({
  error,
  status: (error as { status?: number }).status,
  requestId: error.requestId,
  durationMs: Math.round(performance.now() - since),
});

/** Statuses after which idempotent operations are retried. All operations are retried after a 429. */
export const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Returns the delay before the next attempt in milliseconds, or undefined if the failed attempt must not be
 * retried. `prepareRetry` also checks the total timeout, and retries immediately if a 401 led to a new
 * credential.
 */
function retryDelay(call: CallState, error: WorktrackError): number | undefined {
  const { limit, maxDelay, maxRetryAfter } = call.settings.retry;
  // After a 401, the extra attempt with a new credential doesn't count as a retry.
  const nextRetry = call.attempts - (call.rejectedToken === undefined ? 0 : 1);
  if (nextRetry > limit || !isRetryable(call, error)) return undefined;
  if (error instanceof ApiError && error.retryAfter !== undefined) {
    const retryAfterMs = error.retryAfter * 1000;
    return retryAfterMs > maxRetryAfter ? undefined : retryAfterMs;
  }
  const backoff = Math.min(maxDelay, 500 * 2 ** (nextRetry - 1));
  // Jitter prevents clients that failed at the same time from retrying at the same time.
  return Math.ceil(backoff * (0.5 + Math.random() / 2));
}

function isRetryable({ operation }: CallState, error: WorktrackError): boolean {
  if (error instanceof ApiError) {
    return error.status === 429 || (operation.idempotent && retryableStatuses.includes(error.status));
  }
  const wasLost =
    error instanceof ConnectionError || (error instanceof RequestTimeoutError && error.limit === 'timeout');
  if (!wasLost) return false;
  if (error.outcome === 'not_sent') return true;
  // If a successful response was cut off, the server has performed the operation, so only reads are retried.
  return operation.idempotent && (error.outcome !== 'done' || operation.method === 'GET');
}

/**
 * The longest pause, in milliseconds. A longer `Retry-After` is probably a server bug, such as a timestamp
 * instead of a number of seconds.
 */
const longestPause = 3_600_000;

/** Pauses all calls with the same credential if the error is a 429 with `Retry-After`. */
function pauseAfter({ settings, token }: CallState, error: unknown): void {
  if (!(error instanceof RateLimitError) || error.retryAfter === undefined || token === undefined) return;
  const { pauses } = settings.shared;
  const until = performance.now() + Math.min(error.retryAfter * 1000, longestPause);
  if (until <= (pauses.get(token)?.until ?? 0)) return;
  for (const [other, pause] of pauses) if (pause.until <= performance.now()) pauses.delete(other);
  pauses.set(token, { until, error });
}

/** Returns the pause for the call's credential, unless the call has already waited for it to end. */
function currentPause({ settings, token = '', waitedUntil }: CallState): RateLimitPause | undefined {
  const pause = settings.shared.pauses.get(token);
  return pause && pause.until > Math.max(performance.now(), waitedUntil) ? pause : undefined;
}

/**
 * Waits until the pause is over.
 *
 * @throws RateLimitError immediately if the call must not wait, the pause is longer than `maxRetryAfter`, or
 * it ends after the total timeout expires
 */
async function waitForPause(call: CallState, { until, error }: RateLimitPause): Promise<void> {
  const { retry, waitForRateLimit = retry.limit > 0 } = call.settings;
  const remaining = until - performance.now();
  if (!waitForRateLimit || remaining > retry.maxRetryAfter || until >= call.deadlineAt) {
    // The spread copies what the server sent with the earlier 429, such as its code. It omits the headers and
    // the body, which aren't enumerable, and the error class's default code, which is on the prototype.
    const { headers, body } = error;
    throw notSent(call, remaining, (seconds) => `rate-limited for ${seconds} s after an earlier 429`, {
      ...error,
      headers,
      body,
    });
  }
  await emit(call, 'pause', () => ({ reason: 'rateLimit' as const, error, delayMs: Math.ceil(remaining) }));
  await orInterruption(call, delay(until - performance.now(), call.callLimit));
  call.waitedUntil = until;
}

/** Creates the error for a call that must not wait for `delayMs`, and prevents retries. */
function notSent(
  call: CallState,
  delayMs: number,
  describe: (seconds: number) => string,
  context: Pick<RateLimitError, 'code' | 'status' | 'headers' | 'body'>,
): RateLimitError {
  call.cannotRetry = true;
  const retryAfter = Math.ceil(delayMs / 1000);
  return callError(call, RateLimitError, `not sent: ${describe(retryAfter)}`, {
    ...context,
    retryAfter,
    outcome: call.outcomeSoFar,
  });
}
