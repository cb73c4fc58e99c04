import { andMore, describedErrors } from '../../src/contract/field-errors.js';
import {
  describeFieldError,
  describeFieldErrors,
  type ErrorCode,
  type FieldErrors,
  type RuleErrorCode,
} from '../../src/contract/index.js';

/** Thrown by a rule or an earlier check to reject the request. */
export class RejectedRequest extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: FieldErrors | undefined;

  constructor(code: ErrorCode, message: string, fieldErrors?: FieldErrors) {
    super(message);
    this.name = 'RejectedRequest';
    this.code = code;
    this.fieldErrors = fieldErrors;
  }
}

/**
 * Creates a 422 error. Each message includes the field's name, because some programs show the message alone.
 */
export const invalidFields = (code: ErrorCode, fieldErrors: FieldErrors): RejectedRequest =>
  new RejectedRequest(
    code,
    describeFieldErrors(fieldErrors),
    Object.fromEntries(
      Object.entries(fieldErrors).map(([field, messages]) => [
        field,
        messages.map((message) => describeFieldError(field, message)),
      ]),
    ),
  );

/** Creates a 422 error for a single field. */
export const invalidField = (code: RuleErrorCode, field: string, message: string): RejectedRequest =>
  invalidFields(code, { [field]: [message] });

/**
 * Collects field errors to report in one response. Like the contract's validation, it describes the first ten
 * invalid items of a list and counts the rest.
 */
export class FieldErrorList {
  readonly #errors: FieldErrors = {};
  readonly #invalidItems = new Map<string, number>();

  add(field: string, message: string): void {
    this.#errors[field] = [message];
  }

  addItem(field: string, index: number, message: string): void {
    const count = (this.#invalidItems.get(field) ?? 0) + 1;
    this.#invalidItems.set(field, count);
    if (count <= describedErrors) this.add(`${field}.${index}`, message);
    else this.add(field, andMore(count - describedErrors, 'invalid items'));
  }

  /** @throws RejectedRequest with all collected errors, if any */
  throwIfAny(code: RuleErrorCode): void {
    if (Object.keys(this.#errors).length > 0) throw invalidFields(code, this.#errors);
  }
}
