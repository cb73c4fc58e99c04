/** A request's headers, kept until somebody looks at them. */
export type RequestHeaders = Headers | NodeJSHeaders;

type NodeJSHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request, which may have come through Node.js. */
interface KeptRequest {
  readonly headers: Headers;
  readonly runtime?: { readonly node?: { readonly req?: { readonly headers: NodeJSHeaders } } };
}

/** The part of a request that has to be kept for its headers: the request itself would keep its socket. */
export function keepHeaders(request: KeptRequest): RequestHeaders {
  return request.runtime?.node?.req?.headers ?? request.headers;
}

/** @param hidden names of headers, in lower case, whose values nobody may see */
export function readHeaders(headers: RequestHeaders, hidden: ReadonlySet<string>): Record<string, string> {
  const entries = headers instanceof Headers ? headers : Object.entries(headers);
  const read: [string, string][] = [];
  for (const [name, value] of entries) {
    if (value !== undefined) read.push([name, hidden.has(name) ? '[hidden]' : String(value)]);
  }
  return Object.fromEntries(read);
}

/** Returns roughly how many characters the headers have. */
export function headersLength(headers: RequestHeaders): number {
  // Of the platform's headers only the loop over all would tell, which takes longer than most requests.
  if (headers instanceof Headers) return 500;
  let length = 0;
  for (const name in headers) length += name.length + String(headers[name]).length;
  return length;
}

/** Headers that carry a credential, besides the one that the wire says. */
export const credentialHeaders: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];
