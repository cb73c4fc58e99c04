import type { Answer } from './call.js';
import { untilAllowed } from './hold-back.js';
import { type Limit, limit, race } from './interrupt.js';
import { tell } from './observe.js';
import { readFailure } from './read-failure.js';
import { readText } from './read-text.js';
import { send } from './send.js';
import { type CallState, interruption, type Progress } from './state.js';
import { credentialOf } from './token.js';

/** Enough for any error body; a longer one is left unread. */
const longestErrorBody = 2 ** 20;

/** Waits for its turn, sends the request once and reads the answer to its end. */
export async function attempt(call: CallState): Promise<Answer<unknown>> {
  const leave = await call.settings.shared.queue?.enter(call.total).catch((cause) => {
    throw interruption(call, { cause });
  });
  try {
    await untilAllowed(call);
    const credential = await credentialOf(call);
    if (call.total.aborted) throw interruption(call, {});
    const bounds = limit(call.settings.timeout, call.total);
    try {
      return await exchange(call, bounds, credential);
    } finally {
      bounds.close();
    }
  } finally {
    leave?.();
  }
}

async function exchange(call: CallState, bounds: Limit, credential: string): Promise<Answer<unknown>> {
  const { settings, operation } = call;
  const progress: Progress = { attempt: bounds, outcome: 'unknown' };
  const response = await sendOnce(call, progress, bounds, credential);
  const { ok, status, headers } = response;
  const requestId = call.redact(headers.get(settings.wire.requestIdHeader) ?? undefined);
  const answer = { data: undefined, status, headers, requestId, attempts: call.attempts };
  const told = (text?: string) =>
    tell(call, 'response', { status, requestId, durationMs: Date.now() - call.begunAt }, text);
  // What was deleted by an attempt whose answer was lost is not found by the next.
  const gone = status === 404 && operation.method === 'DELETE' && call.standing === 'unknown';
  if (gone || (ok && !call.read)) {
    response.body?.cancel().catch(() => {});
    told();
    return answer;
  }
  if (ok) Object.assign(progress, { outcome: 'done', status, requestId });
  const { text, failure: cause } = await readText(response, bounds, ok ? undefined : longestErrorBody);
  if (settings.signal?.aborted || (ok && cause)) throw interruption(call, { ...progress, body: text, cause });
  told(text);
  if (!ok) throw readFailure(call, response, text);
  return { ...answer, data: await call.read?.(call, response, text) };
}

async function sendOnce(
  call: CallState,
  progress: Progress,
  bounds: Limit,
  credential: string,
): Promise<Response> {
  const { settings, operation, request } = call;
  const headers = new Headers({ accept: 'application/json' });
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  settings.headers.forEach((value, name) => {
    headers.set(name, value);
  });
  call.attempts++;
  call.begunAt = Date.now();
  tell(call, 'request', { headers }, request.body);
  // A copy: a hook that keeps its event must not find the credential in it later.
  const sent = new Headers(headers);
  sent.set(settings.wire.credential.header, credential);
  const sending = send(
    { ...request, method: operation.method, headers: sent },
    bounds.signal,
    settings.fetch,
  );
  try {
    return await race(sending, bounds);
  } catch (cause) {
    // A fetch that heeds no signal may still answer; nobody will read it.
    sending.then(
      ({ body }) => body?.cancel(),
      () => {},
    );
    throw interruption(call, { ...progress, cause });
  }
}
