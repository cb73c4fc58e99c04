import type { Command, Option } from 'commander';
import { completionsOf } from './command-line.js';
import type { CommandContext } from './context.js';
import { createProgram } from './program.js';

/** Returns the completions for the last word, which can be empty. */
export async function complete(words: readonly string[], context: CommandContext): Promise<string[]> {
  // Bash splits `--priority=h` into three words. If nothing follows `=` yet, `=` is the last word.
  const last = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
  const before = words.slice(0, -1).filter((word) => word !== '=');
  const named = before[0] === 'help' ? before.slice(1) : before;
  const { program } = await createProgram(named, context);
  const state = follow(program, named);
  const [, name, start = ''] = /^(--[\w-]+)=(.*)/s.exec(last) ?? [];
  if (name)
    return startingWith(start, valuesOf(optionOf(state.command, name))).map((value) => `${name}=${value}`);
  return startingWith(last, state.pending ? valuesOf(state.pending) : nextWords(state));
}

interface State {
  command: Command;
  /** The number of positional arguments before the last word. */
  arguments: number;
  /** The option whose value is being completed. */
  pending: Option | undefined;
}

function follow(program: Command, words: readonly string[]): State {
  const state: State = { command: program, arguments: 0, pending: undefined };
  for (const word of words) {
    const child = state.command.commands.find((command) => command.name() === word);
    if (state.pending) state.pending = undefined;
    else if (word.startsWith('-')) {
      const option = optionOf(state.command, word);
      state.pending = option?.required ? option : undefined;
    } else if (child) state.command = child;
    else state.arguments += 1;
  }
  return state;
}

function nextWords({ command, arguments: typed }: State): string[] {
  if (command.commands.length > 0) {
    // There are no completions for an unknown subcommand.
    if (typed > 0) return [];
    const names = command.commands.map((child) => child.name());
    return command.parent ? names : [...names, 'help'];
  }
  const choices = command.registeredArguments[typed]?.argChoices ?? [];
  return [...choices, ...command.options.flatMap(({ long }) => long ?? []), '--help'];
}

const valuesOf = (option: Option | undefined) => (option ? completionsOf(option) : []);

/** Finds an option. Field names can contain hyphens or underscores. */
const optionOf = (command: Command, name: string) =>
  command.options.find(({ long }) => long?.replaceAll('_', '-') === name.replaceAll('_', '-'));

const startingWith = (start: string, words: readonly string[]) =>
  words.filter((word) => word.startsWith(start));
