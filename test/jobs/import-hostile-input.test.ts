import { expect, it } from 'vitest';
import { memoryBook } from 'worktrack/jobs';
import { setUp } from './support/import-setting.js';

const strangeKeys = [
  ...['a\nb', ' a ', 'a  b', 'a\u00a0b', 'x\u200by', '\0', '👩‍🚀', 'é', 'e\u0301', '漢'.repeat(200)],
  ...['r1 [0123abcd]', 'Imported from Jira: r1 [0123abcd]', 'Created with key: x', '%20', `<b>'"&amp;`],
  ...['__proto__', '#scope', 'row:a'],
];

it('an import recognizes its rows, no matter which characters their keys contain', async () => {
  const { run, titles } = setUp();
  const rows = strangeKeys.map((id, index) => ({ id, title: `Row ${index}` }));
  expect(await run({ rows })).toMatchObject({ created: rows.length, failed: 0 });
  const report = await run({ rows, book: memoryBook() });
  expect(report).toMatchObject({ recovered: rows.length, created: 0, duplicateCount: 0 });
  expect(titles()).toHaveLength(rows.length);
});

it('a row fails if its key is not well-formed Unicode, because a mark cannot contain it', async () => {
  const { run, titles, mock } = setUp();
  await run({ rows: [{ id: 'a\ufffd', title: 'A similar key' }] });
  const text = `${mock.state.tickets.all()[0]?.description_html}`.replace('a%EF%BF%BD', 'a\ud800');
  const rows = [
    { id: 'r1', title: 'Quotes it', text },
    { id: 'a\ud800', title: 'A' },
    { id: 'a\ud801', title: 'B' },
  ];
  const { created, failedRows } = await run({ rows });
  expect([created, titles()]).toEqual([1, ['A similar key', 'Quotes it']]);
  expect(failedRows.map(({ error }) => error?.message)).toEqual([
    expect.stringContaining("a mark's key must be well-formed Unicode"),
    expect.stringContaining("a mark's key must be well-formed Unicode"),
  ]);
});
