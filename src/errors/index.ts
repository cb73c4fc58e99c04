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
