import { Command } from 'commander';
import { VERSION } from '../../src/index.js';
import { configure, exitCodesHelp, pathOf, UsageError } from './command-line.js';
import { type CommandEntry, namespaceSummaries, tools } from './commands.js';
import { environmentHelp } from './connection.js';
import type { CommandContext } from './context.js';

/** A command tree and the arguments to parse. */
export interface Program {
  program: Command;
  words: string[];
}

/** Creates the command tree. Loads only the module for the command in `args`. */
export async function createProgram(args: readonly string[], context: CommandContext): Promise<Program> {
  const words = normalizeCommand(args);
  const program = new Command('worktrack')
    .description('Call the Work-Tracking API, or run a local mock server for tests.')
    .version(VERSION, '-v, --version', 'Print the version')
    .addHelpCommand(new Command('help').summary('Show help for a command').helpGroup('Tools:'))
    .usage('<command> [options]')
    .addHelpText('after', rootHelp);
  for (const [name, entry] of [...namespaces, ...Object.entries(tools)]) {
    const isTool = Object.hasOwn(tools, name);
    const isNamed = words.find((word) => !word.startsWith('-')) === name;
    const command = isNamed
      ? (await entry.load()).createCommand(context, name)
      : new Command(name).description(entry.summary);
    // Without the hook, an unset shell variable, as in `--project "$PROJECT"`, could select all records.
    if (isTool) command.hook('preAction', (_, action) => requireValues(action));
    program.addCommand(command.summary(entry.summary).helpGroup(isTool ? 'Tools:' : 'API operations:'));
  }
  configure(program, context);
  return { program, words: normalizeOptions(program, withoutHelpForUnknown(program, words)) };
}

/** @throws UsageError if an option's value is empty. Only API fields can be empty. */
function requireValues(command: Command): void {
  const empty = command.options.find((option) =>
    [command.getOptionValue(option.attributeName())].flat().includes(''),
  );
  if (empty) throw new UsageError(`missing value: ${empty.flags.replace(/^-\w, /, '')}`);
}

/** Finds the most deeply nested command that matches the words. */
export function findCommand(command: Command, [word, ...others]: readonly string[]): Command {
  const child = command.commands.find((next) => next.name() === word);
  return child ? findCommand(child, others) : command;
}

const namespaces = Object.entries(namespaceSummaries).map(([name, summary]): [string, CommandEntry] => [
  name,
  { summary, load: () => import('./operations/command.js') },
]);

/** Rewrites `tickets.list` as `tickets list`, and `help tickets list` as `tickets list --help`. */
function normalizeCommand([first = '--help', ...others]: readonly string[]): string[] {
  if (first === 'help') return [...normalizeCommand(others), '--help'];
  const [namespace = '', ...rest] = first.split('.');
  return Object.hasOwn(namespaceSummaries, namespace) ? [namespace, ...rest, ...others] : [first, ...others];
}

/**
 * Drops `--help` after an unknown command, so that Commander reports the typo instead of showing the help of
 * another command.
 */
function withoutHelpForUnknown(program: Command, words: readonly string[]): readonly string[] {
  const command = findCommand(program, words);
  const next = words[pathOf(command).split(' ').length - 1] ?? '-';
  const isUnknown = command.commands.length > 0 && !next.startsWith('-');
  return isUnknown ? words.filter((word) => word !== '--help' && word !== '-h') : words;
}

/** Rewrites `--wip-limit` as `--wip_limit`, the field name. */
function normalizeOptions(program: Command, words: readonly string[]): string[] {
  const names = new Set(findCommand(program, words).options.map(({ long }) => long));
  return words.map((word) => {
    const [, name = '', value = ''] = /^(--[\w-]+)(=.*)?$/s.exec(word) ?? [];
    const underscored = `--${name.slice(2).replaceAll('-', '_').replace(/^no_/, 'no-')}`;
    return !names.has(name) && names.has(underscored) ? underscored + value : word;
  });
}

const rootHelp = `
Examples:
  worktrack mock                                     start a local mock server
  worktrack projects list                            list projects
  worktrack tickets list APO --overdue               list a project's overdue tickets
  worktrack tickets create APO --board Doing --title Refuel --due-at tomorrow
  worktrack tickets move APO-3 --board Done          move a ticket to another board
  worktrack help tickets move                        show an operation's scope, options, and errors

${environmentHelp}

${exitCodesHelp}`;
