import ky, { isNetworkError } from 'ky';
import { onAbort } from '../shared/abort.js';
import { Chunks } from '../shared/chunks.js';
import type { Cancellation, ReadText, Transport } from '../transport.js';

/**
 * Sends each request only once, through the `fetch` function below. The client handles retries, timeouts, and
 * errors itself, because they must work the same with every transport (docs/decisions.md).
 */
const kyOnce = /* @__PURE__ */ ky.create({ retry: 0, timeout: false, throwHttpErrors: false });

/**
 * Creates the default transport, which uses ky with the global fetch or a custom fetch function.
 *
 * This is the only file that uses ky.
 */
export function kyTransport(customFetch?: typeof globalThis.fetch): Transport {
  const send: Transport = async ({ url, method, headers, body = null, cancellation, fetchOptions }) => {
    const request = { method, headers, body, redirect: 'manual' as const };
    const observer = FetchObserver.create(fetchOptions?.dispatcher);
    const response = await kyOnce(url, {
      method,
      // Call `fetch` with the URL and options instead of ky's `Request`. Pass the headers, the body, and the
      // signal only to `fetch`: ky would clone them for its own retries and combine the signal with its own,
      // which is expensive and not needed here.
      fetch: async () => {
        // Look up the global `fetch` for each request, because tests replace it.
        const fetch = customFetch ?? globalThis.fetch;
        const { signal } = cancellation;
        const options = { ...fetchOptions, ...request, signal, ...(observer && { dispatcher: observer }) };
        try {
          return (await fetch(url, options)) ?? notAResponse;
        } catch (cause) {
          if (observer?.wasMisdirected) return new Response(null, { status: 421 });
          const { requestWritten } = observer ?? {};
          // After a cancellation, the error belongs to the caller and must not be modified.
          if (requestWritten !== undefined && !cancellation.aborted)
            Object.assign(cause as Error, { requestWritten });
          throw cause;
        }
      },
    }).catch((error) => {
      // Report the error of `fetch` itself, from which the client determines the outcome.
      throw isNetworkError(error) ? error.cause : error;
    });
    return {
      status: response.status,
      headers: response.headers,
      type: response.type,
      read: (maxBytes) => readText(response, cancellation, maxBytes, observer),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
  return Object.assign(send, { acceptsFetchOptions: true });
}

/**
 * The value to use if a custom fetch returns nothing. `guardResponse` then reports a clearer error than ky
 * would.
 */
const notAResponse = {} as Response;

/**
 * Reads the body of a fetch response as UTF-8. If the body is cut off, returns the part that was read.
 *
 * @param maxBytes the maximum number of bytes to read
 * @param observer reports failures that never reach the body
 */
export async function readText(
  response: Response,
  cancellation: Cancellation,
  maxBytes = Number.POSITIVE_INFINITY,
  observer?: Pick<FetchObserver, 'onFailure'>,
): Promise<ReadText> {
  if (!response.body) return { text: '' };
  const reader = readerOf(response.body);
  if (!reader) return { text: await response.text() };
  // Cancel a pending read even if the body ignores the signal, and close the connection.
  const cancel = () => void reader.cancel()?.catch(() => {});
  const removeListener = onAbort(cancellation, cancel);
  const chunks = new Chunks();
  let size = 0;
  let failed: ReadText | undefined;
  observer?.onFailure((failure) => {
    failed = { text: '', failure };
    cancel();
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (cancellation.aborted) return { text: decode(chunks), failure: cancellation.reason };
      if (done) return { ...failed, text: decode(chunks) };
      size += value.byteLength;
      if (size > maxBytes) {
        cancel();
        // Keep the start of the body, which may contain an error message.
        chunks.add(value.subarray(0, value.byteLength - (size - maxBytes)));
        return { text: decode(chunks), isTooLong: true };
      }
      chunks.add(value);
    }
  } catch (failure) {
    return { text: decode(chunks), failure };
  } finally {
    removeListener();
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

/** Most bodies arrive as one chunk, which can be decoded several times faster than multiple chunks. */
function decode(chunks: Chunks): string {
  const decoder = new TextDecoder();
  const all = chunks.toArray();
  if (all.length < 2) return decoder.decode(all[0]);
  const texts = all.map((chunk) => decoder.decode(chunk, { stream: true }));
  return texts.join('') + decoder.decode();
}

/** The part of undici's `Dispatcher` that fetch uses. */
interface Dispatcher {
  readonly isMockActive?: boolean | undefined;
  dispatch(options: object, handler: Handler): boolean;
}

/** Receives a request's events. */
type Handler = Record<string, ((...details: unknown[]) => unknown) | undefined>;

/**
 * Observes a request sent by Node.js's built-in fetch, which is part of undici. Pass the observer to fetch as
 * the `dispatcher` option. It provides what fetch doesn't:
 *
 * - whether any part of the request was written before the connection failed
 * - a way to stop fetch from sending the request again after a 421, which it does even for a POST
 * - decompression errors after the last byte has arrived, which otherwise keep the body from finishing in
 *   Node.js 20
 */
export class FetchObserver implements Dispatcher {
  /** Undefined if fetch never used the observer. */
  requestWritten: boolean | undefined;
  /** Whether the response was a 421, after which fetch tries to send the request again. */
  wasMisdirected = false;
  readonly #inner: Dispatcher;
  #failure: [unknown] | undefined;
  #onFailure: ((failure: unknown) => void) | undefined;

  /**
   * @param chosen the dispatcher in the `fetchOptions` option, if any
   * @returns undefined in runtimes that don't use undici
   */
  static create(chosen: unknown): FetchObserver | undefined {
    const inner = (chosen ?? (globalThis as GlobalDispatcher)[globalDispatcher]) as Dispatcher | undefined;
    return typeof inner?.dispatch === 'function' ? new FetchObserver(inner) : undefined;
  }

  private constructor(inner: Dispatcher) {
    this.#inner = inner;
  }

  get isMockActive(): boolean | undefined {
    return this.#inner.isMockActive;
  }

  dispatch(options: object, handler: Handler): boolean {
    if (this.wasMisdirected) throw new Error('the server responded with 421 (Misdirected Request)');
    this.requestWritten ??= false;
    const written = () => {
      this.requestWritten = true;
    };
    const responded = (status: unknown) => {
      this.wasMisdirected = status === 421;
    };
    // undici 8 renamed `onConnect` to `onRequestStart`.
    before(handler, 'onConnect', written);
    before(handler, 'onRequestStart', written);
    before(handler, 'onHeaders', responded);
    before(handler, 'onResponseStart', (_, status) => responded(status));
    before(handler, 'onError', (failure) => this.#fail(failure));
    before(handler, 'onResponseError', (_, failure) => this.#fail(failure));
    return this.#inner.dispatch(options, handler);
  }

  /** Calls the listener if the exchange fails, or immediately if it has already failed. */
  onFailure(listener: (failure: unknown) => void): void {
    if (this.#failure) listener(this.#failure[0]);
    else this.#onFailure = listener;
  }

  #fail(failure: unknown): void {
    this.#failure = [failure];
    this.#onFailure?.(failure);
  }
}

/** Wraps a handler's method so that it calls the observer first. */
function before(handler: Handler, name: string, observer: (...details: unknown[]) => void): void {
  const method = handler[name];
  if (!method) return;
  handler[name] = (...details) => {
    observer(...details);
    return method.apply(handler, details);
  };
}

/** All copies of undici, including the one in Node.js, share their global dispatcher under this symbol. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

type GlobalDispatcher = { [globalDispatcher]?: unknown };
