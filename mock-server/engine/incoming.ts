/** A request with the properties the engine needs: a `Request` or a lightweight object. */
export type Incoming = Pick<Request, 'method' | 'url' | 'headers'> & {
  readonly signal: AbortSignal | undefined;
  /** Null if the request has no body. */
  readonly body: Request['body'] | string;
};

/**
 * Converts `fetch` arguments to a request. Creates a lightweight object for the kinds of arguments the client
 * passes. Creating a `Request` takes longer than responding to it (`npm run bench -- mock-fetch`).
 *
 * @throws TypeError if the arguments aren't valid for `new Request()`
 */
export function incomingOf(input: string | URL | Request, init?: RequestInit | null): Incoming {
  // `fetch` also accepts null for `init`.
  const options = init ?? undefined;
  if (input instanceof Request && options === undefined) return input;
  return plainRequest(input, options) ?? new Request(input, options);
}

/** Returns the `Request` to pass to an override. */
export const requestOf = (incoming: Incoming): Request =>
  incoming instanceof PlainRequest ? incoming.toRequest() : (incoming as unknown as Request);

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Creates the lightweight object. Returns undefined if the arguments require a real `Request`. */
function plainRequest(
  input: string | URL | Request,
  { method = 'GET', headers, body = null, signal, redirect, ...others }: RequestInit = {},
): PlainRequest | undefined {
  const url = input instanceof Request ? '' : String(input);
  const isPlain =
    /^https?:/.test(url) &&
    methods.has(method) &&
    (body === null || (typeof body === 'string' && method !== 'GET' && !changedByEncoding.test(body))) &&
    (!signal || signal instanceof AbortSignal) &&
    (redirect === undefined || redirect === 'manual') &&
    Object.keys(others).length === 0;
  if (!isPlain) return undefined;
  const { href, username, password } = new URL(url);
  if (username || password) return undefined;
  const all = new Headers(headers);
  if (body !== null && !all.has('content-type')) all.set('content-type', 'text/plain;charset=UTF-8');
  return new PlainRequest(method, href, all, body, signal ?? undefined);
}

/**
 * Matches characters that don't survive UTF-8 encoding and decoding: a leading byte order mark is removed,
 * and a lone surrogate becomes U+FFFD.
 */
const changedByEncoding = /^\uFEFF|\p{Surrogate}/u;

class PlainRequest implements Incoming {
  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: Headers,
    readonly body: string | null,
    readonly signal: AbortSignal | undefined,
  ) {}

  toRequest(): Request {
    const { url, method, headers, body, signal = null } = this;
    return new Request(url, { method, headers, body, signal });
  }
}
