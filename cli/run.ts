import { type Command, CommanderError } from 'commander';
import { complete } from './completion/complete.js';
import type { CliEnvironment, Color, CommandContext } from './context.js';
import { describeError, exitCodeOf } from './exit-code.js';
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
    printError: (text) => environment.printError(stripControlCharacters(text)),
    printColored: (text, color) => {
      const isColored = environment.isTerminal && !environment.env.NO_COLOR;
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
    const { path } = program ? findCommand(program, words) : { path: 'worktrack' };
    context.printError(describeError(error, path));
    return exitCodeOf(error);
  }
}

const colors = { red: 31, green: 32, yellow: 33, magenta: 35 } satisfies Record<Color, number>;
