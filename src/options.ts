import type { FieldErrors, OperationId } from './contract/index.js';
import type { Hooks } from './hooks.js';
import type { Logger, LogLevel } from './logger.js';
import type { Transport } from './transport.js';
import type { Wire } from './wire/index.js';

/** What a call can be told; each is also a default of the client, but for `signal`. */
export interface CallOptions {
  /** Ends the call: waits, attempts, the body, and all pages of a list. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, its body included; 30,000 by default, `Infinity` for no limit. */
  timeout?: number | undefined;
  /**
   * Milliseconds for the whole call: token function, attempts, waits and bodies; for a list, for
   * each page. 120,000 by default, `Infinity` for no limit.
   */
  deadline?: number | undefined;
  /**
   * The maximum size of a response's body in bytes, counted after decompression. The body of a longer one
   * is dropped, and the call fails with an `InvalidResponseError`.
   *
   * @defaultValue 100,000,000
   */
  maxResponseBytes?: number | undefined;
  /** How often to repeat after the first attempt, 2 by default, or {@link RetryOptions}. */
  retry?: number | RetryOptions | undefined;
  /** Organization of the operations that name one in their path; the client's by default. */
  organization?: string | undefined;
  /** The credential, or a function that gets it. */
  token?: Token | undefined;
  /** Headers beside the client's own; the credential goes through `token` only. */
  headers?: HeadersInit | undefined;
  /**
   * Whether the call waits if the server limits the rate of its credential after an earlier 429. If it doesn't,
   * it fails immediately with a `RateLimitError` whose `outcome` is `not_sent`.
   *
   * @defaultValue true, or false if `retry` is 0
   */
  waitForRateLimit?: boolean | undefined;
  /**
   * Options that a platform adds to `fetch`, for example `{ next: { revalidate: 60 } }`. The client's own method,
   * headers, body and signal win. Transports that don't use fetch reject this option.
   */
  fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /** What to do with a field of an answer that does not fit the contract; `'warn'` by default. */
  responseValidation?: ResponseValidation | undefined;
}

/** {@link CallOptions} of a list that comes in pages. */
export interface ListOptions extends CallOptions {
  /** Ask for the next page while this one is used; false by default. */
  prefetch?: boolean | undefined;
}

/** How to make a client; what is left out comes from the environment or has a default. */
export interface ClientOptions extends Omit<ListOptions, 'signal'> {
  /** Where the API is, with or without `/api/v1`; `WORKTRACK_BASE_URL` by default. */
  baseUrl?: string | URL | undefined;
  /** The credential, or a function that gets it for each attempt; `WORKTRACK_TOKEN` by default. */
  token?: Token | undefined;
  /** The organization to work in; `WORKTRACK_ORGANIZATION` by default. */
  organization?: string | undefined;
  /** What sends the requests, for example the reference server's `fetch`; the platform's by default. It is called with a URL and options. */
  fetch?: typeof fetch | undefined;
  /** What sends the requests in place of `fetch`, for example `nodeTransport()` of `worktrack/node`. */
  transport?: Transport | undefined;
  /** Wire details that differ from this package's choices. */
  wire?: Partial<Wire> | undefined;
  /** Limits of one's own over all calls of the client, such as `{ requestsPerMinute: 600, concurrency: 8 }`. */
  budget?: Budget | undefined;
  /** Told of requests, answers, repeats and errors as they happen. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /** Where lines are written; `console` by default. */
  logger?: Logger | undefined;
  /** The least severe lines that are written; `'warn'` by default, `'off'` for none. */
  logLevel?: LogLevel | undefined;
  /** Whether the lines at `debug` carry the bodies of requests and answers; false by default. */
  logBodies?: boolean | undefined;
  /** Whether the credential may go over plain http to another machine; false by default. */
  allowPlainHttp?: boolean | undefined;
}

/** Limits that a client imposes on its own calls. */
export interface Budget {
  /** Attempts started within any 60 seconds, a positive integer; unlimited by default. */
  requestsPerMinute?: number | undefined;
  /** Attempts in flight at the same time, a positive integer; unlimited by default. */
  concurrency?: number | undefined;
}

/**
 * A credential, or a function that gets one; it is asked before each attempt, so let it keep what it has
 * got. After a 401 it is asked once more, with the credential that was refused, and the call repeated.
 */
export type Token = string | ((request: TokenRequest) => string | Promise<string>);

/** What a token function is told. */
export interface TokenRequest {
  /** The credential that the server has just refused (401); undefined where any will do. */
  rejected?: string;
}

/** How failed attempts are repeated. */
export interface RetryOptions {
  /** Repeats after the first attempt, an integer from 0; 2 by default. */
  limit?: number | undefined;
  /** The longest wait of our own choice, in milliseconds; 8,000 by default. */
  maxDelay?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds; 60,000 by default. */
  maxRetryAfter?: number | undefined;
}

/**
 * `'warn'` prints each operation and field once, `'throw'` raises an `InvalidResponseError`, `'off'` does
 * not look. A function is told, and waited for; what it throws becomes the cause of an `InvalidResponseError`.
 */
export type ResponseValidation = 'warn' | 'throw' | 'off' | ((mismatch: ResponseMismatch) => void);

/** An answer that does not fit the contract. */
export interface ResponseMismatch {
  operation: OperationId;
  /** What does not fit, by field; an item of a list by its index (`3.title`). */
  fieldErrors: FieldErrors;
  /** The record or the list as it came. */
  data: unknown;
}
