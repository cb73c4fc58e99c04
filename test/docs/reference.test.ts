import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationIds, operationOf } from 'worktrack/contract';
import { errorPageTexts } from '../../docs/.vitepress/content/error-pages-text.js';
import { operationPage } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { operationSources } from '../../docs/.vitepress/content/operation-sources.js';
import { payloadFields } from '../../docs/.vitepress/content/payload-fields.js';
import { referenceTables } from '../../scripts/support/reference-tables.js';

test.each(Object.entries(referenceTables()))('docs/reference/%s.md matches the contract', (name, text) => {
  const file = new URL(`../../docs/reference/${name}.md`, import.meta.url);
  expect(readFileSync(file, 'utf8'), 'run npm run docs:reference').toBe(text);
});

test.each(operationIds)('the %s page shows the call, its request, and a successful response', async (id) => {
  const source = operationSources().get(id) ?? '';
  const exchange = await recordOperation(id);
  const page = operationPage(id, { signature: `client.${id}()`, source, exchange });
  expect(source.startsWith(`client.${id}(`)).toBe(true);
  expect(exchange.status).toBeLessThan(300);
  expect(page).toContain(`${exchange.method} ${exchange.target}`);
  expect(page).not.toContain('wt_example');
});

test.each(operationIds)('the %s page shows the signature, scope, payload, and errors', async (id) => {
  const { scope, query, body, errorCodes } = operationOf(id);
  const signature = `client.${id}()`;
  const page = operationPage(id, { signature, source: '', exchange: await recordOperation(id) });
  expect(page).toContain(`\`\`\`ts\n${signature}\n`);
  expect(page).toContain(`Scope: [\`${scope}\`]`);
  expect(page).toContain(`<LiveOperation id="${id}">`);
  expect(page).not.toMatch(/\| [,;.]/);
  const fields = [query, body].flatMap((schema) => (schema ? payloadFields(schema) : []));
  for (const { name } of fields) {
    const [, row = ''] = new RegExp(`^\\| \`${name}\` \\| (.*) \\|$`, 'm').exec(page) ?? [];
    const [, , limits, meaning] = row.split('|').map((cell) => cell.trim());
    expect(limits || meaning, `limits or meaning of ${name}`).toBeTruthy();
  }
  for (const code of ['invalid_credential', 'missing_scope', ...errorCodes]) {
    expect(page).toContain(`[\`${code}\`](../../errors/${code}.md)`);
  }
});

test.each(errorPageTexts())(
  'the $name page describes the cause, the fix, and how to handle the error in code',
  ({ text }) => {
    for (const heading of ['## Cause', '## Fix', '## Handle it in code'])
      expect(text).toContain(`${heading}\n\n`);
    expect(text).toMatch(/^```ts\nimport \{ \w+ \} from 'worktrack';$/m);
  },
);

test.each(operationIds)('the page for each error code of %s links back to the operation', async (id) => {
  const page = operationPage(id, { signature: '', source: '', exchange: await recordOperation(id) });
  const codes = new Set([...page.matchAll(/\.\.\/errors\/([a-z_]+)\.md/g)].map(([, code]) => code));
  const texts = new Map(errorPageTexts().map(({ name, text }) => [name, text]));
  expect(codes.size).toBeGreaterThan(3);
  for (const code of codes) {
    expect(texts.get(code ?? ''), code).toMatch(
      new RegExp(`^Every operation\\.$|/operations/${id}\\.md\\)`, 'm'),
    );
  }
});
