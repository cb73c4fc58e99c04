import { describe, expect, test } from 'vitest';
import {
  createMockServer,
  type DeploymentChoices,
  deploymentWire,
  type MockServer,
} from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { choices } from '../../mock-server/deployment/choices.js';
import { connect } from '../support/clients.js';
import { calibrateMock, deploymentWith } from './support/mock-deployment.js';

const world = {
  organizations: [
    {
      id: 'org_1',
      name: 'Acme',
      users: [{ name: 'Ada', role: 'owner' }],
      projects: [
        {
          id: 'apollo',
          name: 'Apollo',
          boards: [
            {
              name: 'To do',
              tickets: ['One', 'Two', 'Three', 'Four', 'Five'].map((title) => ({ title })),
            },
          ],
        },
      ],
    },
  ],
};

const get = async (mock: MockServer, path: string) => {
  const { baseUrl, token } = mock.clientOptions();
  const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, text: await response.text() };
};

const emulating = (observed: Partial<DeploymentChoices>) =>
  createMockServer({ world, deployment: deploymentWith(observed) });

/** The titles on the tickets' page that a query selects. */
const titlesOn = async (mock: MockServer, query: string): Promise<string[]> => {
  const { text } = await get(mock, `/projects/apollo/tickets?per_page=2&${query}`);
  return JSON.parse(text).data.data.map(({ title }: { title: string }) => title);
};

/** Returns a deployment with an additional or changed choice, which may be invalid. */
const withChoice = (choice: object) => {
  const deployment = deploymentWith({});
  return { ...deployment, choices: { ...deployment.choices, ...choice } };
};

const archivedTicket = (id: string) => ({ id, title: 'Archived', archived_at: '2026-01-01T00:00:00Z' });

const unknownBoard = 'board_id "none" is not a board in this project';

