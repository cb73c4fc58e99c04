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
  fetch: typeof globalThis.fetch | undefined,
): Promise<Response> =>
  ky(url, {
    method,
    headers,
    signal,
    redirect: 'manual',
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    ...(body !== undefined && { body }),
    // As a function of its own: the platform's refuses to be called as a method of another object.
    ...(fetch && { fetch: (request, init) => fetch(request, init) }),
  });
