/**
 * The parts of a request that the engine reads. It is a platform `Request`, or a lighter object with the same
 * fields.
 */
export type Incoming = Pick<Request, 'method' | 'url' | 'headers' | 'text'> & {
  readonly signal: AbortSignal | undefined;
  /** Null if the request has no body. */
  readonly body: unknown;
};

/**
 * Converts the arguments of `fetch` to a request. Creating a `Request` takes longer than the engine takes to
 * respond (`npm run bench -- mock-fetch`), so a lighter object is used for a URL with the options that the
 * client passes.
 *
 * @throws TypeError as the platform's constructor does
 */
export function incomingOf(input: string | URL | Request, init?: RequestInit | null): Incoming {
  // `fetch` accepts null for "no options".
  const options = init ?? undefined;
  if (input instanceof Request && options === undefined) return input;
  return plainRequest(input, options) ?? new Request(input, options);
}

/** Creates the `Request` that an override receives. */
export const wholeRequest = (incoming: Incoming): Request =>
  incoming instanceof PlainRequest ? incoming.whole() : (incoming as unknown as Request);

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** @returns undefined for unusual arguments, which the platform's constructor handles */
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

/** A leading byte order mark, which is removed, or half a surrogate pair, which becomes U+FFFD. */
const changedByEncoding = /^\uFEFF|\p{Surrogate}/u;

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
