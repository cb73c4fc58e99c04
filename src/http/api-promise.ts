/** A promise of an operation's result that also gives access to the whole response. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** Resolves to the result with the response's status, headers, request ID and the number of attempts. */
  withResponse(): Promise<ApiResponse<Result>>;
  /**
   * Resolves to a platform `Response` with the status, the headers and the body as the server sent them. The
   * call fails with the same errors as the promise itself.
   */
  asResponse(): Promise<Response>;
}

/** A result with the response that it was read from. */
export interface ApiResponse<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The ID that the server gave the request. */
  requestId: string | undefined;
  /** The number of attempts, including the first. */
  attempts: number;
}

/** A response that was read to its end, with its body. */
export interface ReadResponse extends ApiResponse<unknown> {
  text: string | undefined;
}

export function toApiPromise<Result>(response: Promise<ReadResponse>): ApiPromise<Result> {
  const result = response.then(({ data }) => data as Result);
  /** The caller handles the failure of `response`, so that of `result` isn't an unhandled rejection. */
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
  // These headers describe the body before decompression.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response([204, 205].includes(status) ? null : text, { status, headers });
}
