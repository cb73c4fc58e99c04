import {
  ApiError,
  AuthenticationError,
  InvalidResponseError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './api-errors.js';
import { ConnectionError, RequestAbortedError, RequestTimeoutError } from './interrupted-errors.js';
import { ConfigurationError, IncompleteListError, InvalidRequestError } from './local-errors.js';
import { WorktrackError } from './worktrack-error.js';

/** Checks whether a value is an error from this package or from another copy of it. */
export const isWorktrackError = (value: unknown): value is WorktrackError => value instanceof WorktrackError;

export const isConfigurationError = (value: unknown): value is ConfigurationError =>
  value instanceof ConfigurationError;

export const isInvalidRequestError = (value: unknown): value is InvalidRequestError =>
  value instanceof InvalidRequestError;

export const isIncompleteListError = (value: unknown): value is IncompleteListError =>
  value instanceof IncompleteListError;

export const isConnectionError = (value: unknown): value is ConnectionError =>
  value instanceof ConnectionError;

export const isRequestTimeoutError = (value: unknown): value is RequestTimeoutError =>
  value instanceof RequestTimeoutError;

export const isRequestAbortedError = (value: unknown): value is RequestAbortedError =>
  value instanceof RequestAbortedError;

/** Checks whether a value is an {@link ApiError} with any status. */
export const isApiError = (value: unknown): value is ApiError => value instanceof ApiError;

export const isAuthenticationError = (value: unknown): value is AuthenticationError =>
  value instanceof AuthenticationError;

export const isPermissionDeniedError = (value: unknown): value is PermissionDeniedError =>
  value instanceof PermissionDeniedError;

export const isNotFoundError = (value: unknown): value is NotFoundError => value instanceof NotFoundError;

export const isUnprocessableError = (value: unknown): value is UnprocessableError =>
  value instanceof UnprocessableError;

export const isRateLimitError = (value: unknown): value is RateLimitError => value instanceof RateLimitError;

export const isServerError = (value: unknown): value is ServerError => value instanceof ServerError;

export const isInvalidResponseError = (value: unknown): value is InvalidResponseError =>
  value instanceof InvalidResponseError;
