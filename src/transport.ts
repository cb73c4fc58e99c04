/**
 * Sends a request once, without following redirects. Pass it to the client as the `transport` option. The
 * promise must reject only if no response is received.
 *
 * If you know whether any part of the request was written, set `requestWritten` on the error accordingly.
 * Otherwise, the client assumes that the request was written, unless the error code shows that no connection was
 * established. Set `retryable` to false on the error if a retry can't succeed. The client then doesn't retry.
 */
export interface Transport {
  (request: TransportRequest): Promise<TransportResponse>;
  /** Whether the transport passes `fetchOptions` to fetch. If not, calls with that option fail. */
  readonly acceptsFetchOptions?: boolean;
}

/** The request to send. */
export interface TransportRequest {
  method: string;
  url: string;
  /** The headers, including the credential. Names are lowercase. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** The call's `fetchOptions` option. */
  fetchOptions?: Readonly<Record<string, unknown>>;
  /** Aborts on a timeout or when the caller aborts the call. */
  cancellation: Cancellation;
}

/** A response whose body hasn't been read yet. */
export interface TransportResponse {
  status: number;
  headers: Headers;
  /** The `type` of a fetch `Response`, such as `'opaqueredirect'` if the platform hides a redirect. */
  type?: string;
  /**
   * Reads the body as UTF-8. If the body is cut off, resolves to the part that was read. It must never
   * reject. The client calls it at most once.
   *
   * @param maxBytes the maximum number of bytes to read, after decompression
   */
  read(maxBytes?: number): Promise<ReadText>;
  /** Discards the body without reading it. */
  discard(): void;
}

/** The part of the body that was read and, if reading stopped early, the reason. */
export interface ReadText {
  text: string;
  /** The error, if reading failed. */
  failure?: unknown;
  /** Whether the body is longer than `maxBytes`. */
  isTooLong?: boolean;
}

/** Signals a timeout or an abort by the caller. It is cheaper to create than an `AbortSignal`. */
export interface Cancellation {
  readonly aborted: boolean;
  /** The reason for the abort. */
  readonly reason: unknown;
  /** An equivalent `AbortSignal`, created on first use. */
  readonly signal: AbortSignal;
  /**
   * Calls the listener when an abort occurs, or immediately if one has already occurred. Returns a function
   * that removes the listener.
   */
  listen(listener: () => void): () => void;
}
