import { describe, expect, it, vi } from 'vitest';
import type { CreateDocument, CreateTicket, Document, Ticket } from 'worktrack';
import { documentTarget, ticketTarget } from 'worktrack/jobs';
import { sameHtml } from '../../../addons/jobs/import/match.js';
import { connect } from '../../support/clients.js';
import { collect } from '../../support/collect.js';
import { cpuTimeOf, setUp } from './setting.js';

const searchContext = () => ({
  signal: new AbortController().signal,
  countRequests: () => {},
  isFound: () => false,
});

describe('ticketTarget', () => {
  const instant = '2027-01-01T10:00:00Z';

  it.each<[field: keyof CreateTicket, stored: unknown, sent: unknown, match: string]>([
    ['title', 'Fuel', 'Fuel', 'exact'],
    ['title', 'FUEL THE ROCKET', 'Fuel the rocket', 'yes'],
    ['title', 'Fuel the rocket', '  Fuel   the\trocket ', 'yes'],
    ['title', 'Fuel the rocket', 'Fuel the <b>rocket</b>', 'yes'],
    ['title', '&#70;uel &#x74;he&nbsp;rocket', 'Fuel the rocket', 'yes'],
    ['title', '1 &lt; 2 &gt; 0 &amp; &quot;a&quot; &apos;b&apos;', '1 < 2 > 0 & "a" \'b\'', 'yes'],
    ['title', 'The last code point &#x10FFFF;', 'the last code point', 'yes'],
    ['title', 'Invalid &#x110000; &nope;', 'invalid &#x110000; &nope;', 'yes'],
    ['title', 'Fuel the plane', 'Fuel the rocket', 'no'],
    // A server may truncate titles, but not to fewer than 20 characters.
    ['title', 'Fuel the rocket before…', 'Fuel the rocket before noon', 'maybe'],
    ['title', 'Wait... then fuel the ro …', 'Wait... then fuel the rocket', 'maybe'],
    ['title', 'Fuel the rocket befo…', 'Fuel the rocket before noon', 'maybe'],
    ['title', 'Fuel the rocket bef…', 'Fuel the rocket before noon', 'no'],
    ['description_html', '<p>A</p>', '<p>A</p>', 'exact'],
    ['description_html', 'A', undefined, 'exact'],
    ['description_html', 'A', 'B', 'maybe'],
    ['description_html', undefined, 'B', 'maybe'],
    ['description_html', '', null, 'exact'],
    ['description_html', undefined, '', 'exact'],
    ['description_html', 'A', '<!-- row 7 -->A', 'exact'],
    ['description_html', '<p>A</p><p>B</p>', '<p>A</p>\n<p>B</p>', 'exact'],
    ['description_html', '<div><p>A b</p></div>', '<p class="x">A&nbsp;b</p>', 'exact'],
    ['priority', 'high', undefined, 'exact'],
    ['priority', 'low', 'high', 'maybe'],
    ['due_at', instant, undefined, 'exact'],
    // Servers may not store milliseconds.
    ['due_at', instant, '2027-01-01T10:00:00.123Z', 'exact'],
    ['due_at', instant, '2027-01-01T11:00:00+01:00', 'exact'],
    ['due_at', instant, '2027-01-02T10:00:00Z', 'maybe'],
    ['due_at', undefined, instant, 'maybe'],
    ['due_at', undefined, null, 'exact'],
    ['due_at', '1970-01-01T00:00:00Z', null, 'maybe'],
    ['due_at', undefined, '1970-01-01T00:00:00Z', 'maybe'],
    ['assignee_ids', ['usr_ada'], undefined, 'exact'],
    ['assignee_ids', undefined, ['usr_ada'], 'maybe'],
    ['assignee_ids', ['usr_ada'], ['usr_bob'], 'maybe'],
    ['assignee_ids', ['usr_ada', 'usr_bob'], ['usr_bob', 'usr_ada'], 'exact'],
    ['assignee_ids', ['usr_ada', 'usr_bob'], ['usr_ada'], 'maybe'],
    ['label_ids', ['lbl_bug'], undefined, 'exact'],
    ['label_ids', ['lbl_bug'], ['lbl_1'], 'maybe'],
    ['board_id', undefined, 'brd_other', 'maybe'],
  ])(
    'matches a ticket whose %s is %j with a row whose value is %j: %s',
    async (field, stored, sent, expected) => {
      const { client, mock, project, board } = setUp();
      for (const id of ['usr_ada', 'usr_bob']) mock.add.user({ id, role: 'admin' });
      mock.add.label({ id: 'lbl_bug' });
      const bodyWith = (value: unknown) =>
        ({
          board_id: board.id,
          title: 'Fuel',
          ...(value !== undefined && { [field]: value }),
        }) as CreateTicket;
      const ticket = await client.tickets.create(project.id, bodyWith(stored));
      const { lookup } = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
      expect(await lookup?.match(bodyWith(sent), ticket, bodyWith(sent))).toBe(expected);
    },
  );

  it('treats a list as empty if a response omits it', async () => {
    const { client, mock, project, board } = setUp();
    const created = mock.add.ticket({ board: board.id, title: 'Fuel' });
    const ticket = { ...(await client.tickets.get(created.id)), labels: undefined as never };
    const { lookup } = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
    const match = (label_ids: string[]) => {
      const sent = { board_id: board.id, title: 'Fuel', label_ids };
      return lookup?.match(sent, ticket, sent);
    };
    expect(await match([])).toBe('exact');
    expect(await match(['lbl_1'])).toBe('maybe');
  });

  it('compares boards by slug', async () => {
    const { client, mock, project, board } = setUp();
    const other = mock.add.board({ project: project.id, name: 'Done' });
    const ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Fuel' });
    const target = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
    const match = (board_slug: string) => {
      const sent = { board_slug, title: 'Fuel' };
      return target.lookup?.match(sent, ticket, sent);
    };
    expect(await match(board.slug)).toBe('exact');
    expect(await match(other.slug)).toBe('maybe');
    expect(mock.requests.for('boards.list')).toHaveLength(1);
  });

  it("ignores boards if the credential can't read them", async () => {
    const { client, mock, project, board } = setUp();
    const ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Fuel' });
    mock.credentials.setScopes(mock.clientOptions().token, ['tickets:write']);
    const target = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
    const sent = { board_slug: 'done', title: 'Fuel' };
    expect(await target.lookup?.match(sent, ticket, sent)).toBe('exact');
  });
});

