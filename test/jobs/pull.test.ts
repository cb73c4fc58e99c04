import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Ticket, Worktrack } from 'worktrack';
import { type KeptKind, type PullOptions, pull } from 'worktrack/jobs';
import { createMockServer, type OrganizationSeed, type World } from 'worktrack/mock-server';
import { keptKinds } from '../../addons/jobs/pull-redaction.js';
import { addMark, readMark } from '../../src/internal.js';
import { connect, connectRewriting, omitFromList } from '../support/clients.js';

const key = 'a key for tests only';
const keep = keptKinds;

const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { id: 'usr_ada', name: 'Ada Lovelace', email: 'ada@acme.example', role: 'owner' },
        { id: 'usr_bob', name: 'Bob', email: 'bob@acme.example' },
        { id: 'usr_cyd', name: 'Cyd', email: 'cyd@acme.example' },
      ],
      credentials: [{ id: 'crd_ci', token: 'wt_ci', name: 'CI bot' }],
      tags: [{ id: 'tag_ops', name: 'ops' }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          description: 'To the moon',
          members: ['Bob'],
          labels: [{ id: 'lbl_bug', name: 'bug', color: '#f00' }],
          tags: [{ id: 'tag_infra', name: 'infra' }],
          boards: [
            {
              id: 'brd_todo',
              name: 'To do',
              color: 'red',
              wip_limit: 4,
              tickets: [
                {
                  id: 'tkt_1',
                  title: 'Fuel valves',
                  number: 7,
                  description_html: '<p>Ask <a href="https://acme.example">Ada</a></p>',
                  priority: 'high',
                  due_at: '2026-05-01T12:00:00Z',
                  creator: 'Ada Lovelace',
                  assignees: ['Bob'],
                  labels: ['bug'],
                  tags: ['infra'],
                },
                { id: 'tkt_2', title: 'Radio', creator: 'CI bot', archived_at: '2026-01-05T00:00:00Z' },
                { id: 'tkt_3', title: 'Seats' },
              ],
            },
            { id: 'brd_done', name: 'Done', is_done: true, is_hidden: true, tickets: [{ title: 'Paint' }] },
          ],
        },
        {
          id: 'prj_hermes',
          name: 'Hermes',
          key: 'HER',
          boards: [{ name: 'Ideas', tickets: [{ title: 'Fly' }] }],
        },
      ],
      documents: [
        {
          id: 'doc_runbook',
          title: 'Runbook',
          project: 'APO',
          caption: 'How to launch',
          content_html: '<h1>Launch</h1>',
          status: 'published',
          author: 'CI bot',
          editors: ['Cyd'],
          tags: ['ops'],
        },
        { id: 'doc_plan', title: 'Plan', author: 'Ada Lovelace' },
      ],
    },
  ],
};

const start = (seed = world) => {
  const mock = createMockServer({ world: seed });
  return { mock, client: connect(mock) };
};

/** Reads everything that the API returns for a deployment. */
async function everything(client: Worktrack) {
  const projects = await client.projects.list();
  const perProject = projects.map(async ({ id }) => ({
    boards: await client.boards.list(id),
    members: await client.projects.members.list(id),
    labels: await client.projects.labels.list(id),
    tags: await client.projects.tags.list(id),
    tickets: await client.tickets.list(id).toArray({ complete: true }),
  }));
  return {
    organization: await client.organization.get(),
    projects,
    content: await Promise.all(perProject),
    documents: await client.documents.list().toArray({ complete: true }),
  };
}

/** Pulls the organization's seed data. */
async function pullOrganization(client: Worktrack, options: PullOptions = {}) {
  const { organizations } = await pull(client, { key, ...options, output: undefined });
  return organizations[0] as {
    [Field in keyof OrganizationSeed]-?: NonNullable<OrganizationSeed[Field]>;
  };
}

const copyOf = async (client: Worktrack, options: PullOptions = {}) =>
  connect(createMockServer({ world: await pull(client, { key, ...options, output: undefined }) }));

