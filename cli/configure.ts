import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { toUsageError } from './usage-error.js';

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
    // By default, Commander doesn't wrap help text in a narrow terminal.
    .configureHelp({ ...command.configureHelp(), minWidthToWrap: 20 })
    .exitOverride((error) => {
      throw toUsageError(error, command);
    });
  for (const child of command.commands) configure(child, context);
}
