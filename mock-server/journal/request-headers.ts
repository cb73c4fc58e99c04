/** A request's headers in their original form. They're converted only when the journal entry is read. */
export type RequestHeaders = Headers | NodeJSHeaders;

type NodeJSHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request, possibly from a Node.js server. */
interface RequestWithHeaders {
  readonly headers: Headers;
  readonly runtime?: { readonly node?: { readonly req: { readonly headers: NodeJSHeaders } } };
}

/** Returns a request's headers. Keeping the whole request would also keep its socket in memory. */
export function retainedHeaders(request: RequestWithHeaders): RequestHeaders {
  return request.runtime?.node?.req.headers ?? request.headers;
}

/** @param hidden the lowercase names of the headers to redact */
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
  // Iterating over a `Headers` object takes longer than handling most requests.
  if (headers instanceof Headers) return 500;
  let length = 0;
  for (const name in headers) length += name.length + String(headers[name]).length;
  return length;
}

/** Headers that can contain a credential, in addition to the configured header. */
export const credentialHeaders: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];
