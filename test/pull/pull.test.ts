import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Worktrack } from 'worktrack';
import { keptKinds, type PullOptions, pullWorld, pullWorldToFile } from 'worktrack/jobs';
import { createMockServer, type World } from 'worktrack/mock-server';
import { connect, connectRewriting, omitFromList } from '../support/clients.js';
import { posixTest } from '../support/platforms.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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

const copyOf = async (client: Worktrack, options: PullOptions = {}) =>
  connect(createMockServer({ world: await pullWorld(client, { key, ...options }) }));

describe('pullWorld', () => {
  test('returns seed data with the same records if redaction is turned off', async () => {
    const { client } = start();
    expect(await everything(await copyOf(client, { keep }))).toEqual(await everything(client));
  });

  test('redacts only names, text, email addresses, and dates by default', async () => {
    const { client } = start();
    const [original, redacted] = [await everything(client), await everything(await copyOf(client))];
    const strings = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : value && typeof value === 'object'
          ? Object.values(value).flatMap(strings)
          : [];
    const kept = new Set(strings(redacted).filter((text) => strings(original).includes(text)));
    const ids = strings(original).filter((text) => /^(?:[a-z]{3}_\w+|[A-Z0-9]{26})$/.test(text));
    const enums = [
      'APO',
      'HER',
      'owner',
      'member',
      'high',
      'normal',
      'draft',
      'published',
      'user',
      'api_credential',
    ];
    expect([...kept].sort()).toEqual([...new Set([...ids, ...enums, '#f00', 'red'])].sort());
    expect(redacted.content[0]?.tickets[0]?.description_html).toMatch(
      /^<p>[A-Z]\w\w <a href="https:\/\/\w{4}\.invalid">[A-Z]\w\w<\/a><\/p>$/,
    );
  });

  test('shifts all dates by the same number of weeks', async () => {
    const { client } = start();
    const dates = async (from: Worktrack) => {
      const { created_at, due_at } = await from.tickets.get('tkt_1');
      return [Date.parse(created_at), Date.parse(due_at as string)];
    };
    const [before, after] = [await dates(client), await dates(await copyOf(client))];
    const shifts = before.map((date, index) => (date - (after[index] as number)) / (7 * 24 * 3_600_000));
    expect(shifts[0]).toBe(shifts[1]);
    expect(shifts[0]).toSatisfy((weeks: number) => Number.isInteger(weeks) && weeks > 0 && weeks <= 52);
  });

  test.each(keptKinds)(`doesn't redact %s if "keep" contains them`, async (kind) => {
    const { client } = start();
    const text = JSON.stringify(await pullWorld(client, { key, keep: [kind] }));
    const originals: Record<(typeof keptKinds)[number], string> = {
      boards: '"name":"To do","slug":"to-do"',
      dates: '2026-05-01T12:00:00.000Z',
      emails: 'ada@acme.example',
      labels: '"name":"bug"',
      names: 'Ada Lovelace',
      projects: '"name":"Apollo"',
      tags: '"tags":["infra"]',
      texts: 'To the moon',
      titles: '"title":"Fuel valves"',
    };
    const found = Object.entries(originals).filter(([, original]) => text.includes(original));
    expect(found.map(([name]) => name)).toEqual([kind]);
  });

  test('pulls only the given projects and their documents', async () => {
    const { mock, client } = start();
    const copy = await everything(await copyOf(client, { keep, projects: ['apo'] }));
    expect(copy.projects.map(({ key }) => key)).toEqual(['APO']);
    expect(copy.documents.map(({ id }) => id)).toEqual(['doc_runbook']);
    expect(mock.requests.matching('documents.list')).toMatchObject([{ query: { project_id: 'prj_apollo' } }]);
  });

  test('fails with the error of an asynchronous "onProgress" callback', async () => {
    const onProgress = async () => {
      throw new Error('no network');
    };
    await expect(pullWorld(start().client, { onProgress })).rejects.toThrow('no network');
  });

  test('returns seed data that can be loaded even if the default credential created records', async () => {
    const mock = createMockServer();
    const board = mock.add.board({ project: mock.add.project().id });
    const client = connect(mock);
    await client.tickets.create(board.project_id, { board_id: board.id, title: 'Radio' });
    expect(await everything(await copyOf(client, { keep }))).toEqual(await everything(client));
  });

  test('renames IDs and project keys consistently', async () => {
    const { client } = start();
    const copy = await everything(await copyOf(client, { keep, renameIds: true }));
    const original = await everything(client);
    expect(JSON.stringify(copy)).not.toMatch(
      /tkt_1|usr_ada|crd_ci|brd_todo|prj_apollo|lbl_bug|tag_infra|"APO"/,
    );
    const withoutIds = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (name, item) => (/^(?:id|key|.*_id)$/.test(name) ? item && 'ID' : item)),
      );
    expect(withoutIds(copy)).toEqual(withoutIds(original));
  });

  test('needs only read scopes and sends only GET requests', async () => {
    const { mock, client } = start();
    await pullWorld(client);
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
    const { organizations } = await pullWorld(client, { documents: false });
    expect(organizations[0].documents).toEqual([]);
    expect(mock.scopes.used()).not.toContain('documents:read');
  });

  test('gives every tag and user a different name, even if only a few short replacements exist', async () => {
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
    const { users: pulled, projects } = (await pullWorld(client, { key })).organizations[0];
    expect(new Set(projects[0]?.boards[0]?.tickets[0]?.tags).size).toBe(200);
    expect(new Set(pulled.map(({ name }) => name)).size).toBe(200);
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
    const shifted = await copyOf(broken);
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
    const copy = createMockServer({ world: await pullWorld(client, { keep }) });
    expect(copy.state.tickets.all()[0]).toMatchObject({ tags: [{ name: 'old' }] });
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
    const { documents } = (await pullWorld(client, { keep })).organizations[0];
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

  test('contains at most the requested number of tickets and documents, and no board that exceeds its WIP limit', async () => {
    const { client } = start(large);
    const { organizations } = await pullWorld(client, { key, sample: 100 });
    const [{ projects, documents }] = organizations;
    const boards = projects.flatMap((project) => project.boards);
    const counts = boards.map(({ tickets }) => tickets.length);
    expect(counts.reduce((sum, count) => sum + count)).toSatisfy((sum: number) => sum > 50 && sum <= 100);
    for (const { wip_limit, tickets } of boards) {
      expect(tickets.length).toBeGreaterThan(0);
      expect(tickets.length).toBeLessThanOrEqual(wip_limit ?? 100);
    }
    expect(documents).toHaveLength(50);
    expect((await pullWorld(client, { key, sample: 20 })).organizations[0].documents).toHaveLength(20);
  });

  test('is the same whenever the key is the same, and different for a different key', async () => {
    const { client } = start(large);
    const titles = async (options: PullOptions) =>
      (await pullWorld(client, { sample: 20, keep, ...options })).organizations[0].documents.map(
        ({ title }) => title,
      );
    expect(await titles({ key })).toEqual(await titles({ key }));
    expect(await titles({ key })).not.toEqual(await titles({ key: 'another key for tests' }));
  });
});

