import type { ErrorCode, FieldErrors } from '../contract/index.js';
import { DOCS_URL } from '../version.js';
import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** Fields shared by errors that include response details. */
export interface ResponseContext extends ErrorContext {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The fields of an {@link ApiError}. */
export interface ApiErrorContext extends ResponseContext {
  retryAfter?: number | undefined;
  /** The error code in the response, if any. */
  code?: ErrorCode | (string & {}) | undefined;
  possibleCodes?: readonly ErrorCode[] | undefined;
  fieldErrors?: FieldErrors | undefined;
}

/**
 * Thrown if the server responds with an error status. Some statuses have a subclass. For all others, the
 * client throws an `ApiError`.
 */
export class ApiError extends WorktrackError {
  declare readonly name: string;
  /**
   * The error code in the response, for example `wip_limit_reached`. If the response has no code, this is the
   * error class's code.
   */
  declare readonly code: ErrorCode | (string & {});
  declare readonly status: number;
  /** The response headers. They aren't enumerable, so they don't appear when the error is printed. */
  declare readonly headers: Headers;
  /**
   * The response body, parsed if it's JSON. It isn't enumerable, so it doesn't appear when the error is
   * printed.
   */
  declare readonly body: unknown;
  /** How long to wait before retrying, in seconds, as requested by the `Retry-After` header. */
  declare readonly retryAfter?: number;
  /**
   * The error codes defined by the contract for this operation and status. Useful if the server doesn't send
   * a code.
   */
  declare readonly possibleCodes: readonly ErrorCode[];

  static {
    brandAs(ApiError, 'ApiError', 'api');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { possibleCodes: [], ...context } as ApiErrorContext);
  }

  override get docs(): string {
    // A newer server can send a code that has no documentation page yet.
    const hasPage = Object.hasOwn(this, 'code') && this.possibleCodes.some((code) => code === this.code);
    return hasPage ? `${DOCS_URL}/errors/${this.code}.html` : super.docs;
  }
}

/** Thrown on 401: the credential is missing, unknown, or revoked. */
export class AuthenticationError extends ApiError {
  declare readonly name: 'AuthenticationError';

  static {
    brandAs(AuthenticationError, 'AuthenticationError', 'authentication');
  }
}

/** Thrown on 403: the credential belongs to another organization or lacks the operation's scope. */
export class PermissionDeniedError extends ApiError {
  declare readonly name: 'PermissionDeniedError';

  static {
    brandAs(PermissionDeniedError, 'PermissionDeniedError', 'permission_denied');
  }
}

/** Thrown on 404: the record doesn't exist or is deleted. */
export class NotFoundError extends ApiError {
  declare readonly name: 'NotFoundError';

  static {
    brandAs(NotFoundError, 'NotFoundError', 'not_found');
  }
}

/** Thrown on 422: the payload is invalid or violates an API rule. */
export class UnprocessableError extends ApiError {
  declare readonly name: 'UnprocessableError';
  /** The error messages by field. Empty if the server didn't return any. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(UnprocessableError, 'UnprocessableError', 'unprocessable');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { fieldErrors: {}, ...context });
  }
}

/**
 * Thrown on 429: too many requests. Also thrown without sending a request if a call can't wait for a
 * rate limit or for the client's `throttle`. `retryAfter` is how long to wait, if known.
 */
export class RateLimitError extends ApiError {
  declare readonly name: 'RateLimitError';

  static {
    brandAs(RateLimitError, 'RateLimitError', 'rate_limited');
  }
}

/** Thrown on 5xx: the server failed. */
export class ServerError extends ApiError {
  declare readonly name: 'ServerError';

  static {
    brandAs(ServerError, 'ServerError', 'server');
  }
}

/** The fields of an {@link InvalidResponseError}. */
export interface InvalidResponseContext extends ResponseContext {
  fieldErrors?: FieldErrors | undefined;
}

/**
 * Thrown if the body of a successful response is unusable or doesn't match the contract. The server has
 * performed the operation.
 */
export class InvalidResponseError extends WorktrackError {
  declare readonly name: 'InvalidResponseError';
  declare readonly code: 'invalid_response';
  declare readonly status: number;
  /** The response headers. They aren't enumerable, so they don't appear when the error is printed. */
  declare readonly headers: Headers;
  /**
   * The response body, parsed if it's JSON. It isn't enumerable, so it doesn't appear when the error is
   * printed.
   */
  declare readonly body: unknown;
  /** The error messages by field. Empty if the entire body is unusable. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(InvalidResponseError, 'InvalidResponseError', 'invalid_response');
  }

  constructor(message: string, context: InvalidResponseContext) {
    super(message, { fieldErrors: {}, ...context } as InvalidResponseContext);
  }
}
