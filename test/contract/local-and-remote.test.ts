import { describe, expect, it } from 'vitest';
import { isInvalidRequestError, type OperationId, Worktrack } from 'worktrack';
import { fieldsOf, operationIds, operationOf, type Schema } from 'worktrack/contract';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { encodePath, encodeQuery } from '../../src/wire/index.js';
import { calls } from '../rules/client-calls.js';

const params = {
  organization: 'org_acme',
  project: 'prj_1',
  board: 'brd_1',
  ticket: 'tkt_1',
  document: 'doc_1',
};

/** A valid payload for each operation that has one. */
const payloads: Partial<Record<OperationId, Record<string, unknown>>> = {
  'projects.create': { name: 'Apollo', key: 'APO' },
  'projects.update': {},
  'boards.create': { name: 'Later' },
  'boards.reorder': { board_ids: ['brd_1', 'brd_2'] },
  'boards.update': {},
  'boards.delete': {},
  'tickets.list': {},
  'tickets.create': { board_id: 'brd_1', title: 'Launch' },
  'tickets.reorder': { board_id: 'brd_1', ticket_ids: ['tkt_1'] },
  'tickets.update': {},
  'tickets.move': { board_id: 'brd_1' },
  'tickets.comments.create': { body_html: 'x' },
  'documents.list': {},
  'documents.create': { title: 'Runbook' },
  'documents.update': {},
  'documents.comments.create': { body_html: 'x' },
  'notifications.send': { user_ids: ['usr_ada'], title: 'T', body: 'B' },
};

const long = (length: number) => 'x'.repeat(length);
const many = (length: number) => Array.from({ length }, (_, index) => `v${index}`);

/** Values that at least one field rejects: wrong types, too long, too many, too small, unknown, no date, no path. */
const values: unknown[] = [
  undefined,
  null,
  true,
  'yes',
  '',
  0,
  -1,
  1.5,
  201,
  {},
  [],
  [1],
  [null],
  [[]],
  ...[13, 33, 51, 121, 181, 501, 2001, 5001, 200_001, 1_000_001].map(long),
  ...[1, 20, 21, 100, 101].map(many),
  [long(51)],
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '/admin',
  '/app/../admin',
];

const withField = (payload: object, field: string, value: unknown) => {
  const changed: Record<string, unknown> = { ...payload, [field]: value };
  if (value === undefined) delete changed[field];
  return changed;
};

const subjects = operationIds.filter((id) => operationOf(id).body || operationOf(id).query);

describe.each(subjects)('%s: the client and the server report the same invalid fields', (id) => {
  const { body, query } = operationOf(id);
  const schema = (body ?? query) as Schema<unknown, never>;
  const payload = payloads[id] ?? {};

  it.each([...fieldsOf(schema)])('%s, %s', async (field, kind) => {
    const mock = createMockServer({ world });
    // Query values are strings; only numbers can be sent with a wrong type.
    const possible =
      query && kind !== 'number' ? values.filter((value) => typeof value === 'string') : values;
    const sendable = possible.filter((value) =>
      // Only HTML fields need the longest strings, which take time.
      typeof value === 'string'
        ? value.length < 6000 || field.endsWith('_html')
        : !query || typeof value !== 'object',
    );
    let rejected = 0;
    for (const value of sendable) {
      const changed = withField(payload, field, value);
      const local = await localFields(id, changed);
      const remote = await remoteFields(mock, id, changed);
      mock.reset();
      expect(remote, `${field}: ${JSON.stringify(value)?.slice(0, 80)}`).toEqual(local);
      if (local) rejected++;
    }
    // Every string is valid for a string in a query.
    if (!query) expect(rejected).toBeGreaterThan(0);
  });
});

const writes = subjects.filter((id) => operationOf(id).body && operationOf(id).method !== 'DELETE');

it.each(writes)(
  '%s without a body: the client reports the fields that the server reports, and the body',
  async (id) => {
    // The server reads a missing body as `{}`.
    const remote = await remoteFields(createMockServer({ world }), id);
    expect(await localFields(id, undefined)).toEqual(['(body)', ...(remote ?? [])]);
  },
);

/** The fields that the server reports as invalid, or undefined if it reports none. */
async function remoteFields(
  mock: MockServer,
  id: OperationId,
  payload?: Record<string, unknown>,
): Promise<string[] | undefined> {
  const { path, method, query } = operationOf(id);
  const { baseUrl, token } = mock.clientOptions();
  const search = query && payload ? `?${encodeQuery(payload)}` : '';
  const response = await mock.fetch(`${baseUrl}/api/v1${encodePath(path, params)}${search}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(!query && payload && { body: JSON.stringify(payload) }),
  });
  if (response.status !== 422) return undefined;
  const { code, errors } = (await response.json()) as { code: string; errors: object };
  return ['validation_failed', 'invalid_url'].includes(code) ? Object.keys(errors).sort() : undefined;
}

/** The fields that the client rejects, or undefined if it would send the payload. */
async function localFields(id: OperationId, payload: object | undefined): Promise<string[] | undefined> {
  const client = new Worktrack({
    baseUrl: 'https://work.example',
    token: 'wt_1',
    organization: 'org_acme',
    retry: 0,
    fetch: async () => new Response('{}', { status: 418 }),
  });
  const call = () => {
    if (id === 'tickets.list') return client.tickets.list(params.project, payload);
    if (id === 'documents.list') return client.documents.list(payload);
    return calls[id](client, params, payload);
  };
  const error = await Promise.resolve(call()).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isInvalidRequestError(error) ? Object.keys(error.fieldErrors).sort() : undefined;
}

const world = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [{ id: 'usr_ada', name: 'Ada', email: 'ada@acme.example', role: 'owner' as const }],
      credentials: [{ token: 'wt_1', name: 'CI', scopes: ['*' as const] }],
      projects: [
        {
          id: 'prj_1',
          name: 'Apollo',
          key: 'APO',
          boards: [
            { id: 'brd_1', name: 'To do', tickets: [{ id: 'tkt_1', title: 'Launch' }] },
            { id: 'brd_2', name: 'Done' },
          ],
        },
      ],
      documents: [{ id: 'doc_1', title: 'Runbook' }],
    },
  ],
};
