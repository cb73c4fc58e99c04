import { describe, expect, it, vi } from 'vitest';
import { type CreateDocument, type CreateTicket, type Document, type Ticket, Worktrack } from 'worktrack';
import { documentTarget, ticketTarget } from 'worktrack/import';
import { sameHtml } from '../../../src/import/match.js';
import { collect } from '../../support/collect.js';
import { cpuTimeOf, setUp } from './setting.js';

const searchContext = () => ({
  signal: new AbortController().signal,
  countRequests: () => {},
  isFound: () => false,
});

/** Creates a ticket with `fields`, and matches it against a row with the fields in `sent`. */
async function matchTicket(fields: Partial<CreateTicket>, sent: Partial<CreateTicket>) {
  const { client, mock, project, board } = setUp();
  for (const id of ['usr_ada', 'usr_bob']) mock.add.user({ id, role: 'admin' });
  mock.add.label({ id: 'lbl_bug' });
  const ticket = await client.tickets.create(project.id, {
    board_id: board.id,
    title: 'Fuel the rocket',
    ...fields,
  } as CreateTicket);
  const { lookup } = ticketTarget({ client, project: project.id, toTicket: (row: CreateTicket) => row });
  const row = { board_id: board.id, title: 'Fuel the rocket', ...sent } as CreateTicket;
  return lookup?.match(row, ticket, row);
}

