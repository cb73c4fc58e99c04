import type { FieldErrors } from '../contract/index.js';
import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/** The client's options, or a call, cannot work as they are given; nothing was sent. */
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

/** What an {@link InvalidRequestError} knows. */
export interface InvalidRequestContext extends Partial<ErrorContext> {
  fieldErrors: FieldErrors;
}

/** The payload breaks the contract; nothing was sent. */
export class InvalidRequestError extends WorktrackError {
  declare readonly name: 'InvalidRequestError';
  declare readonly code: 'invalid_request';
  /** Every issue, by field; a nested field with dots (`tag_names.3`), the payload itself as `(body)`. */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(InvalidRequestError, 'InvalidRequestError', 'invalid_request');
  }

  constructor(message: string, context: InvalidRequestContext) {
    super(message, { outcome: 'not_sent', ...context });
  }
}
