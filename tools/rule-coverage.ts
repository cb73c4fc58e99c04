import { readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './entries.js';

/**
 * A Vitest reporter for complete runs of `test/rules` and `test/contract`, where test titles start with rule IDs.
 * The run fails if a rule has no passing test, or if a title contains an unknown ID.
 */
export default class RuleCoverage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = modules
      .filter(({ moduleId }) => /[\\/]test[\\/](rules|contract)[\\/]/.test(moduleId))
      .flatMap(({ children }) => [...children.allTests('passed')].map(({ name }) => name));
    const problems = problemsOf(specifiedRules(), new Set(titles.flatMap(rulesIn)));
    if (problems.length === 0) return;
    process.exitCode = 1;
    console.error(
      `\nThe rules in docs/specification.md don't match their tests:\n- ${problems.join('\n- ')}`,
    );
  }
}

const problemsOf = (rules: readonly string[], tested: ReadonlySet<string>): string[] => [
  ...rules.filter((id, index) => rules.indexOf(id) !== index).map((id) => `two rules have the ID ${id}`),
  ...rules.filter((id) => !tested.has(id)).map((id) => `${id} has no passing test`),
  ...[...tested]
    .filter((id) => !rules.includes(id))
    .map((id) => `${id} is in a test title, but not in the specification`),
];

/** Returns the IDs of the rules in docs/specification.md: list items and table rows that start with an ID. */
export const specifiedRules = (): string[] =>
  [
    ...readFileSync(`${root}docs/specification.md`, 'utf8').matchAll(
      /^(?:- \*\*([A-Z]-\d+)\*\* |\| ([A-Z]-\d+) \| )/gm,
    ),
  ].map(([, item, row]) => item ?? (row as string));

/** Returns the IDs at the start of a test's title, such as `B-2 boards.reorder …`. */
export const rulesIn = (title: string): string[] =>
  /^(?:[A-Z]-\d+,? )*/.exec(title)?.[0].match(/[A-Z]-\d+/g) ?? [];
