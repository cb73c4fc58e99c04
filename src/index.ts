export { type BulkOptions, type BulkProgress, type BulkReport, type BulkResult, bulk } from './bulk.js';
export { type UncheckedInput, Worktrack } from './client.js';
export type { ErrorCode, FieldErrors, Method, OperationId, Scope } from './contract/index.js';
export { documentStatuses, limits, priorities, scopes } from './contract/index.js';
export type * from './contract/types.js';
export {
  ApiError,
  type ApiErrorContext,
  AuthenticationError,
  ConfigurationError,
  type ConnectionContext,
  ConnectionError,
  type ErrorContext,
  type IncompleteListContext,
  IncompleteListError,
  type InvalidRequestContext,
  InvalidRequestError,
  type InvalidResponseContext,
  InvalidResponseError,
  NotFoundError,
  type Outcome,
  PermissionDeniedError,
  RateLimitError,
  RequestAbortedError,
  RequestTimeoutError,
  type ResponseContext,
  ServerError,
  type TimeoutContext,
  UnprocessableError,
  WorktrackError,
} from './errors/index.js';
export type {
  CallContext,
  CallEvent,
  ErrorEvent,
  Hooks,
  NewTicket,
  PauseEvent,
  Register,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './hooks.js';
export type { RawInput } from './http/build-request.js';
export type { FindByKey, FindByKeyOptions, FindByMatch, FindOptions } from './http/find-or-create.js';
export type { CallInput } from './http/operation-client.js';
export type { Page, PageList, PagesOptions } from './http/pagination.js';
export type { ApiPromise, ApiResponse } from './http/read-response.js';
export type { Logger, LogLevel } from './logger.js';
export { keepKey } from './mark.js';
export type {
  CallOptions,
  ClientOptions,
  ListOptions,
  ResponseMismatch,
  ResponseValidation,
  RetryOptions,
  Throttle,
  ThrottleLimits,
  Token,
  TokenRequest,
} from './options.js';
export type { Boards } from './resources/boards.js';
export type { DocumentComments, Documents } from './resources/documents.js';
export type { Notifications } from './resources/notifications.js';
export type { Organizations } from './resources/organization.js';
export type {
  ProjectAnalytics,
  ProjectLabels,
  ProjectMembers,
  Projects,
  ProjectTags,
} from './resources/projects.js';
export type { TicketComments, Tickets } from './resources/tickets.js';
export { VERSION } from './version.js';
export {
  type CredentialWire,
  type DecodedPage,
  defaultWire,
  type EnvelopeWire,
  type ErrorContent,
  type ErrorWire,
  type PageWire,
  type WireFormat,
} from './wire/index.js';
