import ky from 'ky';
import type { Transport } from '../transport.js';
import { FetchObserver } from './fetch-observer.js';
import { readText } from './read-text.js';

/** Sends each request once. The client handles retries, timeouts, and errors itself. */
const kyOnce = /* @__PURE__ */ ky.create({ retry: 0, timeout: false, throwHttpErrors: false });

/**
 * Creates the default transport, which uses ky with the global fetch or a custom one.
 *
 * This is the only file that uses ky.
 */
export function kyTransport(customFetch?: typeof globalThis.fetch): Transport {
  const send: Transport = async ({ url, method, headers, body = null, cancellation, fetchOptions }) => {
    const request = { method, headers, body, redirect: 'manual' as const };
    const observer = FetchObserver.create(fetchOptions?.dispatcher);
    const response = await kyOnce(url, {
      ...request,
      // Calls fetch with the URL and options instead of ky's `Request`. ky clones the request for its own
      // retries, and reading a body through the clone takes longer than the rest of the call. Only fetch gets
      // the signal: ky would combine it with a signal of its own, which is expensive, and then not use it.
      fetch: async () => {
        // The global `fetch` is looked up for each request because tests replace it.
        const fetch = customFetch ?? globalThis.fetch;
        const { signal } = cancellation;
        const options = { ...fetchOptions, ...request, signal, ...(observer && { dispatcher: observer }) };
        try {
          return (await fetch(url, options)) ?? notAResponse;
        } catch (cause) {
          if (observer?.wasMisdirected) return new Response(null, { status: 421 });
          const { requestWritten } = observer ?? {};
          // The reason for a cancellation belongs to the caller.
          if (requestWritten !== undefined && !cancellation.aborted)
            Object.assign(cause as Error, { requestWritten });
          throw cause;
        }
      },
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

/** Used if a custom fetch returns nothing, because the response guard's error is clearer than ky's. */
const notAResponse = {} as Response;
