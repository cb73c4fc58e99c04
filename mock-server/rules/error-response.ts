import { describeFieldErrors, type ErrorCode, type FieldErrors } from '../../src/contract/index.js';

/** A request that is refused: by a rule, or on its way to one. */
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

/** A refusal because of one field: its message says of the field what the error says of the request. */
export const invalidField = (code: ErrorCode, field: string, message: string): ErrorResponse =>
  new ErrorResponse(code, `${field} ${message}`, { [field]: [message] });

/** A refusal because of several fields. */
export const invalidFields = (code: ErrorCode, fieldErrors: FieldErrors): ErrorResponse =>
  new ErrorResponse(code, describeFieldErrors(fieldErrors), fieldErrors);
