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

/**
 * Describes an error in one line. The client's messages name its options, so they are reworded to name what users
 * of the CLI can set.
 *
 * @param command the command that failed, such as `worktrack tickets move`
 */
export function describeError(error: unknown, command: string): string {
  if (error instanceof UsageError || error instanceof LookupError) return `${command}: ${error.message}`;
  const { message = String(error), cause } = (error ?? {}) as Error;
  const isLocal = error instanceof InvalidRequestError || error instanceof ConfigurationError;
  // Errors in the command's own input start like the other usage errors.
  const start = isLocal ? command : 'worktrack';
  const text = isLocal ? message.replace(/^[\w.]+: /, '') : message;
  const reworded = phrases.reduce((words, [pattern, phrase]) => words.replace(pattern, phrase), text);
  const hint =
    error instanceof NotFoundError && /^boards\.(?:update|delete)$/.test(error.operation ?? '')
      ? '; to use a name, add the project, such as APO/Doing'
      : '';
  const reason = cause instanceof Error && !message.includes(cause.message) ? ` (${cause.message})` : '';
  return `${start}: ${reworded}${hint}${reason}`;
}

const phrases: readonly (readonly [RegExp, string])[] = [
  [/^organization is missing; .*/, 'missing organization; pass --organization or set WORKTRACK_ORGANIZATION'],
  [/\bboard_id or board_slug is required, but not both/, '--board is required'],
  [/; did you forget to pass "fetch: mock\.fetch" to the client\?/, ''],
  [/; check the "page" setting of option "wire"/, ''],
  [/ \(option "\w+"\)/, ''],
  [/^option "wire" /, 'the CLI '],
];
