import { expect, it } from 'vitest';
import { fileLedger, importDocuments } from 'worktrack/import';
import { credential } from './support/records.js';
import { rowsOf } from './support/rows.js';
import { lost, newLedgerPath, reset, setUp } from './support/set-up.js';
import '../support/shorten-waits.mjs';

it('importDocuments creates every row exactly once even if older documents have the same content', async () => {
  const { deployment, records, client } = await setUp();
  const rows = rowsOf(40);
  const toDocument = ({ title }: { title: string }) => ({
    title,
    caption: 'Imported',
    content_html: '<p>The same for all</p>',
    status: 'published' as const,
    tag_names: ['old', 'wiki'],
  });
  for (const row of rows) records.addDocument(toDocument(row), credential);
  const old = new Set(records.documents.keys());
  deployment.intercept = async ({ operation, count }) => {
    if (operation === 'documents.create' && count <= 12) return count % 2 ? lost : reset;
    return undefined;
  };
  const ledger = await fileLedger(await newLedgerPath());
  const report = await importDocuments({
    client,
    rows,
    toDocument,
    ledger,
    key: ({ id }) => id,
    lookupDelay: 5,
    retry: { delay: 2, maxDelay: 20 },
  });
  const recordIds: unknown[] = [];
  for await (const { recordId } of ledger.entries('done')) recordIds.push(recordId);
  await ledger.close();
  expect(report).toMatchObject({ failed: 0, unknown: 0 });
  expect(recordIds.filter((id) => old.has(`${id}`))).toEqual([]);
  const created = [...records.documents.values()].filter(({ id }) => !old.has(id));
  expect(created.map(({ title }) => title).sort()).toEqual(rows.map(({ title }) => title).sort());
});