describe('pull', () => {
  test('returns seed data with the same records if redaction is turned off', async () => {
    const { client } = start();
    expect(await everything(await copyOf(client, { keep }))).toEqual(await everything(client));
  });

  test('replaces everything but enums, colors, and numbers by default', async () => {
    const { client } = start();
    const [original, redacted] = [await everything(client), await everything(await copyOf(client))];
    const strings = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : value && typeof value === 'object'
          ? Object.values(value).flatMap(strings)
          : [];
    const kept = new Set(strings(redacted).filter((text) => strings(original).includes(text)));
    expect([...kept].sort()).toEqual(
      [
        'owner',
        'member',
        'high',
        'normal',
        'draft',
        'published',
        'user',
        'api_credential',
        '#f00',
        'red',
      ].sort(),
    );
    const [ticket] = redacted.content[0]?.tickets ?? [];
    expect(ticket?.description_html).toMatch(/^<p>[A-Z]\w\w <a>[A-Z]\w\w<\/a><\/p>$/);
    expect(redacted.projects[0]?.key).toMatch(/^[A-Z]{3}$/);
  });

  test('shifts all dates by the same number of weeks', async () => {
    const { client } = start();
    const dates = async (from: Worktrack) => {
      const [project] = await from.projects.list();
      const [ticket] = await from.tickets.list(project?.id as string).toArray({ complete: true });
      const { created_at, due_at } = ticket as Ticket;
      return [Date.parse(created_at), Date.parse(due_at as string)];
    };
    const [before, after] = [await dates(client), await dates(await copyOf(client))];
    const shifts = before.map((date, index) => (date - (after[index] as number)) / (7 * 24 * 3_600_000));
    expect(shifts[0]).toBe(shifts[1]);
    expect(shifts[0]).toSatisfy((weeks: number) => Number.isInteger(weeks) && weeks > 0 && weeks <= 52);
  });

  test.each(keptKinds)(`keeps only %s if "keep" contains them`, async (kind) => {
    const { client } = start();
    const text = JSON.stringify(await pull(client, { key, keep: [kind] }));
    const originals: Record<KeptKind, string[]> = {
      dates: ['2026-05-01T12:00:00.000Z'],
      ids: ['"APO"', '"tkt_1"', '"usr_ada"', '"tag_infra"'],
      people: ['Ada Lovelace', 'CI bot', 'ada@acme.example'],
      structure: ['"name":"To do","slug":"to-do"', '"name":"bug"', '"name":"Apollo"', '"tags":["infra"]'],
      texts: ['To the moon', 'How to launch', 'https://acme.example'],
      titles: ['"title":"Fuel valves"', '"title":"Runbook"'],
    };
    const found = Object.values(originals).flatMap((strings) =>
      strings.filter((original) => text.includes(original)),
    );
    expect(found).toEqual(originals[kind]);
  });

  test('replaces the mark of an imported record like other text', async () => {
    const { mock, client } = start();
    const mark = { source: 'Jira', key: 'ACME-123', kind: 'ticket' } as const;
    mock.add.ticket({ board: 'brd_todo', description_html: addMark('<p>Ask Ada</p>', mark) });
    const text = JSON.stringify(await pull(client, { key, keep: keep.filter((kind) => kind !== 'texts') }));
    expect(text).not.toMatch(/Jira|ACME/);
    const tickets = (await pullOrganization(client)).projects[0]?.boards?.[0]?.tickets ?? [];
    expect(tickets.map((ticket) => readMark(ticket.description_html ?? '', 'ticket'))).not.toContainEqual(
      mark,
    );
    const [copy] =
      (await pullOrganization(client, { keep })).projects[0]?.boards?.[0]?.tickets?.slice(-1) ?? [];
    expect(readMark(copy?.description_html ?? '', 'ticket')).toEqual(mark);
  });

  test('pulls only the given projects and their documents', async () => {
    const { mock, client } = start();
    const copy = await everything(await copyOf(client, { keep, projects: ['apo'] }));
    expect(copy.projects.map(({ key }) => key)).toEqual(['APO']);
    expect(copy.documents.map(({ id }) => id)).toEqual(['doc_runbook']);
    expect(mock.requests.matching('documents.list')).toMatchObject([{ query: { project_id: 'prj_apollo' } }]);
  });

  test('calls "onProgress" for each ticket and document, and stops if it fails', async () => {
    const counts: number[] = [];
    await pull(start().client, { onProgress: (records) => counts.push(records) });
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const onProgress = () => {
      throw new Error('no disk');
    };
    await expect(pull(start().client, { onProgress })).rejects.toThrow('no disk');
  });

  test('returns seed data that can be loaded even if the default credential created records', async () => {
    const mock = createMockServer();
    const board = mock.add.board({ project: mock.add.project().id });
    const client = connect(mock);
    await client.tickets.create(board.project_id, { board_id: board.id, title: 'Radio' });
    expect(await everything(await copyOf(client, { keep }))).toEqual(await everything(client));
  });

  test('replaces IDs and project keys so that the records still refer to each other', async () => {
    const { client } = start();
    const copy = await everything(await copyOf(client, { keep: keep.filter((kind) => kind !== 'ids') }));
    const original = await everything(client);
    expect(JSON.stringify(copy)).not.toMatch(
      /"(?:tkt_1|usr_ada|crd_ci|brd_todo|prj_apollo|lbl_bug|tag_infra|APO)"/,
    );
    const withoutIds = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, item) => (/^(?:id|key|.*_id)$/.test(name) ? item && 'ID' : item)),
      );
    expect(withoutIds(copy)).toEqual(withoutIds(original));
  });

  test('needs only read scopes and sends only GET requests', async () => {
    const { mock, client } = start();
    await pull(client);
    expect(mock.scopes.used()).toEqual([
      'boards:read',
      'documents:read',
      'organization:read',
      'projects:read',
      'tickets:read',
    ]);
    expect(mock.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('doesn\'t pull any documents if "documents" is false', async () => {
    const { mock, client } = start();
    const { documents } = await pullOrganization(client, { documents: false });
    expect(documents).toEqual([]);
    expect(mock.scopes.used()).not.toContain('documents:read');
  });

  test('gives every tag a different name and every user a different email address, even if only a few short replacements exist', async () => {
    const tags = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x100 + index));
    const users = tags.map((name, index) => ({ id: `u${index}`, name, email: `${name}@acme.example` }));
    const { client } = start({
      organizations: [
        {
          name: 'A',
          users,
          projects: [
            {
              name: 'P',
              members: users.map(({ id }) => id),
              boards: [{ name: 'B', tickets: [{ title: 'T', tags }] }],
            },
          ],
        },
      ],
    });
    const { users: pulled, projects } = await pullOrganization(client);
    expect(new Set(projects[0]?.boards?.[0]?.tickets?.[0]?.tags).size).toBe(200);
    expect(new Set(pulled.map(({ email }) => email)).size).toBe(200);
  });

  test("truncates text that exceeds the API's limits and drops invalid values", async () => {
    const { mock } = start();
    const broken = connectRewriting(mock, (text) =>
      text
        .replace('"Radio"', JSON.stringify('é'.repeat(600)))
        .replaceAll('"priority":"high"', '"priority":"urgent"')
        .replaceAll('"number":7', '"number":"seven"')
        .replaceAll('"due_at":"2026-05-01T12:00:00.000Z"', '"due_at":"2026-05-01"')
        .replaceAll('"started_at":null', '"started_at":"-271821-04-20T00:00:00Z"')
        .replaceAll('"completed_at":null', '"completed_at":"0000-01-01T00:00:00Z"')
        .replaceAll('"wip_limit":4', '"wip_limit":0')
        .replace(/"assignees":\[.*?\]/, '"assignees":[null,"usr_ada"],"labels":"crew"')
        .replace(/"editors":\[.*?\]/, '"editors":true'),
    );
    const shifted = await copyOf(broken, { keep: ['ids'] });
    expect(await shifted.tickets.get('tkt_1')).toMatchObject({ started_at: null, completed_at: null });
    const copy = await copyOf(broken, { keep });
    expect((await copy.tickets.get('tkt_2')).title).toBe('é'.repeat(500));
    expect(await copy.tickets.get('tkt_1')).toMatchObject({
      priority: 'normal',
      due_at: '2026-05-01T00:00:00.000Z',
    });
    expect((await copy.boards.list('prj_apollo'))[0]?.wip_limit).toBeNull();
  });

  test('uses a single name for a tag that is renamed during the pull', async () => {
    const { mock, client } = start({
      organizations: [
        {
          name: 'A',
          projects: [{ name: 'P', boards: [{ name: 'B', tickets: [{ title: 'T', tags: ['old'] }] }] }],
        },
      ],
    });
    mock.override('projects.tags.list', async (_, next) =>
      (await next()).map((tag) => ({ ...tag, name: 'new' })),
    );
    const copy = createMockServer({ world: await pull(client, { keep }) });
    expect(copy.state.tickets.all()[0]).toMatchObject({ tags: [{ name: 'new' }] });
  });

  test('requests tickets and documents individually if lists omit fields', async () => {
    const { mock, client } = start();
    const original = await everything(client);
    omitFromList(mock, 'tickets.list', 'description_html');
    omitFromList(mock, 'documents.list', 'content_html');
    const short = client.withOptions({ responseValidation: 'off' });
    expect(await everything(await copyOf(short, { keep }))).toEqual(original);
  });

  test('requests several documents at a time and keeps their order', async () => {
    const mock = createMockServer();
    const titles = Array.from({ length: 20 }, (_, index) => `Document ${index}`);
    for (const title of titles) mock.add.document({ title });
    omitFromList(mock, 'documents.list', 'content_html');
    let [current, highest] = [0, 0];
    mock.override('documents.get', async (_, next) => {
      highest = Math.max(highest, ++current);
      // The first requests take the longest.
      await setTimeout(20 - mock.requests.for('documents.get').length);
      current--;
      return next();
    });
    const client = connect(mock, { responseValidation: 'off' });
    const { documents } = await pullOrganization(client, { keep });
    expect(documents.map(({ title }) => title)).toEqual(titles);
    expect(highest).toBe(8);
  });

  test('adds assignees, labels, and boards that are missing from the lists', async () => {
    const { mock, client } = start();
    mock.override('projects.members.list', async (_, next) =>
      (await next()).filter(({ id }) => id === 'usr_ada'),
    );
    mock.override('projects.labels.list', async () => []);
    mock.override('boards.list', async (_, next) => (await next()).filter(({ id }) => id !== 'brd_done'));
    const copy = await copyOf(client, { keep, projects: ['APO'] });
    const ticket = await copy.tickets.get('tkt_1');
    expect(ticket.assignees).toEqual([{ id: 'usr_bob', name: 'Bob' }]);
    expect(ticket.labels).toEqual([{ id: 'lbl_bug', name: 'bug', color: '#f00' }]);
    expect((await copy.boards.list('prj_apollo')).map(({ id, is_hidden }) => [id, is_hidden])).toEqual([
      ['brd_todo', false],
      ['brd_done', true],
    ]);
    expect(await copy.tickets.list('prj_apollo').toArray({ complete: true })).toHaveLength(4);
  });
});

