import {
  isAuthenticationError,
  isConfigurationError,
  isInvalidRequestError,
  isNotFoundError,
  isPermissionDeniedError,
  isRateLimitError,
  isServerError,
  isUnprocessableError,
} from '../src/index.js';
import { UsageError } from './usage-error.js';

/** Returns the exit code for an error. `--help` lists the codes. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || isInvalidRequestError(error) || isConfigurationError(error)) return 2;
  if (isAuthenticationError(error) || isPermissionDeniedError(error)) return 3;
  if (isNotFoundError(error)) return 4;
  if (isUnprocessableError(error)) return 5;
  return isRateLimitError(error) || isServerError(error) ? 6 : 1;
}
