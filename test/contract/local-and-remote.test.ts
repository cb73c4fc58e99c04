import { expect, test } from 'vitest';
import { InvalidRequestError, type OperationId, Worktrack } from 'worktrack';
import { fieldsOf, operationIds, operationOf, type Schema } from 'worktrack/contract';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import { encodePath, encodeQuery } from '../../src/wire/index.js';
import { own } from '../rules/requests.js';
import { world } from '../rules/world.js';
import { checkEach } from '../support/check-each.js';
import { operations } from '../support/operations.js';

const long = (length: number) => 'x'.repeat(length);
const stringList = (length: number) => Array.from({ length }, (_, index) => `v${index}`);

/** Values that are invalid for at least one field. */
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
  // Limits count code points, so these strings are as long as the limits.
  ...[120, 180, 500].map((length) => '\u{1F680}'.repeat(length)),
  ...[1, 20, 21, 100, 101].map(stringList),
  [long(51)],
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
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

test.each(subjects)('the client and the server report the same invalid fields for %s', async (id) => {
  const { body, query } = operationOf(id);
  const payload = operations[id].example ?? {};
  const mock = createMockServer({ world });
  await checkEach([...fieldsOf((body ?? query) as Schema<unknown, never>)], async ([field, kind]) => {
    // Query values are always strings, so only numeric parameters can have the wrong type.
    const possible =
      query && kind !== 'number' ? values.filter((value) => typeof value === 'string') : values;
    const sendable = possible.filter((value) =>
      // Test the longest strings only with HTML fields, because long strings are slow.
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
      expect(remote, `${JSON.stringify(value)?.slice(0, 80)}`).toEqual(local);
      if (local) rejected++;
    }
    // A query parameter of type string accepts any string.
    if (!query) expect(rejected).toBeGreaterThan(0);
  });
});

test('if the body is missing, the client reports this in addition to every field that the server reports', async () => {
  const writes = subjects.filter((id) => operationOf(id).body && operationOf(id).method !== 'DELETE');
  const mock = createMockServer({ world });
  await checkEach(writes, async (id) => {
    // The server treats a missing body as `{}`.
    const remote = await remoteFields(mock, id);
    expect(await localFields(id, undefined)).toEqual(['(body)', ...(remote ?? [])]);
  });
});

test('if a call omits its first argument, the client reports only the missing argument and the missing body', async () => {
  const client = new Worktrack({
    baseUrl: 'http://localhost',
    token: 't',
    fetch: () => expect.unreachable(),
  });
  const body = { title: 'x', board_id: 'brd_1' };
  await expect(client.tickets.create(body as never, undefined as never)).rejects.toThrow(
    'tickets.create: project must be a string; (body) is required',
  );
});

/** Returns the fields the server rejects, or undefined if it accepts the payload. */
async function remoteFields(
  mock: MockServer,
  id: OperationId,
  payload?: Record<string, unknown>,
): Promise<string[] | undefined> {
  const { path, method, query } = operationOf(id);
  const { baseUrl, token } = mock.clientOptions({ token: 'wt_acme' });
  const search = query && payload ? `?${encodeQuery(payload)}` : '';
  const response = await mock.fetch(`${baseUrl}/api/v1${encodePath(path, own)}${search}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(!query && payload && { body: JSON.stringify(payload) }),
  });
  if (response.status !== 422) return undefined;
  const { code, errors } = (await response.json()) as { code: string; errors: object };
  return ['validation_failed', 'invalid_url'].includes(code) ? Object.keys(errors).sort() : undefined;
}

/** Returns the fields the client rejects, or undefined if it sends the payload. */
async function localFields(id: OperationId, payload: object | undefined): Promise<string[] | undefined> {
  const client = new Worktrack({
    baseUrl: 'https://work.example',
    token: 'wt_1',
    organization: 'org_acme',
    retry: 0,
    fetch: async () => new Response('{}', { status: 418 }),
  });
  const error = await Promise.resolve(operations[id].call(client, own, payload)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof InvalidRequestError ? Object.keys(error.fieldErrors).sort() : undefined;
}
