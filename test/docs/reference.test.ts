import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { operationPage } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { operationSources } from '../../docs/.vitepress/content/operation-sources.js';
import { referenceTables } from '../../scripts/support/reference-tables.js';

test.each(Object.entries(referenceTables()))(
  'docs/reference/%s.md is what the contract says',
  (name, text) => {
    const file = new URL(`../../docs/reference/${name}.md`, import.meta.url);
    expect(readFileSync(file, 'utf8'), 'run npm run docs:reference').toBe(text);
  },
);

test.each(operationIds)('the page of %s shows its call and a successful exchange', async (id) => {
  const source = operationSources().get(id) ?? '';
  const exchange = await recordOperation(id);
  const page = operationPage(id, { signature: `client.${id}()`, source, exchange });
  expect(source.startsWith(`client.${id}(`)).toBe(true);
  expect(exchange.status).toBeLessThan(300);
  expect(page).toContain(`${exchange.method} ${exchange.target}`);
  expect(page).not.toContain('wt_example');
});
