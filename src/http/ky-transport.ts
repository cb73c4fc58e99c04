import ky from 'ky';
import type { Transport } from '../transport.js';
import { readText } from './read-text.js';

/** Sends a request once: retries, timeouts and errors follow the contract, outside of ky. */
const kyOnce = /* @__PURE__ */ ky.create({ retry: 0, timeout: false, throwHttpErrors: false });

/**
 * Creates the default transport: ky over the platform's fetch, or over the one given.
 *
 * This is the only file that knows ky.
 */
export function kyTransport(customFetch?: typeof globalThis.fetch): Transport {
  const send: Transport = async ({ url, method, headers, body = null, cancellation, fetchOptions }) => {
    const request = { method, headers, body, signal: cancellation.signal, redirect: 'manual' as const };
    const response = await kyOnce(url, {
      ...request,
      // The URL and options go to fetch instead of ky's Request. ky clones that for retries of its own, and
      // reading a body through the clone costs more than the rest of the call.
      fetch: async () => {
        // Looked up for each request because tests replace it.
        const fetch = customFetch ?? globalThis.fetch;
        return (await fetch(url, { ...fetchOptions, ...request })) ?? notAResponse;
      },
    });
    return {
      status: response.status,
      headers: response.headers,
      type: response.type,
      read: (maxBytes) => readText(response, cancellation, maxBytes),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
  return Object.assign(send, { acceptsFetchOptions: true });
}

/** For a fetch that returns nothing. The response guard rejects it, with a better error than ky's. */
const notAResponse = {} as Response;
