import { ConfigurationError } from '../errors/index.js';
import { encodeCredential } from '../wire/index.js';
import type { Answer } from './call.js';
import { limit, race } from './interrupt.js';
import { readFailure } from './read-failure.js';
import { readResult } from './read-result.js';
import { readText } from './read-text.js';
import { send } from './send.js';
import { type CallState, failure, interruption, type Progress } from './state.js';

/** Enough for any error body; a longer one is left unread. */
const longestErrorBody = 2 ** 20;

/** Sends the request once and reads the answer to its end. */
export async function attempt(call: CallState): Promise<Answer<unknown>> {
  const { settings, operation, request } = call;
  const headers = await writeHeaders(call);
  if (call.total.aborted) throw interruption(call, {});
  const { signal, close } = limit(settings.timeout, call.total);
  const progress: Progress = { attempt: signal, outcome: 'unknown' };
  const outgoing = { ...request, method: operation.method, headers };
  call.attempts++;
  try {
    const response = await sendUnless(signal, call, outgoing);
    const { ok, status } = response;
    const answer = {
      data: undefined,
      status,
      headers: response.headers,
      requestId: response.headers.get(settings.wire.requestIdHeader) ?? undefined,
      attempts: call.attempts,
    };
    // What was deleted by an attempt whose answer was lost is not found by the next.
    const gone = status === 404 && operation.method === 'DELETE' && call.standing === 'unknown';
    if (gone || (ok && !operation.response)) {
      response.body?.cancel().catch(() => {});
      return answer;
    }
    if (ok) Object.assign(progress, { outcome: 'done', status, requestId: answer.requestId });
    const { text, failure: cause } = await readText(response, signal, ok ? undefined : longestErrorBody);
    if (settings.signal?.aborted || (ok && cause))
      throw interruption(call, { ...progress, body: text, cause });
    if (!ok) throw readFailure(call, response, text);
    return { ...answer, data: readResult(call, response, text) };
  } finally {
    close();
  }

  async function sendUnless(signal: AbortSignal, call: CallState, outgoing: Parameters<typeof send>[0]) {
    const sending = send(outgoing, signal, settings.fetch);
    try {
      return await race(sending, signal);
    } catch (cause) {
      // A fetch that heeds no signal may still answer; nobody will read it.
      sending.then(
        ({ body }) => body?.cancel(),
        () => {},
      );
      throw interruption(call, { ...progress, cause });
    }
  }
}

async function writeHeaders(call: CallState): Promise<Headers> {
  const { wire, headers: given } = call.settings;
  const headers = new Headers({ accept: 'application/json' });
  if (call.request.body !== undefined) headers.set('content-type', 'application/json');
  given.forEach((value, name) => {
    headers.set(name, value);
  });
  const token = await getToken(call);
  // A header loses the white space around its value, so an echo of it has none either.
  call.secrets.add(token.trim());
  try {
    headers.set(wire.credential.header, encodeCredential(wire.credential, token));
  } catch {
    throw unusable(call, 'the token holds characters that no header can carry');
  }
  return headers;
}

async function getToken(call: CallState): Promise<string> {
  const { token } = call.settings;
  let value: unknown = token;
  if (typeof token === 'function') {
    try {
      value = await race(
        Promise.resolve().then(() => token()),
        call.total,
      );
    } catch (cause) {
      if (call.total.aborted) throw interruption(call, { cause });
      throw unusable(call, 'the token function failed', cause);
    }
  }
  if (typeof value === 'string' && value.trim()) return value;
  throw unusable(
    call,
    token === undefined
      ? 'no token: pass it to the client or the call, or set WORKTRACK_TOKEN'
      : 'the token function must return text that is not empty',
  );
}

const unusable = (call: CallState, message: string, cause?: unknown) =>
  failure(call, ConfigurationError, message, { outcome: call.standing, cause });
