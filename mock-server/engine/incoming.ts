/** A request as the engine reads it: the platform's own, or one that was never made into that. */
export type Incoming = Pick<Request, 'method' | 'url' | 'headers' | 'text'> & {
  readonly signal: AbortSignal | undefined;
  /** Null where there is none. */
  readonly body: unknown;
};

/**
 * The request that arguments of `fetch` stand for. A `Request` costs more than everything that the engine
 * does to answer it, so none is made for a plain address with plain options, which is what the client sends.
 *
 * @throws TypeError as the platform's does
 */
export function incomingOf(input: string | URL | Request, init?: RequestInit | null): Incoming {
  // The platform takes null for none.
  const options = init ?? undefined;
  if (input instanceof Request && options === undefined) return input;
  return plainRequest(input, options) ?? new Request(input, options);
}

/** The platform's request, as an override sees it. */
export const wholeRequest = (incoming: Incoming): Request =>
  incoming instanceof PlainRequest ? incoming.whole() : (incoming as unknown as Request);

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** @returns undefined for anything out of the ordinary, which the platform is to judge */
function plainRequest(
  input: string | URL | Request,
  { method = 'GET', headers, body = null, signal, redirect, ...others }: RequestInit = {},
): PlainRequest | undefined {
  const address = input instanceof Request ? '' : String(input);
  const isPlain =
    /^https?:/.test(address) &&
    methods.has(method) &&
    (body === null || (typeof body === 'string' && method !== 'GET' && !isChangedOnTheWay.test(body))) &&
    (!signal || signal instanceof AbortSignal) &&
    (redirect === undefined || redirect === 'manual') &&
    Object.keys(others).length === 0;
  if (!isPlain) return undefined;
  const { href, username, password } = new URL(address);
  if (username || password) return undefined;
  return new PlainRequest(method, href, new Headers(headers), body, signal ?? undefined);
}

/** A byte order mark at the beginning, which is lost, or half a character, which becomes U+FFFD. */
const isChangedOnTheWay = /^\uFEFF|\p{Surrogate}/u;

class PlainRequest implements Incoming {
  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: Headers,
    readonly body: string | null,
    readonly signal: AbortSignal | undefined,
  ) {}

  async text(): Promise<string> {
    return this.body ?? '';
  }

  whole(): Request {
    const { url, method, headers, body, signal = null } = this;
    return new Request(url, { method, headers, body, signal });
  }
}
