import ky from 'ky';

/** One request as it goes out. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
}

/**
 * Sends one request, once: repeats, limits of time and the meaning of a status are decided by the
 * caller. Redirects are not followed. The only place that knows ky.
 */
export const send = async (
  { url, method, headers, body }: Outgoing,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<Response> =>
  ky(url, {
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
