/**
 * Sends one request, once, and follows no redirect; for `transport` of the client's options. A rejection
 * means that there was no answer.
 */
export interface Transport {
  (request: TransportRequest): Promise<TransportResponse>;
  /** Whether the transport passes `fetchOptions` to a fetch; calls with that option are rejected if it doesn't. */
  readonly acceptsFetchOptions?: boolean;
}

/** One request as it goes out. */
export interface TransportRequest {
  method: string;
  url: string;
  /** By lower-case name, the credential among them. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** The call's option `fetchOptions`. */
  fetchOptions?: Readonly<Record<string, unknown>>;
  /** When the answer is no longer wanted. */
  cancellation: Cancellation;
}

/** An answer whose body is still to be read, or to be left. */
export interface TransportResponse {
  status: number;
  headers: Headers;
  /** As a `Response` says it, where the platform hides a redirect (`'opaqueredirect'`). */
  type?: string;
  /**
   * Reads the body as UTF-8, and keeps what was read if it's cut off. Called at most once, and never rejects.
   *
   * @param maxBytes the number of bytes, counted after decompression, after which reading stops
   */
  read(maxBytes?: number): Promise<ReadText>;
  /** Leaves the body unread. */
  discard(): void;
}

/** What was read of a body, and how the reading ended. */
export interface ReadText {
  text: string;
  /** Why reading failed; undefined if it didn't. */
  failure?: unknown;
  /** Whether the body is longer than `maxBytes`. */
  isTooLong?: boolean;
}

/** An end that work must heed: a limit of time, or the caller's signal. */
export interface Cancellation {
  readonly aborted: boolean;
  /** Why it ended. */
  readonly reason: unknown;
  /** The same for those who need a signal; made when it is first asked for, since making one costs a lot. */
  readonly signal: AbortSignal;
  /** Calls the listener when it ends, at once where it has; the result takes the listener back. */
  listen(listener: () => void): () => void;
}
