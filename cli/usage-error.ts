/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {}

/** What `parseArgs` says, without its lesson on words that begin with a hyphen. */
export function parseError(error: unknown): UsageError {
  const { message } = error as Error;
  const [said = message] = message.split('. To specify a positional');
  return new UsageError(
    /^Unknown option '--token'/.test(said)
      ? 'the token is no option, which others could read: set WORKTRACK_TOKEN, or type it when asked'
      : said,
  );
}
