import type { ErrorCode, FieldErrors } from '../contract/index.js';
import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** What an error knows about the answer it stems from. */
export interface ResponseContext extends ErrorContext {
  status: number;
  headers: Headers;
  body: unknown;
}

/** What an {@link ApiError} knows. */
export interface ApiErrorContext extends ResponseContext {
  retryAfter?: number | undefined;
  reason?: ErrorCode | (string & {}) | undefined;
  possibleReasons?: readonly ErrorCode[] | undefined;
  fieldErrors?: FieldErrors | undefined;
}

/** The server answered with a status that is no success; base of the classes below, and the class of any other status. */
export class ApiError extends WorktrackError {
  declare readonly name: string;
  declare readonly code: string;
  declare readonly status: number;
  /** The answer's headers; not shown when the error is printed. */
  declare readonly headers: Headers;
  /** The answer's body: parsed where it is JSON, else text; not shown when the error is printed. */
  declare readonly body: unknown;
  /** Seconds that the server asks to wait. */
  declare readonly retryAfter?: number;
  /** The error code that the server gave, for example `wip_limit_reached`. */
  declare readonly reason?: ErrorCode | (string & {});
  /** The codes that the contract lists for this operation and status, for servers that give none. */
  declare readonly possibleReasons: readonly ErrorCode[];

  static {
    brandAs(ApiError, 'ApiError', 'api');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { possibleReasons: [], ...context } as ApiErrorContext);
  }
}

/** 401: the credential is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {
  declare readonly name: 'AuthenticationError';
  declare readonly code: 'authentication';

  static {
    brandAs(AuthenticationError, 'AuthenticationError', 'authentication');
  }
}

/** 403: the credential belongs to another organization, or lacks the operation's scope. */
export class PermissionDeniedError extends ApiError {
  declare readonly name: 'PermissionDeniedError';
  declare readonly code: 'permission_denied';

  static {
    brandAs(PermissionDeniedError, 'PermissionDeniedError', 'permission_denied');
  }
}

/** 404: the record does not exist or is deleted. */
export class NotFoundError extends ApiError {
  declare readonly name: 'NotFoundError';
  declare readonly code: 'not_found';

  static {
    brandAs(NotFoundError, 'NotFoundError', 'not_found');
  }
}

/** 422: the server refused the payload, or a rule forbids what it asks for. */
export class UnprocessableError extends ApiError {
  declare readonly name: 'UnprocessableError';
  declare readonly code: 'unprocessable';
  /** What is wrong, by field; empty where the server named none. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(UnprocessableError, 'UnprocessableError', 'unprocessable');
  }

  constructor(message: string, context: ApiErrorContext) {
    super(message, { fieldErrors: {}, ...context });
  }
}

/** 429: too many requests; `retryAfter` says for how long, where the server does. */
export class RateLimitError extends ApiError {
  declare readonly name: 'RateLimitError';
  declare readonly code: 'rate_limited';

  static {
    brandAs(RateLimitError, 'RateLimitError', 'rate_limited');
  }
}

/** 5xx: the server failed. */
export class ServerError extends ApiError {
  declare readonly name: 'ServerError';
  declare readonly code: 'server';

  static {
    brandAs(ServerError, 'ServerError', 'server');
  }
}

/** What an {@link InvalidResponseError} knows. */
export interface InvalidResponseContext extends ResponseContext {
  fieldErrors?: FieldErrors | undefined;
}

/** A success whose body is not what the contract says; the server has done what was asked. */
export class InvalidResponseError extends WorktrackError {
  declare readonly name: 'InvalidResponseError';
  declare readonly code: 'invalid_response';
  declare readonly status: number;
  /** The answer's headers; not shown when the error is printed. */
  declare readonly headers: Headers;
  /** What was read: parsed where it is JSON, else text; not shown when the error is printed. */
  declare readonly body: unknown;
  /** What does not fit, by field; empty where the body as a whole is to blame. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(InvalidResponseError, 'InvalidResponseError', 'invalid_response');
  }

  constructor(message: string, context: InvalidResponseContext) {
    super(message, { fieldErrors: {}, ...context } as InvalidResponseContext);
  }
}
