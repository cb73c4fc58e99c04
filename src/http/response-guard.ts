import type { ReadText, TransportResponse } from '../transport.js';
import { onAbort } from './on-abort.js';
import type { TimeLimit } from './time-limit.js';

/**
 * A response that is safe to read. Even if the transport misbehaves, reading finishes in time and never
 * throws.
 */
export interface GuardedResponse {
  status: number;
  headers: Headers;
  /** The request ID returned by the server. */
  requestId: string | undefined;
  type: string | undefined;
  read(maxBytes?: number): Promise<ReadText>;
  discard(): void;
}

/**
 * Wraps the response from a built-in or custom transport or fetch function.
 *
 * @param requestIdHeader the name of the header that contains the request ID
 * @returns undefined if the value isn't a response
 */
export function guardResponse(
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
      read: async (maxBytes = Number.POSITIVE_INFINITY) => {
        const result = await readWithin(attemptLimit, async () => response.read(maxBytes));
        // A custom transport may ignore the limit.
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
export function discardResponse(response: TransportResponse): void {
  (async () => response.discard())().catch(() => {});
}

/** How long to wait, in milliseconds, for the partial body after an abort. */
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
