import { ConfigurationError } from '../errors/index.js';
import { onAbort, race } from '../shared/abort.js';
import { quote } from '../shared/quote.js';
import type { ReadText, TransportResponse } from '../transport.js';
import { encodeCredential } from '../wire/index.js';
import { callError, interruptionError, isFinal, neverWritten } from './call-errors.js';
import type { CallState, ResponseHead } from './call-state.js';
import { emit } from './events.js';
import type { TokenFunction } from './pending-tokens.js';
import { now, type TimeLimit } from './time-limit.js';

/** A token, and the value of the header that contains it. */
export interface Credential {
  readonly token: string;
  readonly header: string;
}

/** Sends the request with the default transport or a custom one. */
export async function sendRequest(
  call: CallState,
  attemptLimit: TimeLimit,
  credential: Credential,
): Promise<GuardedResponse> {
  const { settings, operation, request } = call;
  call.attempts++;
  call.attemptStartedAt = now();
  const headers = await headersWithoutCredential(call);
  // The hooks may have taken longer than the attempt's timeout.
  if (attemptLimit.aborted) throw interruptionError(call, { attemptLimit });
  headers[settings.wire.credential.header.toLowerCase()] = credential.header;
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
    // A transport that ignores the cancellation may still return a response, which must be discarded.
    sending?.then(discardResponse, () => {});
    const outcome = neverWritten(cause) ? 'not_sent' : 'unknown';
    if (isFinal(cause)) call.cannotRetry = true;
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
  // Set only if `emit` builds the event. Hooks can change these headers.
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

/**
 * Returns the credential for the next attempt.
 *
 * @throws ConfigurationError if the token is missing, the token function fails, or the token contains invalid
 * characters
 */
export async function getCredential(call: CallState): Promise<Credential> {
  const { token: option, wire, shared } = call.settings;
  const current =
    typeof option === 'function' ? await requestToken(call, option, call.rejectedToken) : option;
  // The server receives the token without surrounding whitespace, so the redactor must look for the trimmed
  // token.
  const token = requireToken(call, current).trim();
  call.token = token;
  call.redactor.add(token);
  const header = encodeCredential(wire.credential, token);
  if (shared.lastValidHeader !== header) {
    try {
      new Headers({ [wire.credential.header]: header });
    } catch {
      throw credentialError(call, 'the token contains invalid characters');
    }
    shared.lastValidHeader = header;
  }
  return { token, header };
}

/**
 * After a 401, requests a replacement for the rejected credential, at most once per call.
 *
 * @returns true if the replacement differs from the rejected credential, so the call can be retried
 */
export async function renewToken(call: CallState): Promise<boolean> {
  const { token, shared } = call.settings;
  if (typeof token !== 'function') return false;
  const rejected = call.token as string;
  shared.pendingTokens.forgetRejected(token, rejected);
  if (call.rejectedToken !== undefined) return false;
  call.rejectedToken = rejected;
  return requireToken(call, await requestToken(call, token, rejected)).trim() !== rejected;
}

/** @param rejected the token that the new one replaces */
async function requestToken(
  call: CallState,
  getToken: TokenFunction,
  rejected: string | undefined,
): Promise<unknown> {
  const { shared, timeout } = call.settings;
  const { callLimit } = call;
  try {
    return await race(shared.pendingTokens.request(getToken, rejected), callLimit);
  } catch (cause) {
    if (callLimit.aborted) {
      // After an abort, the token function may still be running, so other calls can use the token that it
      // returns.
      const timedOut = (callLimit.reason as Error | undefined)?.name === 'TimeoutError';
      shared.pendingTokens.forgetPending(getToken, rejected, timedOut ? 0 : timeout);
      throw interruptionError(call, { cause });
    }
    const reason = cause instanceof Error ? `: ${quote(call.redactor.redact(cause.message))}` : '';
    throw credentialError(call, `the token function failed${reason}`, cause);
  }
}

function requireToken(call: CallState, token: unknown): string {
  if (typeof token === 'string' && token.trim()) return token;
  throw credentialError(
    call,
    call.settings.token === undefined
      ? 'token is missing; pass it to the client or the call, or set WORKTRACK_TOKEN'
      : 'token must be a non-empty string',
  );
}

const credentialError = (call: CallState, message: string, cause?: unknown) =>
  callError(call, ConfigurationError, message, { outcome: call.outcomeSoFar, cause });

/**
 * A response that is safe to read. Even if the transport misbehaves, reading finishes in time and never
 * throws.
 */
export interface GuardedResponse extends ResponseHead {
  read(maxBytes: number): Promise<ReadText>;
  discard(): void;
}

/**
 * Wraps the response from a built-in or custom transport or fetch function.
 *
 * @param requestIdHeader the name of the header that contains the request ID
 * @returns undefined if the value isn't a response
 */
function guardResponse(
  response: TransportResponse,
  attemptLimit: TimeLimit,
  requestIdHeader: string,
): GuardedResponse | undefined {
  try {
    const { status, type } = response;
    if (!response.headers || !response.read || status === undefined) return undefined;
    const headers = toHeaders(response.headers);
    return {
      status,
      headers,
      requestId: headers.get(requestIdHeader) ?? undefined,
      type,
      read: async (maxBytes) => {
        const result = await readWithin(attemptLimit, async () => response.read(maxBytes));
        // A custom transport may ignore the size limit.
        return result.text.length > maxBytes ? { text: '', isTooLong: true } : result;
      },
      discard: () => discardResponse(response),
    };
  } catch {
    return undefined;
  }
}

/** Converts headers created by another `Headers` class, such as undici's. */
const toHeaders = (headers: Headers) => (headers instanceof Headers ? headers : new Headers(headers));

/** Discards a response. Errors are ignored. */
function discardResponse(response: TransportResponse): void {
  (async () => response.discard())().catch(() => {});
}

/** How long to wait for the partial body after an abort, in milliseconds. */
const gracePeriod = 10;

const readWithin = (attemptLimit: TimeLimit, read: () => Promise<ReadText>): Promise<ReadText> =>
  new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (result: ReadText) => {
      removeListener();
      clearTimeout(timer);
      resolve(result);
    };
    const fail = (failure: unknown) => finish({ text: '', failure });
    const removeListener = onAbort(attemptLimit, () => {
      timer = setTimeout(() => fail(attemptLimit.reason), gracePeriod);
    });
    read().then(
      (result) =>
        typeof result?.text === 'string'
          ? finish(result)
          : fail(new TypeError("read() didn't return a string")),
      fail,
    );
  });
