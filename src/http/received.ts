import type { ReadText, TransportResponse } from '../transport.js';
import type { Limit } from './interrupt.js';

/** An answer as the client goes on with it: what is done with it ends in time, and throws nothing. */
export interface Received {
  status: number;
  headers: Headers;
  /** The request's id as the server gave it. */
  requestId: string | undefined;
  type: string | undefined;
  read(most?: number): Promise<ReadText>;
  discard(): void;
}

/**
 * Takes an answer from a transport or a fetch, which may be the caller's own.
 *
 * @param requestIdHeader the name of the header that holds the request's id
 * @returns undefined for what is no answer
 */
export function received(
  answer: TransportResponse,
  bounds: Limit,
  requestIdHeader: string,
): Received | undefined {
  try {
    const { status, type, headers: given } = answer;
    // Those of undici's package, for one, are of another class than the platform's.
    const headers = given instanceof Headers ? given : new Headers(given);
    if (!given || !answer.read || status === undefined) return undefined;
    return {
      status,
      headers,
      requestId: headers.get(requestIdHeader) ?? undefined,
      type,
      read: (most) => readWithin(bounds, async () => answer.read(most)),
      discard: () => discard(answer),
    };
  } catch {
    return undefined;
  }
}

/** Leaves an answer unread that nobody waits for: nobody is told either what goes wrong with it. */
export function discard(answer: TransportResponse): void {
  (async () => answer.discard())().catch(() => {});
}

/** Milliseconds in which a body whose time is up can still say what came of it. */
const grace = 10;

const readWithin = (bounds: Limit, read: () => Promise<ReadText>): Promise<ReadText> =>
  new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (result: ReadText) => {
      leave();
      clearTimeout(timer);
      resolve(result);
    };
    const fail = (failure: unknown) => end({ text: '', failure });
    const leave = bounds.listen(() => {
      timer = setTimeout(() => fail(bounds.reason), grace);
    });
    read().then(
      (result) => (typeof result?.text === 'string' ? end(result) : fail(new TypeError('it gave no text'))),
      fail,
    );
  });
