import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { root } from './entries.js';

const specification = `${root}docs/specification.md`;
const map = `${root}docs/specification-map.md`;

/**
 * A Vitest reporter for complete runs of `test/rules` and `test/contract`, where test titles start with rule IDs.
 * The run fails if a rule has no passing test, if a title contains an unknown ID, or if docs/specification-map.md
 * is out of date. With `--update`, the reporter updates that file instead.
 */
export default class SpecificationMap implements Reporter {
  #update = false;

  onInit(vitest: Vitest): void {
    this.#update = vitest.config.snapshotOptions.updateSnapshot === 'all';
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rules = rulesOf(readFileSync(specification, 'utf8'));
    const tests = modules.flatMap(passedTests);
    const problems = problemsOf(rules, tests);
    const page = pageOf(rules, tests);
    if (this.#update && problems.length === 0) writeFileSync(map, page);
    else if (!existsSync(map) || readFileSync(map, 'utf8') !== page) {
      problems.push('docs/specification-map.md is out of date: run `npm run docs:rules`');
    }
    if (problems.length === 0) return;
    process.exitCode = 1;
    console.error(
      `\nThe rules in docs/specification.md don't match their tests:\n- ${problems.join('\n- ')}`,
    );
  }
}

interface Rule {
  id: string;
  text: string;
  heading: string;
}

interface PassedTest {
  file: string;
  title: string;
  rules: string[];
}

/** Returns the rules, which are list items and table rows that start with an ID. */
function rulesOf(page: string): Rule[] {
  let heading = '';
  return page.split('\n').flatMap((line) => {
    heading = /^##+ (.*)/.exec(line)?.[1] ?? heading;
    const [, item, sentence] = /^- \*\*([A-Z]-\d+)\*\* (.*)/.exec(line) ?? [];
    if (item && sentence) return [{ id: item, text: sentence, heading }];
    const [, row, cells] = /^\| ([A-Z]-\d+) \| (.*) \|$/.exec(line) ?? [];
    return row && cells ? [{ id: row, text: cells.split(' | ').slice(0, 2).join(': '), heading }] : [];
  });
}

function passedTests(module: TestModule): PassedTest[] {
  const file = module.moduleId.slice(root.length).split(sep).join('/');
  if (!/^test\/(rules|contract)\//.test(file)) return [];
  return [...module.children.allTests('passed')].map(({ name }) => {
    const [, ids = '', title = name] = /^((?:[A-Z]-\d+,? )*)(.*)/.exec(name) ?? [];
    return { file, title, rules: ids.match(/[A-Z]-\d+/g) ?? [] };
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

This page lists the tests for each rule in the [specification](specification.md). Each test also runs against the
OpenAPI document. \`npm run docs:rules\` runs the tests and writes this page.

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
