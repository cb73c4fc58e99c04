import type { ReadResponse } from './api-promise.js';
import type { CallState } from './call-state.js';
import { credentialOf } from './credential.js';
import { interruptionError, orInterruption } from './interruption-error.js';
import { currentPause, waitForPause } from './rate-limit-pause.js';
import { readResponse } from './read-response.js';
import { sendRequest } from './send-request.js';
import { TimeLimit } from './time-limit.js';

/** Waits for its turn in the queue, sends the request once, and reads the response. */
export async function attempt(call: CallState): Promise<ReadResponse> {
  const { queue } = call.settings.shared;
  for (;;) {
    const turn = queue && (await orInterruption(call, queue.enter(call.callLimit)));
    let pause: ReturnType<typeof currentPause>;
    try {
      const credential = await credentialOf(call);
      if (call.callLimit.aborted) throw interruptionError(call, {});
      pause = currentPause(call);
      if (!pause) {
        turn?.startRequest();
        return await exchange(call, credential);
      }
    } finally {
      turn?.end();
    }
    // Waits outside the queue so that calls with other credentials aren't delayed.
    await waitForPause(call, pause);
  }
}

async function exchange(call: CallState, credential: string): Promise<ReadResponse> {
  const attemptLimit = new TimeLimit(call.settings.timeout, call.callLimit);
  try {
    const response = await sendRequest(call, attemptLimit, credential);
    return await readResponse(call, attemptLimit, response);
  } finally {
    attemptLimit.close();
  }
}
