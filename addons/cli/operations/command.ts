import { Command } from 'commander';
import { type OperationId, operationOf } from '../../../src/contract/index.js';
import { pathOf } from '../command-line.js';
import type { CommandContext } from '../context.js';
import { argumentForms, namespaces, positionalsOf } from './description.js';
import { operationHelp } from './help.js';
import { addOptions } from './options.js';
import { runOperation } from './run-operation.js';

/** Creates the command for a namespace, such as `worktrack tickets`, with a subcommand for each operation. */
export function createCommand(context: CommandContext, namespace: string): Command {
  const root = listOperations(new Command(namespace)).addHelpText(
    'after',
    `\nRun "worktrack ${namespace} <operation> --help" to see an operation's options and errors.`,
  );
  for (const id of namespaces.get(namespace) ?? []) {
    const words = id.split('.').slice(1);
    const name = words.pop() ?? '';
    parentOf(root, words).addCommand(operationCommand(id, name, context));
  }
  return root;
}

function operationCommand(id: OperationId, name: string, context: CommandContext): Command {
  const { summary } = operationOf(id);
  const command = new Command(name).helpGroup('Operations:').summary(summary).description(`${summary}.`);
  for (const positional of positionalsOf(id)) {
    command.argument(`<${positional}>`, argumentForms[positional]);
  }
  addOptions(command, id);
  const wrap = (text: string) => command.createHelp().boxWrap(text, Math.min(context.width, 100) - 2);
  return command
    .addHelpText('after', () => `\n${operationHelp(id, wrap)}`)
    .action(async () => {
      await runOperation(id, command.args, command.opts(), context);
    });
}

/** Finds or creates the parent of a command, such as `comments` for `tickets comments create`. */
function parentOf(root: Command, words: readonly string[]): Command {
  let parent = root;
  for (const word of words) {
    const existing = parent.commands.find((command) => command.name() === word);
    parent = existing ?? listOperations(parent.command(word));
  }
  return parent;
}

/** Lists nested operations in a command's help with their full names, such as `comments create <ticket>`. */
const listOperations = (root: Command): Command =>
  root
    .usage('<operation> [options]')
    .helpCommand(false)
    .configureHelp({
      visibleCommands: leavesOf,
      subcommandTerm: (command) =>
        [pathOf(command).slice(pathOf(root).length + 1), ...argumentsOf(command)].join(' '),
    });

const leavesOf = (command: Command): Command[] =>
  command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));

const argumentsOf = (command: Command) =>
  command.registeredArguments.map((argument) => `<${argument.name()}>`);
