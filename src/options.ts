import type { FieldErrors, OperationId } from './contract/index.js';
import type { CallContext, Hooks } from './hooks.js';
import type { Logger, LogLevel } from './logger.js';
import type { WireFormat } from './wire/index.js';

/** Call options. You can also pass every option except `signal` to the client as a default for all calls. */
export interface CallOptions {
  /**
   * Aborts the call, including any waits and retries. For a list, the signal aborts the requests for all
   * pages.
   */
  signal?: AbortSignal | undefined;
  /**
   * The timeout for each attempt, including reading the body, in milliseconds. `Infinity` disables the
   * timeout.
   *
   * @defaultValue 30,000
   */
  timeout?: number | undefined;
  /**
   * The timeout for the entire call, in milliseconds. It includes the token function, all attempts, and the
   * waits between them. For a list, the timeout applies to each page. For `findOrCreate`, it applies to all
   * requests combined. `Infinity` disables the timeout.
   *
   * @defaultValue 120,000
   */
  totalTimeout?: number | undefined;
  /**
   * The maximum size of a decompressed response body, in bytes. If the body of a successful response is
   * larger, the call fails with an `InvalidResponseError`. Error bodies are cut off at this size or at 1 MiB,
   * whichever is smaller.
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
  /** The organization ID. Defaults to the client's organization. */
  organization?: string | undefined;
  /** The credential, or a function that returns it. */
  token?: Token | undefined;
  /** Additional request headers. To set the credential, use `token`. */
  headers?: RequestInit['headers'] | undefined;
  /**
   * Whether to wait if the credential is rate-limited because of an earlier 429 or
   * `throttle.requestsPerMinute`. If false, the call fails immediately with a `RateLimitError`. Its
   * `outcome` is `not_sent` unless an earlier attempt was sent.
   *
   * @defaultValue true. If `retry` is 0, calls don't wait after a 429 but still wait for the throttle.
   */
  waitForRateLimit?: boolean | undefined;
  /**
   * Any value that identifies what the call is for, such as a request ID or a tenant. The client passes it to
   * hooks and the logger, and never sends it. To set its type, see `Register`.
   */
  context?: CallContext | undefined;
  /**
   * Platform-specific options for `fetch`, for example `{ next: { revalidate: 60 } }`. They don't override
   * the method, headers, body, or signal.
   */
  fetchOptions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * What to do if a response doesn't match the contract.
   *
   * @defaultValue `'warn'`
   */
  responseValidation?: ResponseValidation | undefined;
}

/** Options for paginated lists. */
export interface ListOptions extends CallOptions {
  /**
   * Whether to request the next page while the current page is being processed.
   *
   * @defaultValue false
   */
  prefetch?: boolean | undefined;
}

/** Client options. Omitted options are read from the environment or fall back to a default. */
export interface ClientOptions extends Omit<ListOptions, 'signal'> {
  /** The API's base URL, with or without `/api/v1`. Defaults to `WORKTRACK_BASE_URL`. */
  baseUrl?: string | URL | undefined;
  /** The credential, or a function that returns it. Defaults to `WORKTRACK_TOKEN`. */
  token?: Token | undefined;
  /** The organization ID. Defaults to `WORKTRACK_ORGANIZATION`. */
  organization?: string | undefined;
  /**
   * The fetch function that sends requests, for example the mock server's `fetch`. It is called with a URL
   * and options. Defaults to the global `fetch`.
   */
  fetch?: typeof fetch | undefined;
  /** Overrides for the default wire format, if your deployment uses a different one. */
  wire?: Partial<WireFormat> | undefined;
  /** Limits for each credential's requests, such as `{ requestsPerMinute: 600, concurrency: 8 }`. */
  throttle?: Throttle | undefined;
  /** Functions to call on requests, responses, retries, rate-limit pauses, and errors. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /** The logger. Defaults to `console`. */
  logger?: Logger | undefined;
  /**
   * The lowest level to log. `'off'` disables logging.
   *
   * @defaultValue `WORKTRACK_LOG_LEVEL`, or `'warn'`
   */
  logLevel?: LogLevel | undefined;
  /**
   * Whether `debug` log entries include request and response bodies.
   *
   * @defaultValue false
   */
  logBodies?: boolean | undefined;
  /**
   * Whether the deployment puts tickets without a board on a default board. If true, the client accepts new
   * tickets without `board_id` and `board_slug`. To make the types accept them too, set `defaultBoard` in
   * {@link Register}.
   *
   * @defaultValue `WORKTRACK_DEFAULT_BOARD`, or false
   */
  defaultBoard?: boolean | undefined;
  /**
   * Whether to allow plain HTTP for hosts other than loopback and `.test` hosts. Plain HTTP exposes the
   * credential to the network.
   *
   * @defaultValue false
   */
  allowPlainHttp?: boolean | undefined;
}

/**
 * The limits that a client applies to its own requests. Each credential has its own limits. Requests over the
 * limit are queued and sent in the order they were made.
 */
export interface Throttle extends ThrottleLimits {
  /**
   * Limits for all credentials combined. Credentials take turns, so a busy credential can't delay the others.
   */
  total?: ThrottleLimits | undefined;
}

/** The limits for one credential, or for all credentials combined. */
export interface ThrottleLimits {
  /** The maximum number of attempts started in any 60-second window. Unlimited by default. */
  requestsPerMinute?: number | undefined;
  /** The maximum number of attempts in flight. Unlimited by default. */
  concurrency?: number | undefined;
}

/**
 * A credential, or a function that returns one. The client calls the function before each attempt (once for
 * concurrent attempts), so the function should cache its result. After a 401, the client calls the function
 * again with the rejected credential. If the function returns a different credential, the client retries the
 * call.
 */
export type Token = string | ((request: TokenRequest) => string | Promise<string>);

/** The argument passed to a token function. */
export interface TokenRequest {
  /** The credential that the server rejected with a 401, if any. */
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
   * The maximum delay of the exponential backoff, in milliseconds.
   *
   * @defaultValue 8,000
   */
  maxDelay?: number | undefined;
  /**
   * The maximum `Retry-After` wait, in milliseconds. If the server requests a longer wait, the call fails.
   *
   * @defaultValue 60,000
   */
  maxRetryAfter?: number | undefined;
}

/**
 * What to do if a response doesn't match the contract:
 *
 * - `'warn'` logs a warning, once per operation and field.
 * - `'throw'` throws an `InvalidResponseError`.
 * - `'off'` skips validation.
 * - A function is called with the mismatch, and the call waits until it finishes. If the function throws, the
 *   call fails with an `InvalidResponseError` whose `cause` is that error.
 */
export type ResponseValidation = 'warn' | 'throw' | 'off' | ((mismatch: ResponseMismatch) => void);

/** A response that doesn't match the contract. */
export interface ResponseMismatch {
  operation: OperationId;
  /** The error messages by field. For list items, field names include the index (`3.title`). */
  fieldErrors: FieldErrors;
  /** The record or list, as sent by the server. */
  data: unknown;
}
