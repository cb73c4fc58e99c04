import type { ErrorCode, FieldErrors, RuleErrorCode } from '../../src/contract/index.js';

/** Thrown by a rule or an earlier check to reject the request. */
export class ErrorResponse extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: FieldErrors | undefined;

  constructor(code: ErrorCode, message: string, fieldErrors?: FieldErrors) {
    super(message);
    this.name = 'ErrorResponse';
    this.code = code;
    this.fieldErrors = fieldErrors;
  }
}

/** Creates a 422 error for a single field. The response message includes the field's name. */
export const invalidField = (code: RuleErrorCode, field: string, message: string): ErrorResponse =>
  new ErrorResponse(code, `${field} ${message}`, { [field]: [message] });