describe('createMockServer with a deployment', () => {
  test('returns byte-identical responses if the deployment behaves like the mock server', async () => {
    const { deployment } = await calibrateMock(createMockServer());
    const paths = [
      '/projects/apollo',
      '/projects/apollo/tickets?per_page=2&page=2',
      '/tickets/none',
      '/nowhere',
    ];
    const [plain, calibrated] = [createMockServer({ world }), createMockServer({ world, deployment })];
    for (const path of paths) expect(await get(calibrated, path)).toEqual(await get(plain, path));
  });

  test.each([
    ['page_index', 'p', [0, 1, 2]],
    ['offset', 'skip', [0, 2, 4]],
    ['page', 'page[number]', [1, 2, 3]],
  ] as const)('supports page parameters of type %s', async (value, name, pages) => {
    const mock = emulating({ pageParameter: { name, value } });
    const titles = await Promise.all(pages.map((page) => titlesOn(mock, `${name}=${page}`)));
    expect(titles).toEqual([['One', 'Two'], ['Three', 'Four'], ['Five']]);
  });

  test('supports page parameters of type cursor', async () => {
    const mock = emulating({
      pageParameter: { name: 'after', value: 'cursor' },
      pageFields: { items: 'items', next: 'next_cursor?', more: 'has_more' },
    });
    const pages: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { text } = await get(mock, `/projects/apollo/tickets?per_page=2${cursor && `&after=${cursor}`}`);
      const { items, next, more } = JSON.parse(text);
      expect(more).toBe(next !== undefined);
      pages.push(items.map(({ title }: { title: string }) => title));
      cursor = next;
    }
    expect(pages).toEqual([['One', 'Two'], ['Three', 'Four'], ['Five']]);
    const { deployment } = await calibrateMock(mock);
    expect(deployment.choices).toMatchObject({
      pageParameter: { observed: { name: 'after', value: 'cursor' } },
      pageFields: { observed: { items: 'items', next: 'next_cursor?', more: 'has_more' } },
    });
  });

  test.each([
    [
      1,
      { index: 0, from: 1, to: 2, offset: 0, count: 2, more: true, earlier: false, next: 2, previous: null },
    ],
    [2, { index: 1, from: 3, to: 4, offset: 2, count: 2, more: true, earlier: true, next: 3, previous: 1 }],
    [
      3,
      { index: 2, from: 5, to: 5, offset: 4, count: 1, more: false, earlier: true, next: null, previous: 2 },
    ],
  ])("returns page %i of 3 with the deployment's names for the page fields", async (page, expected) => {
    const deployment = deploymentWith({
      pageParameter: { name: 'skip', value: 'offset' },
      pageFields: {
        items: 'items',
        index: 'page_index',
        from: 'from',
        to: 'to',
        offset: 'offset',
        count: 'count',
        more: 'has_more',
        earlier: 'has_previous',
        next: 'next_page',
        previous: 'previous_page',
        'links.next': 'next_url',
        'links.previous': 'previous_url?',
        'links.self': 'page_url',
      },
    });
    const path = '/projects/apollo/tickets';
    const mock = createMockServer({ world, deployment });
    const { text } = await get(mock, `${path}?per_page=2&skip=${page * 2 - 2}`);
    const { items, links, ...fields } = JSON.parse(text);
    expect(items).toHaveLength(expected.count);
    expect(fields).toEqual(expected);
    const linkTo = (number: number) => expect.stringMatching(`${path}\\?per_page=2&skip=${number * 2 - 2}$`);
    expect(links).toEqual({
      next: page < 3 ? linkTo(page + 1) : null,
      ...(page > 1 && { previous: linkTo(page - 1) }),
      self: linkTo(page),
    });
  });

  test.each<[fields: DeploymentChoices['pageFields'], body: object, decoded: object | undefined]>([
    [{ rows: 'items', more: 'has_more' }, { rows: [1], more: false }, { hasNext: false }],
    [{ rows: 'items', next: 'next_page' }, { rows: [1], next: 2 }, { hasNext: true }],
    [{ rows: 'items', next: 'next_cursor' }, { rows: [1], next: null }, { hasNext: false }],
    [{ rows: 'items', next: 'next_url?' }, { rows: [1] }, { hasNext: false }],
    [
      { rows: 'items', page: 'page_index', pages: 'last_page', skipped: 'offset' },
      { rows: [1], page: 0, pages: 2, skipped: 0 },
      { hasNext: true, pageInfo: { current_page: 1, last_page: 2, from: 1 } },
    ],
    [{ rows: 'items', pages: 'last_page' }, { rows: [1], pages: 2 }, { hasNext: undefined }],
    [{ rows: 'items', pages: 'last_page' }, { rows: null, pages: 2 }, undefined],
  ])('decodes a page with the fields %j', (fields, body, decoded) => {
    const page = deploymentWire(deploymentWith({ pageFields: fields })).page.decode(body);
    if (decoded) expect(page).toMatchObject({ data: [1], ...decoded });
    else expect(page).toBeUndefined();
  });

  test.each([
    ['last_page', 200, ['Five']],
    ['not_found', 404, undefined],
    ['rejected', 422, undefined],
  ] as const)(
    'returns the response that `pastLastPage: %s` specifies for a page after the last one',
    async (pastLastPage, status, titles) => {
      const mock = emulating({ pastLastPage });
      const response = await get(mock, '/projects/apollo/tickets?per_page=2&page=9');
      expect(response.status).toBe(status);
      expect(JSON.parse(response.text).errors).toEqual(
        status === 422 ? { page: ['page must not be greater than the last page'] } : undefined,
      );
      if (titles) expect(await titlesOn(mock, 'page=9')).toEqual(titles);
    },
  );

  // Calibrating the emulation must produce the same choices.
  test.each<Partial<DeploymentChoices>>([
    { recordFields: { '': 'record' }, pastLastPage: 'last_page', emptyFields: 'omitted', firstPosition: 1 },
    { recordFields: { error: 'null', 'result.item': 'record', success: 'true' } },
    { pageFields: { 'meta.page': 'page_index', 'meta.rows': 'total', rows: 'items' } },
    {
      errorFields: {
        'errors[].detail': 'field_message',
        'errors[].pointer': 'field_name',
        status: 'status',
        title: 'message',
      },
    },
    { errorFields: { code: 'code', fields: 'message_by_field', message: 'message', ok: 'false' } },
    { 'error.not_found': { status: 410, code: 'GONE' }, archivedTicketsInWipLimit: 'not_counted' },
    {
      timestampFormat: '0000-00-00 00:00:00',
      emptyStrings: 'rejected',
      defaultBoards: [
        { name: 'Inbox', slug: 'in' },
        { name: 'Done', slug: 'done', is_done: true },
      ],
      boardForNewTickets: 'in',
    },
    {
      timestampFormat: '0000-00-00T00:00:00.000000Z',
      boardSlugs: { separator: '', fallback: 'column', firstSuffix: 1 },
      unknownFields: 'rejected',
    },
    { ticketOrder: 'newest_first', documentOrder: 'newest_first', projectOrder: 'newest_first' },
    { ticketOrder: 'name', documentOrder: 'name', projectOrder: 'name' },
    {
      ticketOrder: 'recently_updated_first',
      documentOrder: 'recently_updated_first',
      projectOrder: 'recently_updated_first',
    },
    {
      ticketOrder: 'oldest_first',
      archivedTickets: 'hidden',
      archivedDocuments: 'hidden',
      archivedProjects: 'hidden',
      hiddenBoards: 'hidden',
    },
  ])('emulates a deployment with the choices %j', async (observed) => {
    const { deployment } = await calibrateMock(createMockServer({ deployment: deploymentWith(observed) }));
    const expected = Object.fromEntries(
      Object.entries(choices).map(([id, { mockValue }]) => [
        id,
        { observed: id in observed ? observed[id as keyof DeploymentChoices] : mockValue },
      ]),
    );
    // If error bodies have no field for codes, the codes can't be observed.
    const hasCode = !observed.errorFields || 'code' in observed.errorFields;
    for (const [id, choice] of Object.entries(deployment.choices)) {
      if (id.startsWith('error.') && !hasCode) continue;
      expect([id, choice]).toEqual([id, expected[id]]);
    }
  });

  test("accepts archived tickets on a full board if they don't count toward WIP limits", async () => {
    const boards = [
      { id: 'full', name: 'Full', wip_limit: 1, tickets: [{ title: 'Open' }] },
      { id: 'mixed', name: 'Mixed', tickets: [{ id: 'open', title: 'Open' }, archivedTicket('first')] },
      { id: 'archive', name: 'Archive', tickets: [archivedTicket('second')] },
    ];
    const mock = createMockServer({
      world: { organizations: [{ name: 'Acme', projects: [{ name: 'Apollo', boards }] }] },
      deployment: deploymentWith({ archivedTicketsInWipLimit: 'not_counted' }),
    });
    const client = connect(mock);
    await client.tickets.move('first', { board_id: 'full' });
    await client.boards.delete('archive', { move_to_board_id: 'full' });
    const wipLimitReached = { code: 'wip_limit_reached' };
    await expect(client.tickets.move('open', { board_id: 'full' })).rejects.toMatchObject(wipLimitReached);
    await expect(client.boards.delete('mixed', { move_to_board_id: 'full' })).rejects.toMatchObject(
      wipLimitReached,
    );
  });

  test('emulates pages and error codes in a format that the client understands', async () => {
    const deployment = deploymentWith({
      recordFields: { result: 'record' },
      pageFields: { rows: 'items', 'meta.page': 'current_page', 'meta.last': 'last_page' },
      pageParameter: { name: 'page[number]', value: 'page' },
      errorFields: { 'error.key': 'code', 'error.text': 'message' },
      'error.not_found': { status: 404, code: 'E_NOT_FOUND' },
    });
    const mock = createMockServer({ world, deployment });
    const client = connect(mock);
    const titles: string[] = [];
    for await (const { title } of client.tickets.list('apollo', { per_page: 2 })) titles.push(title);
    expect(titles).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
    await expect(client.tickets.get('none')).rejects.toMatchObject({ status: 404, code: 'not_found' });
    const { envelope } = deploymentWire(deployment);
    expect(envelope.decode({ result: 1 })).toEqual({ data: 1 });
  });

  test.each<[DeploymentChoices['errorFields'], messages?: string[]]>([
    [
      { 'errors[].pointer': 'field_name', 'errors[].detail': 'field_message', title: 'message' },
      [unknownBoard],
    ],
    [{ 'problems[]': 'field_message', fields: 'messages_by_field?', text: 'message' }, [unknownBoard]],
    [{ fields: 'message_by_field', text: 'message' }, [unknownBoard]],
    [{ 'problems[]': 'field_message', text: 'message' }],
    [{ text: 'message' }],
  ])('emulates an error that lists its invalid fields in the format %j', async (errorFields, messages) => {
    const mock = emulating({ errorFields });
    const client = connect(mock);
    await expect(client.tickets.create('apollo', { title: 'One', board_id: 'none' })).rejects.toMatchObject({
      status: 422,
      message: `tickets.create: ${unknownBoard} (422)`,
      fieldErrors: messages ? { board_id: messages } : {},
    });
  });

  test('overrides the settings in the seed data, even after mock.load() and in spaces', async () => {
    const deployment = deploymentWith({ defaultBoards: [{ name: 'Inbox' }] });
    const settings = { default_boards: [{ name: 'Other' }] };
    await using server = await listen({ world: { ...world, settings }, deployment });
    const boardsOf = async (mock: MockServer) => {
      const client = connect(mock);
      const { id } = await client.projects.create({ name: 'New', key: 'NEW' });
      return (await client.boards.list(id)).map(({ name }) => name);
    };
    expect(await boardsOf(server.mock)).toEqual(['Inbox']);
    server.mock.load({ ...world, settings });
    expect(await boardsOf(server.mock)).toEqual(['Inbox']);
    expect(await boardsOf(server.createSpace('other'))).toEqual(['Inbox']);
  });

  test.each([
    ['{', /^createMockServer: deployment: not valid JSON: /],
    [{}, 'deployment: version must be 1 (got nothing); create the file with "worktrack calibrate"'],
    [{ version: 2 }, 'deployment: version must be 1 (got 2); update worktrack'],
    [{ ...deploymentWith({}), choises: {} }, 'deployment: unknown field "choises"; did you mean "choices"?'],
    [
      withChoice({ pageParamter: {} }),
      'deployment: unknown field "choices.pageParamter"; did you mean "choices.pageParameter"?',
    ],
    [
      withChoice({ emptyFields: { observed: 'gone' } }),
      'deployment: choices.emptyFields.observed must be one of: null, omitted',
    ],
    [
      withChoice({ emptyFields: {} }),
      'deployment: choices.emptyFields must have either "observed" or "unknown"',
    ],
  ])('rejects an invalid deployment (case %#)', (deployment, message) => {
    expect(() => createMockServer({ deployment: deployment as never })).toThrow(message);
  });
});
