import { describe, expect, it } from 'vitest';
import type { Settings } from './support/records.js';
import { generator, rowsOf } from './support/rows.js';
import { exactlyOnce, loseSome, lost, reset, setUpImport } from './support/set-up.js';
import '../support/shorten-waits.mjs';

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');

const unusualTitles = [
  'Rename "login" to "sign in"',
  "Don't show the user's e-mail",
  'Delete C:\\temp\\cache on Windows',
  'Re\u0301sume\u0301 de la re\u0301union', // "Résumé de la réunion", as macOS writes it
  '100 % of the tests_pass',
  'if (a < b && b > c) return',
  '🚀 Launch',
  'Wait … and see...',
  '???',
];

describe('an import with a file ledger', { timeout: 120_000 }, () => {
  it.each([
    ['resets its first connections', reset],
    ['responds to the first requests with 500', { processed: false, status: 500 }],
    ['loses its first responses', lost],
    ['responds to the first requests with 502, but processes them', { processed: true, status: 502 }],
  ])(
    'ignores three older records with the same content per row, even if the server %s',
    async (_, failure) => {
      const { deployment, project, client, toTicket, run, keepOld } = await setUpImport();
      const rows = rowsOf(20);
      for (const row of rows)
        for (let copy = 0; copy < 3; copy++) await client.tickets.create(project, toTicket(row));
      keepOld();
      const before = deployment.requests('tickets.create');
      deployment.intercept = async ({ operation, count }) =>
        operation === 'tickets.create' && count <= before + 12 ? failure : undefined;
      const { outcome } = await run(rows);
      expect(outcome).toEqual(exactlyOnce);
    },
  );

  it.each<[string, Partial<Settings>]>([
    ['stores titles unchanged', {}],
    ['normalizes titles', { cleanTitle: (title) => title.replaceAll('&nbsp;', ' ').replace(/\s+/g, ' ') }],
  ])(
    'distinguishes between titles that differ only in case, spaces, or entities, even if the server %s',
    async (_, settings) => {
      const { deployment, run } = await setUpImport(settings);
      deployment.intercept = loseSome(2);
      const variants = [
        'Fix the login',
        'fix the LOGIN',
        'Fix the  login',
        'Fix the&nbsp;login',
        'Fix THE Login',
      ];
      const { outcome } = await run(
        rowsOf(100, (index) => `${variants[index % 5]} ${Math.floor(index / 5)}`),
      );
      expect(outcome).toEqual(exactlyOnce);
    },
  );

  it.each<[string, Partial<Settings>]>([
    ['stores titles unchanged', {}],
    ['escapes titles', { cleanTitle: escapeHtml }],
    ['normalizes Unicode', { cleanTitle: (title) => title.normalize('NFC') }],
    ['treats a backslash in "q" as an escape character', { cleanQuery: (q) => q.replaceAll('\\', '') }],
  ])('finds titles with unusual characters if the server %s', async (_, settings) => {
    const { deployment, run } = await setUpImport(settings);
    deployment.intercept = async ({ operation, count }) =>
      operation === 'tickets.create' && count <= unusualTitles.length ? lost : undefined;
    const { outcome } = await run(rowsOf(unusualTitles.length, (index) => `${unusualTitles[index]}`));
    expect(outcome).toEqual(exactlyOnce);
  });

  it.each(['position', 'created', 'updated'] as const)(
    "doesn't create a second record if another user moves the first one to another board (lists sorted by %s)",
    async (order) => {
      const { deployment, records, project, board, run } = await setUpImport({ order });
      const done = records.addBoard(project, 'Done').id;
      for (let index = 0; index < 450; index++)
        deployment.addTicketByHand(project, { board_id: board, title: `Deploy the service ${index}` });
      deployment.intercept = async ({ operation }) => {
        if (operation === 'tickets.create' && deployment.requests('tickets.create') === 1) return lost;
        const [ticket] = records.onBoard(board).filter(({ creator }) => creator?.type === 'api_credential');
        if (ticket && operation === 'tickets.list') records.moveTicket(ticket.id, done);
        return undefined;
      };
      const { outcome } = await run([{ id: 'r1', title: 'Deploy the service' }]);
      expect(outcome).toMatchObject({ lost: 0, duplicates: 0 });
    },
  );

  it('creates every row exactly once even if other users move and delete tickets during each search', async () => {
    const { deployment, records, project, board, run } = await setUpImport();
    const old = Array.from({ length: 1000 }, (_, index) =>
      deployment.addTicketByHand(project, { board_id: board, title: `Bug ${index}` }),
    );
    const random = generator(8);
    const lose = loseSome(9);
    deployment.intercept = async (request) => {
      if (request.operation !== 'tickets.list') return lose(request);
      const tickets = records.onBoard(board);
      const moved = tickets[Math.floor(random() * tickets.length)];
      if (moved) records.moveTicket(moved.id, board, Math.floor(random() * tickets.length));
      if (random() < 0.3) records.deleteTicket(old.splice(Math.floor(random() * old.length), 1)[0]?.id ?? '');
      return undefined;
    };
    const { outcome } = await run(rowsOf(50, (index) => `Bug ${index % 25}`));
    expect(outcome).toEqual(exactlyOnce);
  });

  it('reads only a few pages even if many tickets contain the title it searches for', async () => {
    const { deployment, records, project, board, run } = await setUpImport();
    const other = records.addBoard(project, 'Done').id;
    for (let index = 0; index < 1200; index++)
      deployment.addTicketByHand(project, { board_id: index < 1100 ? other : board, title: `Bug ${index}` });
    deployment.intercept = async ({ operation, count }) =>
      operation === 'tickets.create' && count === 2 ? lost : undefined;
    const rows = rowsOf(2, (index) => (index === 0 ? 'Launch' : 'Bug'));
    const { outcome } = await run(rows, { concurrency: 1 });
    expect(outcome).toEqual(exactlyOnce);
    expect(deployment.requests('tickets.list')).toBeLessThan(15);
  });
});
