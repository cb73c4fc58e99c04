import type { Reporter, TestModule } from 'vitest/node';
import { rulesIn, specifiedRules } from './support/specified-rules.js';

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
