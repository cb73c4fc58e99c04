import { expect, it } from 'vitest';
import { memoryBook } from 'worktrack/jobs';
import { connect, connectRewriting } from '../support/clients.js';
import { one, rowsOf, setUp, titlesOf } from './support/import-setting.js';

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

it('an import can be aborted while toTicket never settles, and the next run creates the row', async () => {
  const { run, titles } = setUp();
  const stop = new AbortController();
  const toTicket = () => {
    setImmediate(() => stop.abort());
    return new Promise<never>(() => {});
  };
  expect(await run({ signal: stop.signal, toTicket })).toMatchObject({
    stopped: true,
    created: 0,
    failed: 0,
  });
  expect(await run()).toMatchObject({ created: 10 });
  expect(titles()).toHaveLength(10);
});

it('a row fails if toTicket returns a value that is not JSON, or is skipped if it is done', async () => {
  const { run, titles } = setUp();
  const circular = { title: 'A', board_slug: 'to-do' };
  Object.assign(circular, { circular });
  expect(await run({ rows: one })).toMatchObject({ created: 1 });
  const report = await run({ rows: [...one, ...rowsOf(1)], toTicket: () => circular });
  expect(report).toMatchObject({ skipped: 1, changed: 1, failed: 1, failedRows: [{ key: 'r0' }] });
  expect(titles()).toEqual(['Fuel the rocket']);
});

it("an aborted import doesn't count rows as failed whose requests the client hasn't sent", async () => {
  const { run, mock, stateOf } = setUp();
  const stop = new AbortController();
  // The first create never gets a response, and the client delays the others until then.
  const fetch: typeof mock.fetch = async (input, init) => {
    const { method, signal } = new Request(input, init);
    if (method !== 'POST') return mock.fetch(input, init);
    setImmediate(() => stop.abort());
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const client = connect(mock, { fetch, throttle: { concurrency: 1 }, retry: { limit: 0 } });
  expect(await run({ client, signal: stop.signal })).toMatchObject({ stopped: true, failed: 0, unknown: 1 });
  expect([await stateOf('r0'), await stateOf('r1')]).toEqual(['started', undefined]);
});

it("a row isn't connected with another row's record, although a person moved its mark there", async () => {
  const { run, client, project, book, titles } = setUp();
  await run({ rows: rowsOf(2), concurrency: 1 });
  const [first, second] = await client.tickets.list(project.id).toArray({ complete: true });
  await client.tickets.update(`${first?.id}`, { description_html: second?.description_html ?? '' });
  await client.tickets.delete(`${second?.id}`);
  await book.put([{ key: 'row:r1', state: 'removed' }]);
  expect(await run({ rows: rowsOf(2) })).toMatchObject({ skipped: 1, created: 1, recovered: 0 });
  expect(titles()).toHaveLength(2);
});

it("rows that may have two records are reported if the server doesn't keep marks", async () => {
  const { run, mock, titles } = setUp();
  const client = connectRewriting(mock, (text) =>
    text.replaceAll(/"description_html":"[^"]*"/g, '"description_html":null'),
  );
  mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 1 });
  const report = await run({ client, concurrency: 1 });
  expect(report).toMatchObject({ created: 10, duplicateCount: 1 });
  expect(report.duplicates).toEqual([{ key: 'r0', keep: expect.stringMatching(/./), extra: [] }]);
  expect(titles()).toHaveLength(11);
});

it('an import that is aborted at any of its requests loses and doubles nothing if it is run again', async () => {
  for (let count = 1; count <= 14; count++) {
    const { run, mock, titles } = setUp();
    const stop = new AbortController();
    let requests = 0;
    const fetch: typeof mock.fetch = async (input, init) => {
      if (++requests === count) stop.abort();
      return mock.fetch(input, init);
    };
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 2 });
    const client = connect(mock, { fetch, retry: { limit: 0 } });
    const report = await run({ client, signal: stop.signal, concurrency: 3 });
    expect(report).toMatchObject({ stopped: requests >= count, failed: 0 });
    expect(await run()).toMatchObject({ finished: 10, unknown: 0, duplicateCount: 0 });
    expect(titles().sort()).toEqual(titlesOf(rowsOf(10)).sort());
  }
});

it('a second import with the same book is rejected until the first one has finished', async () => {
  const { run, titles } = setUp();
  const first = run();
  await expect(run()).rejects.toThrow('the book is in use by another job');
  expect(await first).toMatchObject({ created: 10 });
  expect(await run()).toMatchObject({ skipped: 10 });
  expect(titles()).toHaveLength(10);
});