describe('documentTarget', () => {
  it.each<[string, Partial<CreateDocument>, Partial<CreateDocument>, string]>([
    ['the same tags', { tag_names: ['x', 'y'] }, { tag_names: ['y', 'x'] }, 'exact'],
    ['fields that the row omits', { caption: 'a', content_html: 'A', tag_names: ['x'] }, {}, 'exact'],
    ['a different title', { title: 'Other' }, {}, 'no'],
    ['a different title and caption', { title: 'Other' }, { caption: 'a' }, 'no'],
    ['a truncated title', { title: 'How to fuel a rocket…' }, { title: 'How to fuel a rocket now' }, 'maybe'],
    ['different content', { content_html: 'A' }, { content_html: 'B' }, 'maybe'],
    ['a different caption', { caption: 'a' }, { caption: 'b' }, 'maybe'],
    ['a different status', { status: 'published' }, { status: 'draft' }, 'maybe'],
    ['no project', {}, { project_id: 'prj_other' }, 'maybe'],
    ['no editor', {}, { editor_ids: ['usr_1'] }, 'maybe'],
    ['fewer tags', { tag_names: ['x'] }, { tag_names: ['x', 'y'] }, 'maybe'],
    ['more tags', { tag_names: ['x', 'y'] }, { tag_names: ['x'] }, 'maybe'],
    ['one different tag', { tag_names: ['x', 'y'] }, { tag_names: ['x', 'z'] }, 'maybe'],
  ])('matches a row against a document with %s', async (_, fields, sent, expected) => {
    const { client } = setUp();
    const document = await client.documents.create({ title: 'Runbook', ...fields });
    const { lookup } = documentTarget({ client, toDocument: (row: CreateDocument) => row });
    const row = { title: 'Runbook', ...sent };
    expect(await lookup?.match(row, document, row)).toBe(expected);
  });

  it('compares projects', async () => {
    const { client, project } = setUp();
    const row = { title: 'Runbook', project_id: project.id };
    const document = await client.documents.create(row);
    const { lookup } = documentTarget({ client, toDocument: (sent: CreateDocument) => sent });
    expect(await lookup?.match(row, document, row)).toBe('exact');
  });

  it("creates and finds documents in the import's organization", async () => {
    const { client, mock } = setUp();
    const { organization } = mock.clientOptions();
    const target = documentTarget({
      client: connect(mock, { organization: 'org_other' }),
      organization,
      toDocument: (row: CreateDocument) => row,
    });
    expect(target.scope).toBe(`documents:${organization}`);
    const context = searchContext();
    const { id } = await target.create({ title: 'Runbook' }, context);
    await client.documents.create({ title: 'Checklist' });
    const found = await collect(
      target.lookup?.find({ title: 'Runbook' }, context) as AsyncIterable<Document>,
    );
    expect(found.map((document) => document.id)).toEqual([id]);
    expect(documentTarget({ client, toDocument: (row: CreateDocument) => row }).scope).toBe('documents');
    expect(() => documentTarget({ client, toDocument: 'x' as never })).toThrow('option "toDocument" must be');
  });
});

