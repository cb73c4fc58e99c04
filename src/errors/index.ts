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
  isIncompleteListError,
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
export {
  ConfigurationError,
  type IncompleteListContext,
  IncompleteListError,
  type InvalidRequestContext,
  InvalidRequestError,
} from './local-errors.js';
export { type ErrorContext, type Outcome, WorktrackError } from './worktrack-error.js';
