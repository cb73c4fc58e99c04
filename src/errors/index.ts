export {
  ApiError,
  type ApiErrorContext,
  AuthenticationError,
  type InvalidResponseContext,
  InvalidResponseError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  type ResponseContext,
  ServerError,
  UnprocessableError,
} from './api-errors.js';
export {
  isApiError,
  isAuthenticationError,
  isConfigurationError,
  isConnectionError,
  isInvalidRequestError,
  isInvalidResponseError,
  isNotFoundError,
  isPermissionDeniedError,
  isRateLimitError,
  isRequestAbortedError,
  isRequestTimeoutError,
  isServerError,
  isUnprocessableError,
  isWorktrackError,
} from './guards.js';
export {
  type ConnectionContext,
  ConnectionError,
  RequestAbortedError,
  RequestTimeoutError,
  type TimeoutContext,
} from './interrupted-errors.js';
export { ConfigurationError, type InvalidRequestContext, InvalidRequestError } from './local-errors.js';
export { type ErrorContext, type Outcome, WorktrackError } from './worktrack-error.js';
