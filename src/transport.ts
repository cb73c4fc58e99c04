/**
 * Sends a request once, without following redirects. Pass it to the client as `transport`. If the promise is
 * rejected, there was no response.
 */
export interface Transport {
  (request: TransportRequest): Promise<TransportResponse>;
  /** Whether the transport passes `fetchOptions` to fetch. If it doesn't, calls with that option are rejected. */
  readonly acceptsFetchOptions?: boolean;
}

/** A request to send. */
export interface TransportRequest {
  method: string;
  url: string;
  /** The headers by lower-case name, including the credential. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** The call's option `fetchOptions`. */
  fetchOptions?: Readonly<Record<string, unknown>>;
  /** Aborts after a timeout, or when the caller aborts the call. */
  cancellation: Cancellation;
}

/** A response whose body hasn't been read yet. */
export interface TransportResponse {
  status: number;
  headers: Headers;
  /** The `type` of fetch's `Response`: `'opaqueredirect'` if the platform hides a redirect. */
  type?: string;
  /**
   * Reads the body as UTF-8, and keeps what was read if it's cut off. Called at most once, and never rejects.
   *
   * @param maxBytes the number of bytes, counted after decompression, after which reading stops
   */
  read(maxBytes?: number): Promise<ReadText>;
  /** Discards the body without reading it. */
  discard(): void;
}

/** The body as far as it was read, and why reading stopped. */
export interface ReadText {
  text: string;
  /** Why reading failed; undefined if it didn't. */
  failure?: unknown;
  /** Whether the body is longer than `maxBytes`. */
  isTooLong?: boolean;
}

/** A timeout or the caller's signal. Cheaper to create than an `AbortSignal`. */
export interface Cancellation {
  readonly aborted: boolean;
  /** Why it was aborted. */
  readonly reason: unknown;
  /** The same as an `AbortSignal`. It is created on first use because that is expensive. */
  readonly signal: AbortSignal;
  /** Calls the listener on abort, immediately if it's already aborted. Returns a function that removes the listener. */
  listen(listener: () => void): () => void;
}