describe('ticketTarget', () => {
  it.each<[string, Partial<CreateTicket>, Partial<CreateTicket>, string]>([
    ['with the same fields', { description_html: '<p>A</p>' }, { description_html: '<p>A</p>' }, 'exact'],
    [
      'with fields that the row omits',
      {
        description_html: 'A',
        priority: 'high',
        due_at: '2027-01-01T10:00:00Z',
        assignee_ids: ['usr_ada'],
        label_ids: ['lbl_bug'],
      },
      {},
      'exact',
    ],
    ['with a title in different case', { title: 'FUEL THE ROCKET' }, {}, 'yes'],
    ['with HTML entities in its title', { title: '&#70;uel &#x74;he&nbsp;rocket' }, {}, 'yes'],
    [
      'with named HTML entities in its title',
      { title: '1 &lt; 2 &gt; 0 &amp; &quot;a&quot; &apos;b&apos;' },
      { title: '1 < 2 > 0 & "a" \'b\'' },
      'yes',
    ],
    ['with the last Unicode code point in its title', { title: 'Fuel the rocket&#x10FFFF;' }, {}, 'yes'],
    [
      'with invalid HTML entities in its title',
      { title: 'A &#x110000; &nope;' },
      { title: 'a &#x110000; &nope;' },
      'yes',
    ],
    [
      'with collapsed spaces in its title',
      { title: 'Fuel the rocket' },
      { title: '  Fuel   the\trocket ' },
      'yes',
    ],
    [
      'without the markup in its title',
      { title: 'Fuel the rocket' },
      { title: 'Fuel the <b>rocket</b>' },
      'yes',
    ],
    ['with a different title', { title: 'Fuel the plane' }, {}, 'no'],
    [
      'with a truncated title',
      { title: 'Fuel the rocket before…' },
      { title: 'Fuel the rocket before noon' },
      'maybe',
    ],
    [
      'with a title truncated within a word',
      { title: 'Wait... then fuel the ro …' },
      { title: 'Wait... then fuel the rocket' },
      'maybe',
    ],
    [
      'with a title truncated to 20 characters',
      { title: 'Fuel the rocket befo…' },
      { title: 'Fuel the rocket before noon' },
      'maybe',
    ],
    [
      'with a title truncated to 19 characters',
      { title: 'Fuel the rocket bef…' },
      { title: 'Fuel the rocket before noon' },
      'no',
    ],
    ['with a different description', { description_html: 'A' }, { description_html: 'B' }, 'maybe'],
    ['without a description', {}, { description_html: 'B' }, 'maybe'],
    [
      'with an empty description instead of null',
      { description_html: '' },
      { description_html: null },
      'exact',
    ],
    ['without a description instead of an empty one', {}, { description_html: '' }, 'exact'],
    [
      'with a description without comments',
      { description_html: 'A' },
      { description_html: '<!-- row 7 -->A' },
      'exact',
    ],
    [
      'without the line breaks between the paragraphs of its description',
      { description_html: '<p>A</p><p>B</p>' },
      { description_html: '<p>A</p>\n<p>B</p>' },
      'exact',
    ],
    [
      'with a sanitized description',
      { description_html: '<div><p>A&nbsp;b</p></div>' },
      { description_html: '<p class="x">A&nbsp;b</p>' },
      'exact',
    ],
    ['with a different priority', { priority: 'low' }, { priority: 'high' }, 'maybe'],
    [
      'with a due date without milliseconds',
      { due_at: '2027-01-01T10:00:00Z' },
      { due_at: '2027-01-01T10:00:00.123Z' },
      'exact',
    ],
    [
      'with the same instant in another time zone',
      { due_at: '2027-01-01T10:00:00Z' },
      { due_at: '2027-01-01T11:00:00+01:00' },
      'exact',
    ],
    [
      'with a different due date',
      { due_at: '2027-01-01T10:00:00Z' },
      { due_at: '2027-01-02T10:00:00Z' },
      'maybe',
    ],
    ['without a due date', {}, { due_at: '2027-01-02T10:00:00Z' }, 'maybe'],
    ['without a due date, like the row', {}, { due_at: null }, 'exact'],
    ['due in 1970 instead of never', { due_at: '1970-01-01T00:00:00Z' }, { due_at: null }, 'maybe'],
    ['without a due date instead of one in 1970', {}, { due_at: '1970-01-01T00:00:00Z' }, 'maybe'],
    ['with no assignees instead of one', {}, { assignee_ids: ['usr_1'] }, 'maybe'],
    ['with a different assignee', { assignee_ids: ['usr_ada'] }, { assignee_ids: ['usr_bob'] }, 'maybe'],
    [
      'with the same assignees in a different order',
      { assignee_ids: ['usr_ada', 'usr_bob'] },
      { assignee_ids: ['usr_bob', 'usr_ada'] },
      'exact',
    ],
    [
      'with an additional assignee',
      { assignee_ids: ['usr_ada', 'usr_bob'] },
      { assignee_ids: ['usr_ada'] },
      'maybe',
    ],
    ['with a different label', { label_ids: ['lbl_bug'] }, { label_ids: ['lbl_1'] }, 'maybe'],
    ['on a different board', {}, { board_id: 'brd_other' }, 'maybe'],
  ])('matches a row against a ticket %s', async (_, fields, sent, expected) => {
    expect(await matchTicket(fields, sent)).toBe(expected);
  });

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
    [
      'with the same fields',
      { caption: 'a', tag_names: ['x', 'y'] },
      { caption: 'a', tag_names: ['y', 'x'] },
      'exact',
    ],
    ['with fields that the row omits', { caption: 'a', content_html: 'A', tag_names: ['x'] }, {}, 'exact'],
    ['with a different title', { title: 'Other' }, {}, 'no'],
    ['with a different title and caption', { title: 'Other' }, { caption: 'a' }, 'no'],
    [
      'with a truncated title',
      { title: 'How to fuel the rocket…' },
      { title: 'How to fuel the rocket before noon' },
      'maybe',
    ],
    ['with different content', { content_html: 'A' }, { content_html: 'B' }, 'maybe'],
    ['with a different caption', { caption: 'a' }, { caption: 'b' }, 'maybe'],
    ['with a different status', { status: 'published' }, { status: 'draft' }, 'maybe'],
    ['without a project', {}, { project_id: 'prj_other' }, 'maybe'],
    ['without an editor', {}, { editor_ids: ['usr_1'] }, 'maybe'],
    ['with fewer tags', { tag_names: ['x'] }, { tag_names: ['x', 'y'] }, 'maybe'],
    ['with more tags', { tag_names: ['x', 'y'] }, { tag_names: ['x'] }, 'maybe'],
    ['with one different tag', { tag_names: ['x', 'y'] }, { tag_names: ['x', 'z'] }, 'maybe'],
  ])('matches a row against a document %s', async (_, fields, sent, expected) => {
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

  it('uses `isMatch` instead of comparing fields', async () => {
    const { client } = setUp();
    const document = await client.documents.create({ title: 'Runbook', caption: 'row 7' });
    const { lookup } = documentTarget<{ id: number }>({
      client,
      toDocument: () => ({ title: 'Runbook' }),
      isMatch: ({ id }, { caption }) => caption === `row ${id}`,
    });
    expect(await lookup?.match({ title: 'Runbook' }, document, { id: 7 })).toBe('exact');
    expect(await lookup?.match({ title: 'Runbook' }, document, { id: 8 })).toBe('no');
  });

  it("creates and finds documents in the import's organization", async () => {
    const { client, mock } = setUp();
    const { organization } = mock.clientOptions();
    const otherClient = new Worktrack({
      ...mock.clientOptions(),
      fetch: mock.fetch,
      organization: 'org_other',
    });
    const target = documentTarget({
      client: otherClient,
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
  });
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
