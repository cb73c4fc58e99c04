import { AuthenticationError, isWorktrackError, type WorktrackError } from '../errors/index.js';
import { now } from '../shared/now.js';
import type { ReadResponse } from './api-promise.js';
import { attempt } from './attempt.js';
import type { CallState } from './call-state.js';
import { renewToken } from './credential.js';
import { emit } from './events.js';
import { orInterruption } from './interruption-error.js';
import { delay } from './race.js';
import { pauseAfter } from './rate-limit-pause.js';
import { retryDelay } from './retry-policy.js';

/** Makes attempts until the call succeeds, fails, or reaches its deadline. */
export async function runCall(call: CallState): Promise<ReadResponse> {
  try {
    for (;;) {
      try {
        return await attempt(call);
      } catch (error) {
        if (!isWorktrackError(error) || call.mustFail) throw error;
        await prepareRetry(call, error);
      }
    }
  } catch (error) {
    if (isWorktrackError(error)) await emit(call, 'error', () => describeFailure(error, call.startedAt));
    throw error;
  } finally {
    call.callLimit.close();
  }
}

/** @throws the given error if the attempt must not be retried */
async function prepareRetry(call: CallState, error: WorktrackError): Promise<void> {
  call.outcomeSoFar = error.outcome;
  pauseAfter(call, error);
  const hasNewToken = error instanceof AuthenticationError && (await renewToken(call));
  const delayMs = hasNewToken ? 0 : retryDelay(call, error);
  if (delayMs === undefined || now() + delayMs >= call.deadlineAt) throw error;
  await emit(call, 'retry', () => ({ ...describeFailure(error, call.attemptStartedAt), delayMs }));
  call.waitedUntil = now() + delayMs;
  await orInterruption(call, delay(delayMs, call.callLimit));
}

const describeFailure = (error: WorktrackError, since: number) => ({
  error,
  status: (error as { status?: number }).status,
  requestId: error.requestId,
  durationMs: Math.round(now() - since),
});
