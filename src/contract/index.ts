export { isAppPath } from './app-path.js';
export { parseDateTime } from './date-time.js';
export { type ErrorCode, errorCodes, type RuleErrorCode } from './error-codes.js';
export {
  andMore,
  bodyField,
  describedErrors,
  describeFieldError,
  describeFieldErrors,
  type FieldErrors,
} from './field-errors.js';
export { fieldsOf, listFieldsOf } from './fields-of.js';
export { limits } from './limits.js';
export { errorCodesOf, type Method, type Operation, type PathParameter } from './operation.js';
export {
  type BodyOf,
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
} from './operations/index.js';
export { summaries } from './operations/summaries.js';
export * from './schemas/index.js';
export { type Scope, scopes } from './scopes.js';
export { type Validated, validate } from './validate.js';
