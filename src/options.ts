import type { FieldErrors, OperationId } from './contract/index.js';
import type { Hooks } from './hooks.js';
import type { Logger, LogLevel } from './logger.js';
import type { Transport } from './transport.js';
import type { Wire } from './wire/index.js';

/** Options of a call. The client takes all of them except `signal`, as defaults for its calls. */
export interface CallOptions {
  /** Aborts the call: its attempts, waits and body, and all pages of a list. */
  signal?: AbortSignal | undefined;
  /**
   * The timeout of one attempt, including its body, in milliseconds; `Infinity` for none.
   *
   * @defaultValue 30,000
   */
  timeout?: number | undefined;
  /**
   * The timeout of the whole call, in milliseconds; `Infinity` for none. It includes the token function, all
   * attempts, waits and bodies. For a list, it applies to each page.
   *
   * @defaultValue 120,000
   */
  deadline?: number | undefined;
  /**
   * The maximum size of a response's body in bytes, counted after decompression. The body of a longer
   * response is dropped, and the call fails with an `InvalidResponseError`.
   *
   * @defaultValue 100,000,000
   */
  maxResponseBytes?: number | undefined;
  /**
   * The maximum number of retries, or {@link RetryOptions}.
   *
   * @defaultValue 2
   */
  retry?: number | RetryOptions | undefined;
  /** The organization to work in. Defaults to the client's. */
  organization?: string | undefined;
  /** The credential, or a function that returns it. */
  token?: Token | undefined;
  /** Additional headers. The credential can only be set with `token`. */
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
  /**
   * What to do if a response doesn't match the contract.
   *
   * @defaultValue `'warn'`
   */
  responseValidation?: ResponseValidation | undefined;
}

/** Options of a paginated list. */
export interface ListOptions extends CallOptions {
  /**
   * Whether iterating requests the next page while the current one is processed.
   *
   * @defaultValue false
   */
  prefetch?: boolean | undefined;
}

/** Options of a client. Missing ones come from the environment or have a default. */
export interface ClientOptions extends Omit<ListOptions, 'signal'> {
  /** The URL of the API, with or without `/api/v1`. Defaults to `WORKTRACK_BASE_URL`. */
  baseUrl?: string | URL | undefined;
  /** The credential, or a function that returns it before each attempt. Defaults to `WORKTRACK_TOKEN`. */
  token?: Token | undefined;
  /** The organization to work in. Defaults to `WORKTRACK_ORGANIZATION`. */
  organization?: string | undefined;
  /**
   * The function that sends the requests, for example the mock server's `fetch`. It is called with a URL and
   * options. Defaults to the platform's fetch.
   */
  fetch?: typeof fetch | undefined;
  /** Sends the requests instead of `fetch`, for example `nodeTransport()` from `worktrack/node`. */
  transport?: Transport | undefined;
  /** The parts of the wire format in which your deployment differs from this package's defaults. */
  wire?: Partial<Wire> | undefined;
  /** Limits for all calls of the client together, such as `{ requestsPerMinute: 600, concurrency: 8 }`. */
  budget?: Budget | undefined;
  /** Functions that are called on requests, responses, retries, rate-limit pauses and errors. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /** Writes the log. Defaults to `console`. */
  logger?: Logger | undefined;
  /**
   * The least severe level that is logged; `'off'` for none.
   *
   * @defaultValue `WORKTRACK_LOG_LEVEL`, or `'warn'`
   */
  logLevel?: LogLevel | undefined;
  /**
   * Whether log entries at `debug` include the bodies of requests and responses.
   *
   * @defaultValue false
   */
  logBodies?: boolean | undefined;
  /**
   * Whether the client may send the credential over plain http to hosts other than loopback and `.test`.
   *
   * @defaultValue false
   */
  allowPlainHttp?: boolean | undefined;
}

/** Limits that a client applies to its own calls. */
export interface Budget {
  /** The maximum number of attempts started within any 60 seconds. Unlimited by default. */
  requestsPerMinute?: number | undefined;
  /** The maximum number of attempts in flight at the same time. Unlimited by default. */
  concurrency?: number | undefined;
}

/**
 * A credential, or a function that returns one. The client calls the function before each attempt, so the
 * function should cache its result. After a 401, the client calls it once more, with the rejected credential, and
 * retries the call if the result differs.
 */
export type Token = string | ((request: TokenRequest) => string | Promise<string>);

/** The argument of a token function. */
export interface TokenRequest {
  /** The credential that the server has just rejected (401). Otherwise undefined. */
  rejected?: string;
}

/** How failed attempts are retried. */
export interface RetryOptions {
  /**
   * The maximum number of retries.
   *
   * @defaultValue 2
   */
  limit?: number | undefined;
  /**
   * The maximum of the exponential backoff, in milliseconds.
   *
   * @defaultValue 8,000
   */
  maxDelay?: number | undefined;
  /**
   * The longest `Retry-After` that a call waits for, in milliseconds.
   *
   * @defaultValue 60,000
   */
  maxRetryAfter?: number | undefined;
}

/**
 * What to do if a response doesn't match the contract:
 *
 * - `'warn'` logs each operation and field once.
 * - `'throw'` throws an `InvalidResponseError`.
 * - `'off'` skips the validation.
 * - A function is called and awaited. If it throws, the call fails with an `InvalidResponseError` whose
 *   `cause` is that error.
 */
export type ResponseValidation = 'warn' | 'throw' | 'off' | ((mismatch: ResponseMismatch) => void);

/** A response that doesn't match the contract. */
export interface ResponseMismatch {
  operation: OperationId;
  /** The mismatches by field. Items of a list have their index in the name (`3.title`). */
  fieldErrors: FieldErrors;
  /** The record or list as the server sent it. */
  data: unknown;
}
