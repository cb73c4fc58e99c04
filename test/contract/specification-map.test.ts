import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCodes } from 'worktrack/contract';
import { endpoints, everyOperation } from './endpoints.js';
import { everyBodyField } from './fields.js';
import { everyScope } from './scopes.js';
import { choices, limitRows, type Statement, statements } from './specification/index.js';

const all = [...statements, ...choices];
const file = (path: string) => new URL(`../${path}`, import.meta.url);

describe('the map from the specification to its tests', () => {
  test('is the table in docs/specification-map.md', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/specification-map.md');
  });

  test('names tests that exist', () => {
    const sources = new Map<string, string>();
    for (const { id, shownBy } of all) {
      for (const [path, ...titles] of shownBy) {
        const source = sources.get(path) ?? readFileSync(file(path), 'utf8');
        sources.set(path, source);
        for (const title of titles) {
          expect(hasTest(source, title), `${id}: no test of this title in ${path}: ${title}`).toBe(true);
        }
      }
    }
  });

  test('gives every statement a unique ID, a unique sentence, and a test', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ says }) => says)).size).toBe(all.length);
    for (const { id, says, shownBy } of all) {
      expect(says, id).toMatch(/\w.*\.$/);
      expect(shownBy.length, id).toBeGreaterThan(0);
      for (const [, ...titles] of shownBy) expect(titles.length, id).toBeGreaterThan(0);
    }
  });

  test('has all 30 operations, 13 scopes, 19 limits, and every field', () => {
    const says = (text: string) => all.filter((statement) => statement.says.includes(text)).length;
    expect([everyOperation.length, everyScope.length, limitRows.length]).toEqual([30, 13, 19]);
    for (const operation of everyOperation) expect(says(`\`${operation}\` is `), operation).toBe(1);
    for (const scope of everyScope) expect(says(`The scope \`${scope}\``), scope).toBe(1);
    for (const [subject, limit] of limitRows) expect(says(`${subject}: ${limit}.`), subject).toBe(1);
    for (const { operation, name } of everyBodyField) {
      expect(says(`\`${operation}\` takes \`${name}\`: `), `${operation} ${name}`).toBe(1);
    }
  });
});

describe('docs/specification.md', () => {
  const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');

  test('has a row for every operation that matches the specification', () => {
    for (const operation of everyOperation) {
      const { number, method, path, scope, success } = endpoints[operation];
      expect(page).toContain(
        `| ${number} | \`${operation}\` | ${method} \`${path}\` | \`${scope}\` | ${success}`,
      );
    }
  });

  test('names every field, limit, and error code', () => {
    for (const { name, field } of everyBodyField) {
      expect(page).toContain(`\`${name}\``);
      if (field.maxLength) expect(page).toContain(`string, ${field.maxLength.toLocaleString('en-US')}`);
    }
    for (const code of Object.keys(errorCodes)) expect(page).toContain(`\`${code}\``);
  });
});

/** Whether a test of exactly this title is in the source: called there, not merely mentioned. */
function hasTest(source: string, title: string): boolean {
  const literals = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``];
  return literals.some((literal) => {
    const at = source.indexOf(literal);
    return at > 0 && /(?:\btest|\))\(\s*$/.test(source.slice(0, at));
  });
}

function page(): string {
  return `# Where each rule is shown

Every sentence of the Work-Tracking External API's specification that states a rule, a limit, a status or a
scope, in our own words, with the tests that show it against the reference server; then what the
specification leaves open and this package chose. [The rules themselves](specification.md) are explained on
a page of their own.

The page is made from \`test/contract/specification\`: change it there, then run
\`npx vitest run test/contract/specification-map.test.ts -u\`. The same test fails when a test named here does
not exist. Titles with \`%s\` or \`$name\` are run once for each row of their table.

## The specification

${table(statements)}

## What it leaves open

${table(choices)}
`;
}

const table = (rows: readonly Statement[]) =>
  ['| id | what it says | shown by |', '|---|---|---|', ...rows.map(line)].join('\n');

const line = ({ id, says, shownBy }: Statement) => `| ${id} | ${says} | ${shownBy.map(tests).join('<br>')} |`;

const tests = ([path, ...titles]: Statement['shownBy'][number]) =>
  `\`${path}\`: ${titles.map((title) => `“${title.replaceAll('|', '\\|')}”`).join(', ')}`;
