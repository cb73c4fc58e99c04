import ky, { isNetworkError } from 'ky';
import { ConfigurationError } from '../errors/index.js';
import { race, type TimeLimit } from '../shared/abort.js';
import { Chunks, concat } from '../shared/chunks.js';
import { callError, interruptionError, isFinal, neverConnected } from './call-errors.js';
import type { CallState, ResponseHead } from './call-state.js';
import type { Credential } from './credential.js';
import { emit } from './events.js';

/** A response whose body hasn't been read. */
export interface StartedResponse extends ResponseHead {
  /** What `fetch` returned, which may be another implementation's response. */
  original: Response;
}

/**
 * Makes one attempt: calls the `request` hooks, adds the credential, and sends the request.
 *
 * @throws ConnectionError, RequestTimeoutError, or RequestAbortedError if no response arrives, and
 * ConfigurationError if a custom `fetch` doesn't return a response
 */
export async function sendRequest(
  call: CallState,
  attemptLimit: TimeLimit,
  credential: Credential,
): Promise<StartedResponse> {
  const { settings, operation, request } = call;
  const { wire, fetchOptions } = settings;
  call.attempts++;
  call.attemptStartedAt = performance.now();
  const headers = await headersWithoutCredential(call);
  // The hooks may have taken longer than the attempt's timeout.
  if (attemptLimit.aborted) throw interruptionError(call, { attemptLimit });
  headers[wire.credential.header.toLowerCase()] = credential.header;
  const { method } = operation;
  const { url, body = null } = request;
  const { signal } = attemptLimit;
  const sending = fetchOnce(url, { ...fetchOptions, method, headers, body, signal }, settings.fetch);
  let response: Response;
  try {
    response = await race(sending, attemptLimit);
  } catch (cause) {
    // A fetch that ignores its signal may still return a response.
    sending.then(discard, () => {});
    const outcome = neverConnected(cause) ? 'not_sent' : 'unknown';
    if (isFinal(cause)) call.cannotRetry = true;
    throw interruptionError(call, { attemptLimit, outcome, cause });
  }
  const started = startedResponse(response, wire.requestIdHeader);
  if (started) return started;
  throw callError(call, ConfigurationError, 'option "fetch" didn\'t return a response', {
    outcome: 'unknown',
  });
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

/** Sends requests only once, because `runCall` retries, and errors and time limits have the client's own types. */
const kyOnce = /* @__PURE__ */ ky.create({ retry: 0, timeout: false, throwHttpErrors: false });

/** Sends a request once, without following redirects. Only this function uses ky. */
export async function fetchOnce(
  url: string,
  init: RequestInit,
  customFetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Response> {
  try {
    return await kyOnce(url, {
      method: init.method ?? 'GET',
      // Call `fetch` with the URL and options instead of ky's `Request`. Pass the headers, the body, and the
      // signal only to `fetch`: ky would clone them for its own retries and combine the signal with its own,
      // which is expensive and not needed here.
      fetch: async () => {
        const response: unknown = await customFetch(url, { ...init, redirect: 'manual' });
        // ky fails with an unclear error if `fetch` doesn't return an object.
        return (typeof response === 'object' && response ? response : {}) as Response;
      },
    });
  } catch (error) {
    // Report the error of `fetch` itself, from which the client determines the outcome.
    throw isNetworkError(error) ? error.cause : error;
  }
}

/** @returns undefined if the value that a custom `fetch` returned isn't a response */
function startedResponse(response: Response, requestIdHeader: string): StartedResponse | undefined {
  try {
    const { status, type } = response;
    if (typeof status !== 'number' || !response.headers) return undefined;
    // Convert headers created by another `Headers` class, such as undici's.
    const headers = response.headers instanceof Headers ? response.headers : new Headers(response.headers);
    const requestId = headers.get(requestIdHeader) ?? undefined;
    return { status, headers, requestId, type, original: response };
  } catch {
    return undefined;
  }
}

/** Closes a response's connection without reading the body. Errors are ignored. */
export function discard({ body }: Response): void {
  (async () => body?.cancel())().catch(() => {});
}

/** The part of the body that was read and, if reading stopped early, the reason. */
export interface ReadText {
  text: string;
  /** The error, if reading failed or exceeded the time limit. */
  failure?: unknown;
  /** Whether the body is longer than `maxBytes`. */
  isTooLong?: boolean;
}

/**
 * Reads a response's body as UTF-8. If the body is cut off, or if the time limit expires, resolves to the
 * part that was read. Never rejects.
 *
 * @param maxBytes the maximum number of bytes to read, after decompression
 */
export async function readText(response: Response, limit: TimeLimit, maxBytes: number): Promise<ReadText> {
  const chunks = new Chunks();
  let reader: Reader | undefined;
  const readAll = async (): Promise<ReadText> => {
    if (!response.body) return { text: '' };
    reader = readerOf(response.body);
    if (!reader) {
      const text = await response.text();
      return text.length > maxBytes ? { text: '', isTooLong: true } : { text };
    }
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return { text: decode(chunks) };
      size += value.byteLength;
      if (size > maxBytes) {
        cancel(reader);
        // Keep the start of the body, which may contain an error message.
        chunks.add(value.subarray(0, value.byteLength - (size - maxBytes)));
        return { text: decode(chunks), isTooLong: true };
      }
      chunks.add(value);
    }
  };
  try {
    return await race(readAll(), limit);
  } catch (failure) {
    if (reader) cancel(reader);
    return { text: partialText(chunks), failure };
  }
}

interface Reader {
  read(): Promise<IteratorResult<Uint8Array, unknown>>;
  cancel(): Promise<unknown> | undefined;
}

function readerOf(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Reader | undefined {
  if ('getReader' in body) return body.getReader() as Reader;
  // Some fetch implementations, such as node-fetch, use Node.js streams as bodies.
  const iterator = body[Symbol.asyncIterator]?.();
  return iterator && { read: () => iterator.next(), cancel: () => iterator.return?.() };
}

const cancel = (reader: Reader) => void reader.cancel()?.catch(() => {});

/** Returns the text that arrived before a failure, unless the failure was that it can't be decoded. */
function partialText(chunks: Chunks): string {
  try {
    return decode(chunks);
  } catch {
    return '';
  }
}

function decode(chunks: Chunks): string {
  const [first, ...others] = chunks.toArray();
  return new TextDecoder().decode(first && others.length ? concat([first, ...others]) : first);
}
