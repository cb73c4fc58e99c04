import {
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../src/index.js';
import { LookupError } from '../src/lookup.js';
import { UsageError } from './usage-error.js';

/** Returns the exit code for an error. `--help` lists the codes. */
export function exitCodeOf(error: unknown): number {
  if (
    error instanceof UsageError ||
    error instanceof InvalidRequestError ||
    error instanceof ConfigurationError
  )
    return 2;
  if (error instanceof LookupError) return error.reason === 'unknown' ? 4 : 2;
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return 3;
  if (error instanceof NotFoundError) return 4;
  if (error instanceof UnprocessableError) return 5;
  return error instanceof RateLimitError || error instanceof ServerError ? 6 : 1;
}
