import type { FieldErrors } from '../contract/index.js';
import { brandAs, type ErrorContext, WorktrackError } from './worktrack-error.js';

/**
 * Thrown if an option is unknown, missing, or invalid. In most cases, no request was sent. To be sure, check
 * `outcome`.
 */
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

/** The fields of an {@link IncompleteListError}. */
export interface IncompleteListContext extends Partial<ErrorContext> {
  passes: number;
}

/**
 * Thrown if a list never ends, or if a complete read fails because the list keeps changing or an item has no ID.
 * All requests succeeded, so you can try again.
 */
export class IncompleteListError extends WorktrackError {
  declare readonly name: 'IncompleteListError';
  declare readonly code: 'incomplete_list';
  /** The number of passes over the list, including an incomplete last pass. */
  declare readonly passes: number;

  static {
    brandAs(IncompleteListError, 'IncompleteListError', 'incomplete_list');
  }

  constructor(message: string, context: IncompleteListContext) {
    super(message, { outcome: 'done', ...context });
  }
}

/** The fields of an {@link InvalidRequestError}. */
export interface InvalidRequestContext extends Partial<ErrorContext> {
  fieldErrors: FieldErrors;
}

/** Thrown if a call's arguments don't match the contract. No request was sent. */
export class InvalidRequestError extends WorktrackError {
  declare readonly name: 'InvalidRequestError';
  declare readonly code: 'invalid_request';
  /**
   * The error messages by field. Nested fields use dot notation (`tag_names.3`). Errors that apply to the
   * entire payload are listed under `(body)`.
   */
  declare readonly fieldErrors: FieldErrors;

  static {
    brandAs(InvalidRequestError, 'InvalidRequestError', 'invalid_request');
  }

  constructor(message: string, context: InvalidRequestContext) {
    super(message, { outcome: 'not_sent', ...context });
  }
}
