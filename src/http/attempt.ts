import { ConfigurationError } from '../errors/index.js';
import type { TransportResponse } from '../transport.js';
import type { ApiResponse } from './call.js';
import { untilAllowed } from './hold-back.js';
import { Limit, race } from './interrupt.js';
import { tell } from './observe.js';
import { readFailure } from './read-failure.js';
import { discard, type Received, received } from './received.js';
import { type CallState, failure, interruption, orInterruption, type Progress } from './state.js';
import { credentialOf } from './token.js';

/** Enough for any error body; a longer one is left unread. */
const longestErrorBody = 2 ** 20;

/** Waits for its turn, sends the request once and reads the answer to its end. */
export async function attempt(call: CallState): Promise<ApiResponse<unknown>> {
  const { queue, held } = call.settings.shared;
  const leave = queue && (await orInterruption(call, queue.enter(call.total)));
  try {
    if (held.error) await untilAllowed(call);
    const credential = await credentialOf(call);
    if (call.total.aborted) throw interruption(call, {});
    const bounds = new Limit(call.settings.timeout, call.total);
    try {
      return await exchange(call, bounds, credential);
    } finally {
      bounds.close();
    }
  } finally {
    leave?.();
  }
}

async function exchange(call: CallState, bounds: Limit, credential: string): Promise<ApiResponse<unknown>> {
  const { settings, operation } = call;
  const progress: Progress = { attempt: bounds, outcome: 'unknown' };
  const response = await sendOnce(call, progress, bounds, credential);
  const { status, headers } = response;
  const ok = status >= 200 && status < 300;
  const requestId = call.redact(response.requestId);
  const answer = (data: unknown) => ({ data, status, headers, requestId, attempts: call.attempts });
  const told = (text?: string) =>
    tell(call, 'response', () => ({ status, requestId, durationMs: Date.now() - call.begunAt }), text);
  // What was deleted by an attempt whose answer was lost is not found by the next.
  const gone = status === 404 && operation.method === 'DELETE' && call.standing === 'unknown';
  if (gone || (ok && !call.read)) {
    response.discard();
    told();
    return answer(undefined);
  }
  if (ok) Object.assign(progress, { outcome: 'done', status, requestId });
  const { text, failure: cause } = await response.read(ok ? undefined : longestErrorBody);
  if (settings.signal?.aborted || (ok && cause)) throw interruption(call, { ...progress, body: text, cause });
  told(text);
  if (!ok) throw readFailure(call, response, text);
  return answer(await call.read?.(call, response, text));
}

async function sendOnce(
  call: CallState,
  progress: Progress,
  bounds: Limit,
  credential: string,
): Promise<Received> {
  const { settings, operation, request } = call;
  call.attempts++;
  call.begunAt = Date.now();
  const headers = openHeaders(call);
  headers[settings.wire.credential.header.toLowerCase()] = credential;
  let sending: Promise<TransportResponse> | undefined;
  let answer: TransportResponse;
  try {
    const { url, body } = request;
    sending = Promise.resolve(
      settings.transport({ method: operation.method, url, headers, body, cancellation: bounds }),
    );
    answer = await race(sending, bounds);
  } catch (cause) {
    // A transport that heeds no signal may still answer; nobody will read it.
    sending?.then(discard, () => {});
    throw interruption(call, { ...progress, cause });
  }
  const fit = received(answer, bounds, settings.wire.requestIdHeader);
  if (fit) return fit;
  const message = 'option "transport" or "fetch" gave no answer';
  throw failure(call, ConfigurationError, message, { outcome: 'unknown' });
}

/** The headers but for the credential, which a hook that keeps its event must not find in it later. */
function openHeaders(call: CallState): Record<string, string> {
  const { settings, request } = call;
  const headers = {
    accept: 'application/json',
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...settings.headers,
  };
  let told: Headers | undefined;
  tell(
    call,
    'request',
    () => {
      told = new Headers(headers);
      return { headers: told };
    },
    request.body,
  );
  return told ? Object.fromEntries(told) : headers;
}
