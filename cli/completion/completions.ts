import type { Option } from 'commander';

const completions = new WeakMap<Option, readonly string[]>();

/** Sets values of an option that the shell completes but the help doesn't list. */
export function setCompletions(option: Option, values: readonly string[]): void {
  completions.set(option, values);
}

/** Returns the values that the shell completes after an option. */
export const completionsOf = (option: Option): readonly string[] =>
  completions.get(option) ?? option.argChoices ?? [];
