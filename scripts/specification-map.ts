import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './entries.js';
import { type Rule, rulesIn, specifiedRules } from './support/specified-rules.js';

const map = `${root}reports/specification-map.md`;

/**
 * A Vitest reporter for complete runs of `test/rules` and `test/contract`, where test titles start with rule IDs.
 * The run fails if a rule has no passing test, or if a title contains an unknown ID. Lists each rule's tests in
 * reports/specification-map.md.
 */
export default class SpecificationMap implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rules = specifiedRules();
    const tests = modules.flatMap(passedTests);
    mkdirSync(dirname(map), { recursive: true });
    writeFileSync(map, pageOf(rules, tests));
    const problems = problemsOf(rules, tests);
    if (problems.length === 0) return;
    process.exitCode = 1;
    console.error(
      `\nThe rules in docs/specification.md don't match their tests:\n- ${problems.join('\n- ')}`,
    );
  }
}

interface PassedTest {
  file: string;
  title: string;
  rules: string[];
}

function passedTests(module: TestModule): PassedTest[] {
  const file = module.moduleId.slice(root.length).split(sep).join('/');
  if (!/^test\/(rules|contract)\//.test(file)) return [];
  return [...module.children.allTests('passed')].map(({ name }) => {
    const { ids, title } = rulesIn(name);
    return { file, title, rules: ids };
  });
}

function problemsOf(rules: readonly Rule[], tests: readonly PassedTest[]): string[] {
  const known = new Set(rules.map(({ id }) => id));
  const tested = new Set(tests.flatMap((test) => test.rules));
  const duplicates = rules.filter(({ id }, index) => rules.findIndex((rule) => rule.id === id) !== index);
  return [
    ...duplicates.map(({ id }) => `two rules have the ID ${id}`),
    ...[...known].filter((id) => !tested.has(id)).map((id) => `${id} has no passing test`),
    ...[...tested]
      .filter((id) => !known.has(id))
      .map((id) => `${id} is in a test title, but not in the specification`),
  ];
}

function pageOf(rules: readonly Rule[], tests: readonly PassedTest[]): string {
  const sections = [...new Set(rules.map(({ heading }) => heading))].map((heading) => {
    const rows = rules.filter((rule) => rule.heading === heading).map((rule) => rowOf(rule, tests));
    return [`## ${heading}`, '', '| rule | description | tests |', '|---|---|---|', ...rows].join('\n');
  });
  return `# Rules and tests

The tests for each rule in docs/specification.md. Each test also runs against the OpenAPI document.

${sections.join('\n\n')}
`;
}

function rowOf({ id, text }: Rule, tests: readonly PassedTest[]): string {
  const titles = new Map<string, Set<string>>();
  for (const { file, title, rules } of tests) {
    if (rules.includes(id)) titles.set(file, (titles.get(file) ?? new Set()).add(title));
  }
  const files = [...titles].sort(([a], [b]) => (a < b ? -1 : 1));
  const lists = files.map(([file, list]) => `\`${file}\`<br>${[...list].map(escaped).join('<br>')}`);
  return `| ${id} | ${text} | ${lists.join('<br>')} |`;
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
