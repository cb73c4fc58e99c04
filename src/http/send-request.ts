import { ConfigurationError } from '../errors/index.js';
import { now } from '../shared/now.js';
import type { TransportResponse } from '../transport.js';
import { callError } from './call-error.js';
import type { CallState } from './call-state.js';
import { emit } from './events.js';
import { interruptionError } from './interruption-error.js';
import { neverWritten } from './network-error.js';
import { race } from './race.js';
import { discardResponse, type GuardedResponse, guardResponse } from './response-guard.js';
import type { TimeLimit } from './time-limit.js';

/** Sends the request with the default transport or a custom one. */
export async function sendRequest(
  call: CallState,
  attemptLimit: TimeLimit,
  credential: string,
): Promise<GuardedResponse> {
  const { settings, operation, request } = call;
  call.attempts++;
  call.attemptStartedAt = now();
  const headers = await headersWithoutCredential(call);
  // The hooks may have used up the attempt's time.
  if (attemptLimit.aborted) throw interruptionError(call, { attemptLimit });
  headers[settings.wire.credential.header.toLowerCase()] = credential;
  let sending: Promise<TransportResponse> | undefined;
  let response: TransportResponse;
  try {
    const { url, body } = request;
    const { method } = operation;
    const { fetchOptions } = settings;
    sending = Promise.resolve(
      settings.transport({
        method,
        url,
        headers,
        body,
        cancellation: attemptLimit,
        ...(fetchOptions && { fetchOptions }),
      }),
    );
    response = await race(sending, attemptLimit);
  } catch (cause) {
    // A transport that ignores the cancellation may still return a response, which is no longer needed.
    sending?.then(discardResponse, () => {});
    const outcome = neverWritten(cause) ? 'not_sent' : 'unknown';
    throw interruptionError(call, { attemptLimit, outcome, cause });
  }
  const guarded = guardResponse(response, attemptLimit, settings.wire.requestIdHeader);
  if (guarded) return guarded;
  const message = 'option "transport" or "fetch" didn\'t return a response';
  throw callError(call, ConfigurationError, message, { outcome: 'unknown' });
}

/**
 * Returns the request headers after the `request` hooks have run. The credential is added later, to a copy,
 * so it never appears in an event stored by a hook.
 */
async function headersWithoutCredential(call: CallState): Promise<Record<string, string>> {
  const { settings, request } = call;
  const headers = {
    accept: 'application/json',
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...settings.headers,
  };
  let eventHeaders: Headers | undefined;
  await emit(
    call,
    'request',
    () => {
      eventHeaders = new Headers(headers);
      return { headers: eventHeaders };
    },
    request.body,
  );
  return eventHeaders ? Object.fromEntries(eventHeaders) : headers;
}