it("ticketTarget and documentTarget don't match records that users created", async () => {
  const { client, project, board } = setUp();
  const [sentTicket, sentDocument] = [{ board_id: board.id, title: 'Fuel' }, { title: 'Runbook' }];
  const ticket = await client.tickets.create(project.id, sentTicket);
  const document = await client.documents.create(sentDocument);
  const tickets = ticketTarget({ client, project: project.id, toTicket: vi.fn() }).lookup;
  const documents = documentTarget({ client, toDocument: vi.fn() }).lookup;
  const user = { type: 'user', id: 'usr_ada', name: 'Ada' } as const;
  expect(await tickets?.match(sentTicket, { ...ticket, creator: user }, {})).toBe('no');
  expect(await documents?.match(sentDocument, { ...document, author: user }, {})).toBe('no');
});

it('ticketTarget and documentTarget use `isMatch` instead of comparing fields', async () => {
  const { client, project, board } = setUp();
  const ticket = await client.tickets.create(project.id, { board_id: board.id, title: 'Fuel' });
  const document = await client.documents.create({ title: 'Runbook' });
  const isMatch = (isSame: boolean) => isSame;
  const tickets = ticketTarget<boolean>({ client, project: project.id, toTicket: vi.fn(), isMatch }).lookup;
  const documents = documentTarget<boolean>({ client, toDocument: vi.fn(), isMatch }).lookup;
  for (const [isSame, expected] of [
    [true, 'exact'],
    [false, 'no'],
  ] as const) {
    expect(await tickets?.match({ board_id: 'brd_1', title: 'Doors' }, ticket, isSame)).toBe(expected);
    expect(await documents?.match({ title: 'Menu' }, document, isSame)).toBe(expected);
  }
  expect([tickets?.isIdentity, documents?.isIdentity]).toEqual([true, true]);
});

it.each(['<!--', '<a', '</a'])('comparing HTML that contains many unclosed %s takes linear time', (start) => {
  const html = start.repeat(200_000 / start.length);
  expect(cpuTimeOf(() => expect(sameHtml(html, `${html} and more`)).toBe(false))).toBeLessThan(1000);
});

it('comparing HTML with many combining marks takes linear time', () => {
  const text = '\u0327\u0301'.repeat(100_000);
  expect(cpuTimeOf(() => expect(sameHtml(`a${text}`, `b${text}`)).toBe(false))).toBeLessThan(2000);
  expect(sameHtml('e\u0301', '\u00e9')).toBe(true);
});

it.each([
  ['characters that normalization expands', '\ufdfa'],
  ['entities', '&nbsp;'],
  ['combining marks', 'a\u0327\u0301'],
])('comparing documents of the maximum length finishes within the time limit: %s', (_, unit) => {
  const document = unit.repeat(1_000_000 / unit.length);
  expect(sameHtml(document, `${document}x`)).toBe(false);
  expect(sameHtml('x', document.repeat(3))).toBe(false);
});

it.each([
  ['Fuel the rocket', 'Fuel the rocket'],
  ['  Fuel  the whole rocket\nnow', 'the whole rocket'],
  ['<b>Fuel</b> the rocket & go', 'the rocket'],
  ['<strong>Go</strong>', 'Go'],
  ['Fix the&nbsp;login page', 'login page'],
  ['Rename "login" to sign in', 'to sign in'],
  ["Don't show the user’s address", 't show the user'],
  ['Delete C:\\temp\\cache on Windows', 'cache on Windows'],
  ['Re\u0301sume\u0301 of the plan', 'of the plan'],
  ['Launch 🚀 the rocket', 'the rocket'],
  ['Wait... then go on…', 'then go on'],
  ['Ｆｕｌｌ width', 'width'],
  ['Fuel  tank', 'Fuel'],
  ['x'.repeat(300), 'x'.repeat(100)],
  [` ${'x'.repeat(100)}`, 'x'.repeat(100)],
  [`${'x'.repeat(99)} rocket`, 'x'.repeat(99)],
  ['<>', ''],
])('looking up the title %j searches for %j', async (title, term) => {
  const { client, project, mock } = setUp();
  const beforeRequest = vi.fn(async () => {});
  const context = { ...searchContext(), beforeRequest };
  const tickets = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
  const documents = documentTarget({ client, toDocument: (row: CreateDocument) => row });
  await collect(tickets.lookup?.find({ board_id: 'b', title }, context) as AsyncIterable<Ticket>);
  await collect(documents.lookup?.find({ title }, context) as AsyncIterable<Document>);
  const searches = mock.requests.all().map(({ url }) => new URL(url).searchParams.get('q'));
  expect(searches.map((q) => q ?? '')).toEqual([term, term]);
  expect(beforeRequest).toHaveBeenCalledTimes(2);
});
