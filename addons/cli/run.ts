import { type Command, CommanderError } from 'commander';
import { SeedError } from '../../mock-server/seed/seed-error.js';
import {
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../../src/index.js';
import { LookupError } from '../shared/names.js';
import { pathOf, UsageError } from './command-line.js';
import { complete } from './complete.js';
import type { CliEnvironment, Color, CommandContext } from './context.js';
import { createProgram, findCommand } from './program.js';
import { stripControlCharacters } from './terminal/text.js';

/**
 * Runs `worktrack` with the given arguments. Prints errors instead of throwing them.
 *
 * @returns the exit code
 */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const context: CommandContext = {
    ...environment,
    print: (text) => environment.print(stripControlCharacters(text)),
    write: (text) => environment.write(stripControlCharacters(text)),
    printError: (text) => environment.printError(stripControlCharacters(text)),
    printColored: (text, color) => {
      const { NO_COLOR, TERM } = environment.env;
      const isColored = environment.isTerminal && !NO_COLOR && TERM !== 'dumb';
      const safe = stripControlCharacters(text);
      environment.print(isColored ? `\u001b[${colors[color]}m${safe}\u001b[39m` : safe);
    },
    exitCode: 0,
  };
  let program: Command | undefined;
  let words: string[] = [];
  try {
    // Completion scripts pass an incomplete command line, which Commander would reject.
    if (args[0] === 'completion' && args[1] === '--words') {
      context.print((await complete(args.slice(2), context)).join('\n'));
      return 0;
    }
    ({ program, words } = await createProgram(args, context));
    await program.parseAsync(words, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    context.printError(describeError(error, program ? pathOf(findCommand(program, words)) : 'worktrack'));
    return exitCodeOf(error);
  }
}

const colors = { red: 31, green: 32, yellow: 33, magenta: 35 } satisfies Record<Color, number>;

/** Returns the exit code for an error. `--help` lists the codes. */
function exitCodeOf(error: unknown): number {
  if (
    error instanceof UsageError ||
    error instanceof SeedError ||
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
 * Describes an error in one line. Replaces the client's option names with the names of flags and environment
 * variables.
 *
 * @param command the command that failed, such as `worktrack tickets move`
 */
function describeError(error: unknown, command: string): string {
  if (error instanceof SeedError) return `${command}: --seed: ${error.message}`;
  if (error instanceof UsageError || error instanceof LookupError) return `${command}: ${error.message}`;
  const { message = String(error), cause } = (error ?? {}) as Error;
  const isLocal = error instanceof InvalidRequestError || error instanceof ConfigurationError;
  // Errors about the user's input start with the command's name, like usage errors.
  const start = isLocal ? command : 'worktrack';
  const text = isLocal ? message.replace(/^[\w.]+: /, '') : message;
  const reworded = phrases.reduce((words, [pattern, phrase]) => words.replace(pattern, phrase), text);
  const hint =
    error instanceof NotFoundError && /^boards\.(?:update|delete)$/.test(error.operation ?? '')
      ? '; to use a name, add the project, as in APO/Doing'
      : '';
  // The message of a file error already contains the reason. Node.js's message could also reveal an internal
  // path, such as that of a lock file.
  const isMissing = cause instanceof Error && !('path' in cause) && !message.includes(cause.message);
  const reason = isMissing ? ` (${cause.message})` : '';
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
