import type { FieldErrors } from '../contract/index.js';
import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** Thrown if an option is unknown, missing or invalid. Usually nothing was sent: see `outcome`. */
export class ConfigurationError extends WorktrackError {
  declare readonly name: 'ConfigurationError';
  declare readonly code: 'configuration';

  static {
    brandAs(ConfigurationError, 'ConfigurationError', 'configuration');
  }

  constructor(message: string, context: Partial<ErrorContext> = {}) {
    super(message, { outcome: 'not_sent', ...context });
  }
}

/** The fields of an {@link InvalidRequestError}. */
export interface InvalidRequestContext extends Partial<ErrorContext> {
  fieldErrors: FieldErrors;
}

/** Thrown if the arguments of a call don't match the contract. Nothing was sent. */
export class InvalidRequestError extends WorktrackError {
  declare readonly name: 'InvalidRequestError';
  declare readonly code: 'invalid_request';
  /** The error messages by field. Nested fields have dots (`tag_names.3`); the whole payload is `(body)`. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(InvalidRequestError, 'InvalidRequestError', 'invalid_request');
  }

  constructor(message: string, context: InvalidRequestContext) {
    super(message, { outcome: 'not_sent', ...context });
  }
}
