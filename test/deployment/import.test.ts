import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTickets, memoryBook, sqliteBook } from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { exactlyOnce, failSome, failures, setUpImport, source } from './support/import-setting.js';
import type { Settings } from './support/records.js';
import { generator, manyRows, type Row, rowsOf } from './support/rows.js';
import '../support/shorten-waits.mjs';

/** Like HTMLPurifier, removes comments, attributes, and invisible elements, and encodes accented letters. */
const purify = (html: string) =>
  html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\w+)\s[^>]*>/g, '<$1>')
    .replace(/\s+/g, ' ')
    .replaceAll('é', '&eacute;')
    .trim();

describe('an import into another server', { timeout: 60_000 }, () => {
  it.each(Object.entries(failures))(
    'creates each row once if its first requests are %s',
    async (_, failure) => {
      const { deployment, run, outcome, bookStates } = await setUpImport();
      const rows = rowsOf(20);
      deployment.intercept = async ({ operation, count }) =>
        operation === 'tickets.create' && count <= 12 ? failure : undefined;
      expect(await run(rows)).toMatchObject({ unknown: 0, failed: 0, duplicateCount: 0 });
      expect(outcome(rows)).toEqual(exactlyOnce);
      expect(await bookStates()).toEqual({ done: 20, missing: 0 });
    },
  );

  it('creates each row once among older tickets with the same content, whoever created them', async () => {
    const { deployment, project, client, toTicket, run, outcome, records } = await setUpImport();
    const rows = [...manyRows(200)];
    for (const row of rows) {
      await client.tickets.create(project, toTicket(row));
      deployment.addTicketByHand(project, toTicket(row));
    }
    deployment.intercept = failSome(1, 0.3);
    expect(await run(rows)).toMatchObject({ unknown: 0, failed: 0, duplicateCount: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
    expect(records.tickets.size).toBe(600);
  });

  it('creates each row once while people move, edit, and delete tickets', async () => {
    const { deployment, records, project, board, run, outcome } = await setUpImport();
    const done = records.addBoard(project, 'Done').id;
    const old = Array.from({ length: 1000 }, (_, index) =>
      deployment.addTicketByHand(project, { board_id: board, title: `Bug ${index}` }),
    );
    const random = generator(8);
    const fail = failSome(9, 0.2);
    deployment.intercept = async (request) => {
      if (request.operation !== 'tickets.list') return fail(request);
      for (const from of [board, done]) {
        const tickets = records.onBoard(from);
        const moved = tickets[Math.floor(random() * tickets.length)];
        if (!moved) continue;
        records.moveTicket(moved.id, from === board ? done : board, Math.floor(random() * tickets.length));
        records.updateTicket(moved.id, { title: `${moved.title} (edited)` });
      }
      if (random() < 0.3) records.deleteTicket(old.splice(Math.floor(random() * old.length), 1)[0]?.id ?? '');
      return undefined;
    };
    const rows = rowsOf(100, (index) => `Bug ${index % 25}`);
    expect(await run(rows)).toMatchObject({ unknown: 0, duplicateCount: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
  });

  it.each<[string, Partial<Settings>]>([
    ['cleans up HTML', { cleanHtml: purify }],
    ['lists the latest tickets first', { order: 'created' }],
    ['changes titles', { cleanTitle: (title) => title.toUpperCase().slice(0, 10) }],
    ['lists new tickets late', { listLag: 100 }],
    ['has a clock that is an hour slow', { clockOffset: -3_600_000 }],
  ])('creates each row once if the server %s', async (_, settings) => {
    const { deployment, run, outcome } = await setUpImport(settings);
    deployment.intercept = failSome(2, 0.3);
    const rows = rowsOf(50, (index) => `Café "${index % 7}" & <more>`);
    expect(await run(rows)).toMatchObject({ unknown: 0, failed: 0, duplicateCount: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
  });

  it('continues on another machine with a new book, and then on the first one with its old book', async () => {
    const { deployment, run, outcome, client, project, toTicket } = await setUpImport();
    deployment.intercept = failSome(3, 0.2);
    const rows = rowsOf(60);
    await run(rows.slice(0, 20));
    const other = sqliteBook(join(await temporaryFolder(), 'other.book'));
    const options = { client, project, source, toTicket, key: ({ id }: Row) => id, settleDelay: 4000 };
    const report = await importTickets<Row>({ ...options, rows: rows.slice(0, 40), book: other });
    await other.close();
    expect(report.recovered).toBeGreaterThanOrEqual(20);
    expect(await run(rows)).toMatchObject({ skipped: 20, unknown: 0, duplicateCount: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
  });

  it('finds the tickets of two imports that ran at the same time, and reports which ones to delete', async () => {
    const { run, outcome, records } = await setUpImport();
    const rows = rowsOf(30);
    await Promise.all([run(rows), run(rows, { book: memoryBook() })]);
    const report = await run(rows, { book: memoryBook() });
    expect(report.created).toBe(0);
    expect(report.duplicateCount).toBe(outcome(rows).doubled);
    expect(report.duplicateCount).toBeGreaterThan(0);
    for (const { extra } of report.duplicates) for (const id of extra) records.deleteTicket(id);
    expect(outcome(rows)).toEqual(exactlyOnce);
  });

  it("keeps a person's edit of the description, as long as the last line stays", async () => {
    const { run, outcome, records } = await setUpImport();
    const rows = rowsOf(5);
    await run(rows);
    for (const { id, description_html } of [...records.tickets.values()])
      records.updateTicket(id, { description_html: `<h2>Please read</h2>${description_html}` });
    expect(await run(rows, { book: memoryBook() })).toMatchObject({ recovered: 5, created: 0 });
    expect(outcome(rows)).toEqual(exactlyOnce);
  });

  it('creates each row at least once without marks, and reports each row that may have two tickets', async () => {
    const { deployment, run, records } = await setUpImport();
    deployment.intercept = failSome(4, 0.2);
    const rows = rowsOf(100);
    const report = await run(rows, { mark: false });
    const titles = [...records.tickets.values()].map(({ title }) => title);
    const doubled = rows.filter(({ title }) => titles.filter((other) => other === title).length > 1);
    expect(new Set(titles).size).toBe(100);
    expect(doubled.length).toBeGreaterThan(0);
    const reported = report.duplicates.map(({ key }) => key);
    expect(reported).toEqual(expect.arrayContaining(doubled.map(({ id }) => id)));
  });
});
