import ky from 'ky';
import type { Transport } from '../transport.js';
import { readText } from './read-text.js';

/** The transport of clients that name none: ky, over the platform's fetch or one that is given. The only place that knows ky. */
export const kyTransport =
  (given?: typeof globalThis.fetch): Transport =>
  async ({ url, method, headers, body, cancellation }) => {
    // Looked up for each request: tests replace it.
    const fetch = given ?? globalThis.fetch;
    const { signal } = cancellation;
    const response = await ky(url, {
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      hooks: {
        beforeRequest: [
          // Answered here, ky makes no copy of the request for repeats of its own: its body would be read
          // through a branch of a stream, which costs more than the rest of the call.
          () =>
            fetch(url, { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) }),
        ],
      },
    });
    return {
      status: response.status,
      headers: response.headers,
      type: response.type,
      read: (most) => readText(response, cancellation, most),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
