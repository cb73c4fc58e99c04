import type { Option } from 'commander';

const completions = new WeakMap<Option, readonly string[]>();

/**
 * Sets the values that shell completion suggests for an option. Unlike Commander's choices, they don't
 * appear in the help.
 */
export function setCompletions(option: Option, values: readonly string[]): void {
  completions.set(option, values);
}

/** Returns the values that shell completion suggests for an option. */
export const completionsOf = (option: Option): readonly string[] =>
  completions.get(option) ?? option.argChoices ?? [];
