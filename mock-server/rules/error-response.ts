import type { ErrorCode, FieldErrors } from '../../src/contract/index.js';

/** Thrown by a rule, or by a check before it, to reject the request with an error response. */
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

/** An error about one field. The response's message names the field as well. */
export const invalidField = (code: ErrorCode, field: string, message: string): ErrorResponse =>
  new ErrorResponse(code, `${field} ${message}`, { [field]: [message] });
