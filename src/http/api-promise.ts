/** A promise for an operation's result that also provides access to the response. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** Resolves to the result along with the response status, headers, request ID, and number of attempts. */
  withResponse(): Promise<ApiResponse<Result>>;
  /**
   * Resolves to a `Response` with the status, headers, and body that the server sent. Rejects with the same
   * errors as the promise itself.
   */
  asResponse(): Promise<Response>;
}

/** A result with response details. */
export interface ApiResponse<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The request ID returned by the server. */
  requestId: string | undefined;
  /** The number of attempts, including the first. */
  attempts: number;
}

/** A response whose body has been read. */
export interface ReadResponse extends ApiResponse<unknown> {
  text: string | undefined;
}

export function toApiPromise<Result>(response: Promise<ReadResponse>): ApiPromise<Result> {
  const result = response.then(({ data }) => data as Result);
  /**
   * Callers handle errors through the returned promise, so `result` must not cause an unhandled rejection.
   */
  const fromResponse = <Value>(convert: (response: ReadResponse) => Value): Promise<Value> => {
    result.catch(() => {});
    return response.then(convert);
  };
  return Object.assign(result, {
    withResponse: () => fromResponse(({ text: _, ...rest }) => rest as ApiResponse<Result>),
    asResponse: () => fromResponse(toResponse),
  });
}

function toResponse({ text, status, headers: original }: ReadResponse): Response {
  const headers = new Headers(original);
  // These headers describe the compressed body, but the body has been decompressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response([204, 205].includes(status) ? null : text, { status, headers });
}