describe('a sample', () => {
  const large: World = {
    organizations: [
      {
        name: 'A',
        projects: [1, 2].map((number) => ({
          id: `p${number}`,
          name: `P${number}`,
          boards: [3, 15, null].map((wip_limit, index) => ({
            id: `b${number}${index}`,
            name: `B${index}`,
            wip_limit,
            tickets: Array.from({ length: 40 }, (_, ticket) => ({
              title: `T${ticket}`,
              tags: [`t${ticket % 7}`],
            })),
          })),
        })),
        documents: Array.from({ length: 50 }, (_, index) => ({ title: `D${index}` })),
      },
    ],
  };

  test('contains at most the requested number of tickets and documents', async () => {
    const { client } = start(large);
    const { projects, documents } = await pullOrganization(client, { sample: 100 });
    const counts = projects.flatMap(({ boards }) => boards?.map(({ tickets }) => tickets?.length ?? 0) ?? []);
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(documents).toHaveLength(50);
    expect((await pullOrganization(client, { sample: 20 })).documents).toHaveLength(20);
  });

  test('is the same whenever the key is the same, and different for a different key', async () => {
    const { client } = start(large);
    const titles = async (options: PullOptions) =>
      (await pullOrganization(client, { sample: 20, keep, ...options })).documents.map(({ title }) => title);
    expect(await titles({ key })).toEqual(await titles({ key }));
    expect(await titles({ key })).not.toEqual(await titles({ key: 'another key for tests' }));
  });
});
