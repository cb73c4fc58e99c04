import { describe, expect, test } from 'vitest';
import { runConformance } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';
import { changes, check, type Defect, type Json } from './support/defects.js';

const existing = { project: 'prj_existing', board: 'brd_existing', document: 'doc_existing' };

/** An organization with records that existed before the run. */
const world = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [{ name: 'Ada', role: 'owner' as const }],
      projects: [
        {
          id: existing.project,
          name: 'Apollo',
          key: 'APO',
          boards: [{ id: existing.board, name: 'To do', tickets: [{ id: 'tkt_existing', title: 'Fuel' }] }],
        },
      ],
      documents: [{ id: existing.document, title: 'Plan' }],
      credentials: [{ token: 'wt_all' }],
    },
  ],
};

/** Checks a deployment that responds to some requests itself, such as with an existing record. */
async function run(
  kind: 'projects' | 'boards' | 'tickets' | 'documents',
  respond: (path: string, method: string, body: Json) => Response | undefined,
) {
  const mock = createMockServer({ world });
  const records = () => {
    const { projects, boards, tickets, documents } = mock.state;
    return [projects.all(), boards.all(), tickets.all(), documents.all()];
  };
  const before = records();
  const changed: string[] = [];
  const report = await runConformance({
    ...mock.clientOptions(),
    operations: (['create', 'update', 'delete'] as const).map((action) => `${kind}.${action}` as const),
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      const method = init?.method ?? 'GET';
      if (method !== 'GET' && /_existing/.test(pathname)) changed.push(`${method} ${pathname}`);
      return respond(pathname, method, init?.body) ?? mock.fetch(url, init);
    },
  });
  return { report, changed, before, after: records() };
}

const creates = (path: string, method: string, kind: string) =>
  method === 'POST' && path.endsWith(`/${kind}`);

const records = {
  projects: { id: existing.project, organization_id: 'org_acme', name: 'Apollo', key: 'APO' },
  documents: { id: existing.document, title: 'Plan', status: 'draft' },
  boards: { id: existing.board, project_id: existing.project, name: 'To do', slug: 'to-do' },
  tickets: { id: 'tkt_existing', project_id: existing.project, board_id: existing.board, title: 'Fuel' },
};

describe('a conformance run against a deployment that returns existing records', () => {
  test.each(
    (Object.keys(records) as (keyof typeof records)[]).flatMap((kind) =>
      [200, 201, 409, 422, 500].map((status) => [kind, status] as const),
    ),
  )('changes no existing records if creating %s returns one with %i', async (kind, status) => {
    const { changed, before, after } = await run(kind, (path, method) =>
      creates(path, method, kind) ? Response.json({ data: records[kind] }, { status }) : undefined,
    );
    expect(changed).toEqual([]);
    expect(after).toEqual(before);
  });

  test.each<['projects' | 'documents', (sent: Json) => Json]>([
    ['projects', (sent: Json) => ({ ...records.projects, name: sent.name, key: sent.key })],
    ['documents', (sent: Json) => ({ ...records.documents, title: sent.title })],
  ])(
    'leaves and reports existing %s that a deployment overwrites with the new content',
    async (kind, overwrite) => {
      const { report, changed } = await run(kind, (path, method, body) => {
        if (!creates(path, method, kind)) return undefined;
        return Response.json({ data: overwrite(parse(body)) }, { status: 201 });
      });
      expect(changed).toEqual([]);
      expect(report.undeletedRecords[0]).toMatch(
        /returned \w+_existing, which may have existed before: left as it is$/,
      );
    },
  );

  test('leaves an archived record that a deployment overwrites, although lists hide it', async () => {
    const { report, changed } = await run('documents', (path, method, body) => {
      if (!creates(path, method, 'documents')) return undefined;
      const dates = { created_at: '2025-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
      const data = { ...parse(body), ...dates, id: 'archived_existing' };
      return Response.json({ data }, { status: 201 });
    });
    expect(changed).toEqual([]);
    expect(report.undeletedRecords[0]).toContain('archived_existing');
  });

  test("doesn't delete a board of another project that a deployment returns for a new one", async () => {
    const elsewhere: Defect = changes('boards.create', (board) => ({ ...board, project_id: 'other' }));
    const { report } = await check(elsewhere, { operations: ['boards.delete'], includeOptional: false });
    expect(report.results.at(-1)).toMatchObject({
      outcome: 'not_checkable',
      message: expect.stringMatching(/^boards\.create returned \w+, which may have existed before$/),
    });
  });
});

test.each<['projects' | 'documents', string]>([
  ['projects', 'projects.list returns 403'],
  ['documents', 'documents.list returns 403'],
])("a conformance run creates no %s if it can't list the existing ones", async (kind, reason) => {
  let created = 0;
  const { report } = await run(kind, (path, method) => {
    if (creates(path, method, kind)) created += 1;
    return method === 'GET' && path.endsWith(`/${kind}`) ? Response.json({}, { status: 403 }) : undefined;
  });
  expect(created).toBe(0);
  expect(report.results.map(({ message }) => message)).toContain(
    `nothing was created, because ${reason}, so new records can't be told from others`,
  );
});

test('a conformance run reads all pages of existing documents, up to 50', async () => {
  const pages: string[] = [];
  const { report } = await check(
    ({ operation, query }) => {
      if (operation !== 'documents.list') return undefined;
      pages.push(String(query.page));
      const page = { data: [{ id: `doc_${query.page}` }], current_page: Number(query.page), last_page: 99 };
      return Promise.resolve(Response.json({ data: page }));
    },
    { operations: ['documents.get'], includeOptional: false },
  );
  expect(pages.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, index) => String(index + 1)));
  expect(report.results.at(-1)?.message).toContain('documents.list has more than 50 pages');
});

function parse(body: Json): Json {
  try {
    return JSON.parse(String(body)) ?? {};
  } catch {
    return {};
  }
}
