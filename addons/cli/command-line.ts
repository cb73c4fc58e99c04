import { type Command, CommanderError, InvalidArgumentError, type Option } from 'commander';
import { didYouMean } from '../../src/internal.js';
import type { CommandContext } from './context.js';

/** Applies the shared output, help, and error settings to a command and its subcommands. */
export function configure(command: Command, context: CommandContext): void {
  const helpWidth = () => (Number.isFinite(context.width) ? context.width : 100);
  command
    .helpOption('-h, --help', 'Show help')
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.printError(text.trimEnd()),
      outputError: () => {},
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    })
    // By default, Commander doesn't wrap help text in narrow terminals.
    .configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 })
    .exitOverride((error) => {
      throw fromCommander(error, command);
    });
  for (const child of command.commands) configure(child, context);
}

/** Thrown if the command line or its input is invalid. The CLI then exits with code 2. */
export class UsageError extends Error {}

/**
 * Converts a Commander error to a usage error with a one-line message. Returns help and version output
 * unchanged.
 */
function fromCommander(error: CommanderError, command: Command): Error {
  if (error.exitCode === 0) return error;
  // If the subcommand is missing, Commander has already printed the help.
  if (error.code === 'commander.help') return new CommanderError(2, error.code, error.message);
  const [problem = '', similar] = error.message
    .replace(/^error: /, '')
    .split(/\n\(Did you mean (?:one of )?/);
  const [, unknown = ''] = /^unknown command '(.*)'$/s.exec(problem) ?? [];
  // For example, suggest `mock` for `mock-server`.
  const suggestion =
    similar ?? command.commands.map((child) => child.name()).find((name) => unknown.startsWith(name));
  if (/^unknown option '--token\b/.test(problem)) return new UsageError(tokenAdvice);
  const line = phrases
    .reduce((text, [pattern, phrase]) => text.replace(pattern, phrase), problem)
    .replace(/\.$/, '');
  if (suggestion) return new UsageError(`${line}; did you mean ${quoted(suggestion.replace(/\?\)$/, ''))}?`);
  return new UsageError(line.startsWith('unknown') ? `${line}; see "${pathOf(command)} --help"` : line);
}

/** Rewords Commander's messages to match the CLI's style. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^unknown (option|command) '(.*)'$/s, 'unknown $1 "$2"'],
  [/^missing required argument '(.*)'$/, 'missing argument <$1>'],
  [/^required option '(?:-\w, )?(.*)' not specified$/, 'missing option $1'],
  [/^option '((--[\w-]+).*)' argument missing$/, 'missing value: $1'],
  [/^option '(--[\w-]+).*?' cannot be used with option '(--[\w-]+).*?'$/, '$1 cannot be combined with $2'],
  [/^option '(--[\w-]+).*?' argument '(.*)' is invalid\. /s, 'invalid value "$2" for $1. '],
  [/^command-argument value '(.*)' is invalid for argument '(.*)'\. /s, 'invalid value "$1" for <$2>. '],
  [
    /^too many arguments.*Expected (\d+) arguments? but got (\d+)(?::.*)?\.?$/s,
    'too many arguments (expected $1, got $2)',
  ],
];

const quoted = (names: string) =>
  names
    .split(', ')
    .map((name) => JSON.stringify(name))
    .join(' or ');

const tokenAdvice =
  'there is no --token option because other users could see the token; set WORKTRACK_TOKEN or enter it when prompted';

/** Returns a parser for an option whose value is an integer. */
export const integer =
  (minimum = Number.NEGATIVE_INFINITY) =>
  (text: string): number => {
    const number = Number(text);
    if (/^-?\d+$/.test(text) && Number.isSafeInteger(number) && number >= minimum) return number;
    const kind = minimum === 1 ? 'a positive' : minimum === 0 ? 'a non-negative' : 'an';
    throw new InvalidArgumentError(`Expected ${kind} integer.`);
  };

/** Parses an option whose value is a port. */
export function port(text: string): number {
  const number = integer(0)(text);
  if (number > 65_535) throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  return number;
}

/** Returns a parser for an option whose value is a comma-separated list of names. The option can be repeated. */
export const namesIn = <Name extends string>(known: readonly Name[], kind: string): Parser<Name[]> =>
  withCompletions(known, (text, previous = []) => {
    const names = text.split(',').map((part) => {
      const word = part.trim();
      const name = known.find((other) => other === word);
      if (!name) throw new InvalidArgumentError(`Unknown ${kind} "${word}"; ${didYouMean(word, known)}`);
      return name;
    });
    return [...previous, ...names];
  });

/** Parses an option that can be repeated. */
export const append = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Quotes a word for a POSIX shell, if necessary. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Returns a command's full name, such as `worktrack tickets move`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** The parser of an option's value, and the values that shell completion suggests. */
type Parser<Value> = ((text: string, previous?: Value) => Value) & { completions: readonly string[] };

/**
 * Sets the values that shell completion suggests for an option with this parser. Unlike Commander's choices,
 * they don't appear in the help.
 */
export const withCompletions = <Value>(
  completions: readonly string[],
  parse: (text: string, previous?: Value) => Value,
): Parser<Value> => Object.assign(parse, { completions });

/** Returns the values that shell completion suggests for an option. */
export const completionsOf = ({ argChoices, parseArg }: Option): readonly string[] =>
  argChoices ?? (parseArg as Partial<Parser<unknown>> | undefined)?.completions ?? [];

/** The "Exit codes" help section of the operations. */
export const exitCodesHelp = `Exit codes:
  0  success
  1  no response or an unexpected response
  2  invalid command or input; nothing was changed
  3  invalid credential or missing scope (401, 403)
  4  not found (404), or no record has the given name
  5  the API rejected the input, for example because a board is full (422)
  6  rate limit or server error (429, 5xx)`;
