import type { ApiResponse } from './api-promise.js';
import type { CallState } from './call-state.js';
import { credentialOf } from './credential.js';
import { interruptionError, orInterruption } from './interruption-error.js';
import { waitForPause } from './rate-limit-pause.js';
import { readResponse } from './read-response.js';
import { sendRequest } from './send-request.js';
import { TimeLimit } from './time-limit.js';

/** Waits for its turn, sends the request once and reads the response to its end. */
export async function attempt(call: CallState): Promise<ApiResponse<unknown>> {
  const { queue, pause } = call.settings.shared;
  const leaveQueue = queue && (await orInterruption(call, queue.enter(call.callLimit)));
  try {
    if (pause.error) await waitForPause(call);
    const credential = await credentialOf(call);
    if (call.callLimit.aborted) throw interruptionError(call, {});
    const attemptLimit = new TimeLimit(call.settings.timeout, call.callLimit);
    try {
      const response = await sendRequest(call, attemptLimit, credential);
      return await readResponse(call, attemptLimit, response);
    } finally {
      attemptLimit.close();
    }
  } finally {
    leaveQueue?.();
  }
}
