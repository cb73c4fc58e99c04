import { describe, expect, test, vi } from 'vitest';
import { compareSettings, findSettings, formatSettings } from 'worktrack/conformance';
import { createMockServer, type Deployment, type MockServer } from 'worktrack/mock-server';

// Each run checks all rules twice.
vi.setConfig({ testTimeout: 60_000 });

const world = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [{ name: 'Ada', role: 'owner' as const }],
      credentials: [{ token: 'wt_all' }],
    },
  ],
};

const find = (mock: MockServer, fetch: typeof globalThis.fetch = mock.fetch, options: object = {}) => {
  const { baseUrl, token, organization } = mock.clientOptions();
  return findSettings({ baseUrl, token, organization, fetch, ...options });
};

const defaults: Deployment = {
  recordEnvelope: 'data',
  pageEnvelope: 'nested',
  errorEnvelope: 'flat',
  statuses: {},
  pastLastPage: 'empty',
  archivedInLists: 'listed',
  hiddenBoards: 'listed',
  listOrder: 'oldest_first',
  archivedInWipLimits: 'counted',
  creator: 'credential',
  slugs: { separator: '-', fallback: 'board', firstSuffix: 2 },
  defaultBoards: [],
  boardForNewTickets: null,
  emptyStrings: 'accepted',
  unknownFields: 'ignored',
  emptyFields: 'null',
  notExpressed: [],
};

const inbox = {
  name: 'Inbox',
  slug: 'inbox',
  color: null,
  wip_limit: null,
  is_done: false,
  is_hidden: false,
};

describe('findSettings', () => {
  test.each<[string, Deployment]>([
    ['the defaults', {}],
    [
      'other values',
      {
        recordEnvelope: 'none',
        pageEnvelope: 'meta',
        errorEnvelope: 'nested',
        statuses: { invalid_board: 404, malformed_json: 422, wip_limit_reached: 409 },
        pastLastPage: 'not_found',
        archivedInLists: 'hidden',
        hiddenBoards: 'hidden',
        listOrder: 'newest_first',
        archivedInWipLimits: 'not_counted',
        creator: 'owner',
        slugs: { separator: '_', fallback: 'column', firstSuffix: 1 },
        emptyStrings: 'rejected',
        unknownFields: 'rejected',
      },
    ],
    ['further values', { pageEnvelope: 'flat', errorEnvelope: 'list', pastLastPage: 'rejected' }],
    ['an error envelope with problems', { errorEnvelope: 'problem', defaultBoards: [inbox] }],
    [
      'an error envelope with only a message',
      { errorEnvelope: 'message', defaultBoards: [inbox], boardForNewTickets: 'inbox' },
    ],
  ])('finds %s of a mock server', async (_, deployment) => {
    const mock = createMockServer({ world, deployment });
    const report = await find(mock);
    expect(report.deployment).toEqual({ ...defaults, ...deployment });
    expect(report.undetermined).toEqual({});
    expect(report.undeletedRecords).toEqual([]);
    expect([mock.state.projects.all(), mock.state.documents.all()]).toEqual([[], []]);
    expect(report.requests).toBe(mock.requests.all().length);
  });

  test('finds that fields are omitted', async () => {
    const mock = createMockServer({ world, deployment: { emptyFields: 'omitted' } });
    expect((await find(mock)).deployment.emptyFields).toBe('omitted');
  });

  test('reports what no setting expresses, and what is unknown', async () => {
    const mock = createMockServer({ world });
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const { pathname } = new URL(String(url));
      if (init?.method === 'POST' && pathname.endsWith('/move')) return Response.json({}, { status: 500 });
      if (pathname.endsWith('/members')) return Response.json({}, { status: 403 });
      return mock.fetch(url, init);
    };
    const report = await find(mock, fetch);
    expect(report.undetermined).toEqual({ creator: expect.stringContaining('(403)') });
    expect(report.deployment).not.toHaveProperty('creator');
    const { notExpressed = [] } = report.deployment;
    expect(notExpressed).toContain(
      'tickets.move moves a ticket to a position on another board (200): fails (tickets.move: expected 200, got 500), unlike on the mock server',
    );
    expect(notExpressed.filter((line) => !/^(tickets\.move|projects\.members\.list) /.test(line))).toEqual(
      [],
    );
    expect((await find(mock, fetch)).deployment).toEqual(report.deployment);
    const text = formatSettings(report);
    expect(text).toContain('✓ pageEnvelope: "nested"');
    expect(text).toContain('– creator: unknown: projects.members.list');
    expect(text).toContain('✗ no setting expresses: tickets.move');
    expect(text).toMatch(
      /\n15 settings \(\d+ requests\), 1 unknown, \d+ differences that no setting expresses$/,
    );
  });

  test('determines nothing from responses in an unknown format', async () => {
    const mock = createMockServer({ world });
    const { deployment, undetermined } = await find(mock, async () => Response.json([1]));
    expect(deployment).toEqual({ notExpressed: expect.any(Array) });
    expect(undetermined.recordEnvelope).toBe('the envelope around records is unknown; use the wire option');
    expect(Object.keys(undetermined)).toHaveLength(16);
  });

  test('sends at most the given number of requests, apart from cleanup', async () => {
    const mock = createMockServer({ world });
    const { undetermined, undeletedRecords } = await find(mock, mock.fetch, { maxRequests: 20 });
    expect(undetermined.emptyFields).toBe('the limit of 20 requests was reached');
    expect(undeletedRecords).toEqual([]);
  });

  test('rejects invalid options', async () => {
    const mock = createMockServer({ world });
    await expect(find(mock, mock.fetch, { timeout: -1 })).rejects.toThrow('findSettings: option "timeout"');
  });
});

test('compareSettings describes changes, and lists settings that only one run determined', () => {
  const before: Deployment = { creator: 'owner', listOrder: 'oldest_first', notExpressed: ['a', 'b'] };
  const after: Deployment = { creator: 'credential', pastLastPage: 'empty', notExpressed: ['b', 'c'] };
  expect(compareSettings(before, after)).toEqual({
    changes: ['creator: "owner" is now "credential"', 'new: c', 'no longer: a'],
    notCompared: ['pastLastPage', 'listOrder'],
  });
  expect(compareSettings(after, after)).toEqual({ changes: [], notCompared: [] });
});
