import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { errorPageTexts } from '../../docs/.vitepress/content/error-pages-text.js';
import { operationPage } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { operationSources } from '../../docs/.vitepress/content/operation-sources.js';
import { specifiedRules } from '../../tools/rule-coverage.js';
import { readEvidence } from '../../tools/support/evidence.js';
import { referenceTables } from '../../tools/support/reference-tables.js';

test.each(Object.entries(referenceTables()))('docs/reference/%s.md matches the contract', (name, text) => {
  const file = new URL(`../../docs/reference/${name}.md`, import.meta.url);
  expect(readFileSync(file, 'utf8'), 'run npm run docs:reference').toBe(text);
});

test('docs/public/evidence.json lists exactly the existing rules and operations', () => {
  const { rules, operations } = readEvidence();
  expect(Object.keys(rules), 'run npm run evidence').toEqual(specifiedRules());
  expect(Object.keys(operations), 'run npm run evidence').toEqual([...operationIds]);
  expect(Object.values(rules)).not.toContain(0);
  for (const { exploredFailures: _, ...counts } of Object.values(operations)) {
    expect(Object.values(counts)).not.toContain(0);
  }
});

test.each(operationIds)(
  'the page for %s shows the call, its request, and a successful response',
  async (id) => {
    const source = operationSources().get(id) ?? '';
    const exchange = await recordOperation(id);
    const page = operationPage(id, { signature: `client.${id}()`, source, exchange });
    expect(source.startsWith(`client.${id}(`)).toBe(true);
    expect(exchange.status).toBeLessThan(300);
    expect(page).toContain(`${exchange.method} ${exchange.target}`);
    expect(page).not.toContain('wt_example');
  },
);

test.each(operationIds)(
  'each error code that %s can return has a page that links back to the operation',
  async (id) => {
    const page = operationPage(id, { signature: '', source: '', exchange: await recordOperation(id) });
    const codes = new Set([...page.matchAll(/\.\.\/errors\/([a-z_]+)\.md/g)].map(([, code]) => code));
    const texts = new Map(errorPageTexts().map(({ name, text }) => [name, text]));
    expect(codes.size).toBeGreaterThan(3);
    for (const code of codes) {
      expect(texts.get(code ?? ''), code).toMatch(
        new RegExp(`^Every operation\\.$|/operations/${id}\\.md\\)`, 'm'),
      );
    }
  },
);
