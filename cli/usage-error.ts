import { nearestOf } from '../src/wire/index.js';

/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {}

/**
 * What `parseArgs` says, without its lesson on words that begin with a hyphen.
 *
 * @param options those that there are, by their names without hyphens
 */
export function parseError(error: unknown, options: object): UsageError {
  const { message } = error as Error;
  const [said = message] = message.split('. To specify a positional');
  const [, name] = /^Unknown option '--([^']+)'/.exec(said) ?? [];
  if (name === undefined) return new UsageError(said);
  if (name === 'token') {
    return new UsageError(
      'the token is no option, which others could read: set WORKTRACK_TOKEN, or type it when asked',
    );
  }
  const nearest = nearestOf(name, Object.keys(options));
  const advice = nearest === undefined ? '--help lists those there are' : `did you mean --${nearest}?`;
  return new UsageError(`unknown option --${name}; ${advice}`);
}
