import type { ErrorCode, FieldErrors } from '../contract/index.js';
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
  reason?: ErrorCode | (string & {}) | undefined;
  possibleReasons?: readonly ErrorCode[] | undefined;
  fieldErrors?: FieldErrors | undefined;
}

/**
 * Thrown if the server responds with an error status. Some statuses have their own subclass. For all others,
 * `ApiError` itself is thrown.
 */
export class ApiError extends WorktrackError {
  declare readonly name: string;
  declare readonly code: string;
  declare readonly status: number;
  /** The response headers. They aren't enumerable, so they don't appear when the error is printed. */
  declare readonly headers: Headers;
  /**
   * The response body, parsed if it's JSON. It isn't enumerable, so it doesn't appear when the error is
   * printed.
   */
  declare readonly body: unknown;
  /** The time to wait, in seconds, from the `Retry-After` header. */
  declare readonly retryAfter?: number;
  /** The error code in the response, for example `wip_limit_reached`. */
  declare readonly reason?: ErrorCode | (string & {});
  /**
   * The error codes defined by the contract for this operation and status. Useful if the server doesn't send
   * a code.
   */
  declare readonly possibleReasons: readonly ErrorCode[];

  static {
    brandAs(ApiError, 'ApiError', 'api');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { possibleReasons: [], ...context } as ApiErrorContext);
  }

  override get docs(): string {
    const code = this.possibleReasons.find((possible) => possible === this.reason);
    // Newer servers can send codes that don't have a documentation page.
    return code ? `/errors/${code}.html` : super.docs;
  }
}

/** Thrown on 401: the credential is missing, unknown, or revoked. */
export class AuthenticationError extends ApiError {
  declare readonly name: 'AuthenticationError';
  declare readonly code: 'authentication';

  static {
    brandAs(AuthenticationError, 'AuthenticationError', 'authentication');
  }
}

/** Thrown on 403: the credential belongs to another organization or lacks the operation's scope. */
export class PermissionDeniedError extends ApiError {
  declare readonly name: 'PermissionDeniedError';
  declare readonly code: 'permission_denied';

  static {
    brandAs(PermissionDeniedError, 'PermissionDeniedError', 'permission_denied');
  }
}

/** Thrown on 404: the record doesn't exist or is deleted. */
export class NotFoundError extends ApiError {
  declare readonly name: 'NotFoundError';
  declare readonly code: 'not_found';

  static {
    brandAs(NotFoundError, 'NotFoundError', 'not_found');
  }
}

/** Thrown on 422: the payload is invalid or violates an API rule. */
export class UnprocessableError extends ApiError {
  declare readonly name: 'UnprocessableError';
  declare readonly code: 'unprocessable';
  /** The error messages by field. Empty if the server didn't return any. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(UnprocessableError, 'UnprocessableError', 'unprocessable');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { fieldErrors: {}, ...context });
  }
}

/** Thrown on 429: too many requests. `retryAfter` is set if the server sent a `Retry-After` header. */
export class RateLimitError extends ApiError {
  declare readonly name: 'RateLimitError';
  declare readonly code: 'rate_limited';

  static {
    brandAs(RateLimitError, 'RateLimitError', 'rate_limited');
  }
}

/** Thrown on 5xx: the server failed. */
export class ServerError extends ApiError {
  declare readonly name: 'ServerError';
  declare readonly code: 'server';

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
