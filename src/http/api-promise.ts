/** A promise of an operation's result that also gives access to the whole response. */
export interface ApiPromise<Result> extends Promise<Result> {
  /** Resolves to the result with the response's status, headers, request ID and the number of attempts. */
  withResponse(): Promise<ApiResponse<Result>>;
}

/** A result and the response that it came in. */
export interface ApiResponse<Result> {
  data: Result;
  status: number;
  headers: Headers;
  /** The ID that the server gave the request. */
  requestId: string | undefined;
  /** The number of attempts, including the first. */
  attempts: number;
}

export function toApiPromise<Result>(response: Promise<ApiResponse<unknown>>): ApiPromise<Result> {
  const result = response.then(({ data }) => data as Result);
  const withResponse = () => {
    // The caller handles the failure of `response`, so that of `result` isn't an unhandled rejection.
    result.catch(() => {});
    return response as Promise<ApiResponse<Result>>;
  };
  return Object.assign(result, { withResponse });
}
