/** The headers of a request, converted on first access. */
export type RequestHeaders = Headers | NodeJSHeaders;

type NodeJSHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request, which may come from Node.js. */
interface KeptRequest {
  readonly headers: Headers;
  readonly runtime?: { readonly node?: { readonly req?: { readonly headers: NodeJSHeaders } } };
}

/**
 * Returns the part of a request that holds its headers. Keeping the request itself would also keep its
 * socket.
 */
export function keepHeaders(request: KeptRequest): RequestHeaders {
  return request.runtime?.node?.req?.headers ?? request.headers;
}

/** @param hidden names of headers, in lower case, whose values are hidden */
export function readHeaders(headers: RequestHeaders, hidden: ReadonlySet<string>): Record<string, string> {
  const entries = headers instanceof Headers ? headers : Object.entries(headers);
  const read: [string, string][] = [];
  for (const [name, value] of entries) {
    if (value !== undefined) read.push([name, hidden.has(name) ? '[hidden]' : String(value)]);
  }
  return Object.fromEntries(read);
}

/** Estimates the number of characters in the headers. */
export function headersLength(headers: RequestHeaders): number {
  // For platform headers, counting requires a loop over all of them, which takes longer than most requests.
  if (headers instanceof Headers) return 500;
  let length = 0;
  for (const name in headers) length += name.length + String(headers[name]).length;
  return length;
}

/** Headers that can contain a credential, besides the configured one. */
export const credentialHeaders: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];