describe('pullWorldToFile', () => {
  test('writes the same file for the same data and key, and reports what it wrote', async () => {
    const { client } = start();
    const path = await temporaryFolder();
    const files = [1, 2, 3].map((number) => join(path, `${number}.json`)) as [string, string, string];
    const report = await pullWorldToFile(client, files[0], { key });
    await pullWorldToFile(connect(createMockServer({ world })), files[1], { key });
    await pullWorldToFile(client, files[2]);
    const [first, second, third] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(report).toEqual({ projects: 2, boards: 3, tickets: 5, documents: 2, users: 3, leftOut: 0 });
    expect(JSON.parse(first as string)).toEqual(await pullWorld(client, { key }));
    expect((await stat(files[0])).mode & 0o777).toBe(0o600);
    expect((await readdir(path)).sort()).toEqual(['1.json', '2.json', '3.json']);
  });

  test('writes a list of the missing data at the start of the file', async () => {
    const { client } = start();
    const { about } = await pullWorld(client, { keep: ['titles'], sample: 10, projects: ['APO'] });
    expect(about).toMatchInlineSnapshot(`
      [
        "Pulled from a deployment with "worktrack pull".",
        "Contains some projects and their documents.",
        "Sample: at most 10 tickets and 10 documents.",
        "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records, the history of changes, and users who aren't members of a project.",
        "Redacted: boards, dates, emails, labels, names, projects, tags, texts.",
        "Not redacted: titles, IDs, project keys, colors, numbers.",
        "Credentials have made-up tokens.",
      ]
    `);
  });

  test.each(['fails', 'is aborted'])(
    "keeps the old file and doesn't leave a temporary file behind if it %s",
    async (end) => {
      const { mock } = start();
      const path = await temporaryFolder();
      const file = join(path, 'world.json');
      await pullWorldToFile(connect(mock), file, { key });
      const before = await readFile(file, 'utf8');
      const stop = new AbortController();
      const client = connect(mock, {
        retry: { limit: 0 },
        fetch: async (input, init) => {
          if (!String(input instanceof Request ? input.url : input).includes('/documents?'))
            return mock.fetch(input, init);
          if (end === 'is aborted') stop.abort();
          return new Response('{}', { status: 500 });
        },
      });
      await expect(pullWorldToFile(client, file, { signal: stop.signal })).rejects.toThrow('documents.list');
      expect(await readFile(file, 'utf8')).toBe(before);
      expect(await readdir(path)).toEqual(['world.json']);
    },
  );

  test.each([
    [{ keep: ['title'] }, 'option "keep" must be a list of: boards, dates, emails'],
    [{ sample: 0 }, 'option "sample" must be a positive integer (got 0)'],
    [{ key: 'short' }, 'option "key" must be a string of at least 16 characters'],
    [{ projects: [] }, 'option "projects" must be a non-empty list of project IDs, keys, or names'],
    [{ project: ['APO'] }, 'unknown option "project"; did you mean "projects"?'],
    [{ projects: ['APPO'] }, '"APPO" is not a project; did you mean "APO"?'],
  ])('rejects %j', async (options, message) => {
    const { client } = start();
    const file = join(await temporaryFolder(), 'world.json');
    await expect(pullWorldToFile(client, file, options as PullOptions)).rejects.toThrow(message);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  posixTest("replaces a symbolic link's target", async () => {
    const { client } = start();
    const path = await temporaryFolder();
    const link = join(path, 'link.json');
    await mkdir(join(path, 'data'));
    await symlink(join('data', 'world.json'), link);
    for (const content of ['missing', 'old']) {
      if (content === 'old') await writeFile(join(path, 'data', 'world.json'), content);
      await pullWorldToFile(client, link);
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(link, 'utf8'))).toHaveProperty('organizations');
      expect([await readdir(path), await readdir(join(path, 'data'))]).toEqual([
        ['data', 'link.json'],
        ['world.json'],
      ]);
    }
  });

  posixTest('rejects a pipe and a link to a pipe before sending a request', async () => {
    const { mock, client } = start();
    const path = await temporaryFolder();
    execFileSync('mkfifo', [join(path, 'pipe')]);
    await symlink('pipe', join(path, 'link'));
    for (const name of ['pipe', 'link']) {
      await expect(pullWorldToFile(client, join(path, name))).rejects.toThrow(
        `${name} is a pipe, device, or socket; pass the path to a regular file`,
      );
    }
    expect((await lstat(join(path, 'pipe'))).isFIFO()).toBe(true);
    expect(mock.requests).toHaveLength(0);
  });

  test("doesn't create a file until all data has been read", async () => {
    const { mock } = start();
    const path = await temporaryFolder();
    const file = join(path, 'world.json');
    const files: string[][] = [];
    const client = connect(mock, {
      fetch: async (input, init) => {
        files.push(await readdir(path));
        return mock.fetch(input, init);
      },
    });
    await pullWorldToFile(client, file);
    // On Windows, the folder also contains the temporary file with the records.
    if (process.platform !== 'win32') expect(new Set(files.flat())).toEqual(new Set());
    expect(await readdir(path)).toEqual(['world.json']);
  });

  test.each([
    ['an empty path', '', 'pullWorldToFile: the path is empty'],
    ['a folder', 'FOLDER', 'is a folder'],
    ['a missing folder', 'FOLDER/a/b.json', 'ENOENT'],
  ])('rejects %s before sending a request', async (_, path, message) => {
    const { mock, client } = start();
    const file = path.replace('FOLDER', await temporaryFolder());
    await expect(pullWorldToFile(client, file)).rejects.toThrow(message);
    expect(mock.requests).toHaveLength(0);
  });
});
