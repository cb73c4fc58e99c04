export {
  type DocumentContent,
  documentDefaults,
  documentStatuses,
  type SentDocumentsQuery,
} from './documents.js';
export { type ErrorCode, errorCodes, type RuleErrorCode } from './error-codes.js';
export { describeFieldError, describeFieldErrors, type FieldErrors } from './field-errors.js';
export { actorTypes, dateTime, defaultPerPage, parseDateTime, type Wired } from './fields.js';
export { limits } from './limits.js';
export type { Method, PathParameter } from './operation.js';
export {
  type BodyOf,
  type BodyOnDefaultBoardOf,
  errorCodesOf,
  type Operation,
  type OperationId,
  operationIds,
  operationOf,
  operations,
  type PaginatedId,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
  type SentBodyOf,
  type SentQueryOf,
} from './operations.js';
export { roles } from './projects.js';
export { type Scope, scopes } from './scopes.js';
export { priorities, type TicketContent, ticketDefaults } from './tickets.js';
export type * from './types.js';
export { type Validated, validate } from './validate.js';
export { type AnyInputSchema, type AnySchema, fieldsOf, type Schema } from './zod-internals.js';
