import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OperationId, Worktrack } from 'worktrack';
import { operationIds, operationOf } from 'worktrack/contract';
import { own } from '../../rules/requests.js';
import { operations } from '../../support/operations.js';

const table = readFileSync(new URL('../../../docs/reference/retries.md', import.meta.url), 'utf8');

/** The operations in the generated table in docs/reference/retries.md. */
const rows = [...table.matchAll(/^\| (yes|no) \| (.*) \| (.*) \|$/gm)].flatMap(
  ([, idempotent, operationsInRow = '', retriedAfter = '']) =>
    [...operationsInRow.matchAll(/`([\w.]+)`/g)].map(([, id]) => ({
      id: id as OperationId,
      retriedAfter: [
        ...retriedAfter.split(', '),
        // The table doesn't list this failure for idempotent operations, because they're retried after any
        // failed connection.
        ...(idempotent === 'yes' ? ['connection never established'] : []),
      ],
    })),
);

const connectionRefused = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
});

/** Ways an attempt can fail, keyed by their names in the table. */
const failures: Record<string, () => Promise<Response>> = {
  'lost connection': () => Promise.reject(new TypeError('fetch failed')),
  'connection never established': () => Promise.reject(connectionRefused),
  timeout: () => new Promise(() => {}),
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504].map((status) => [
      String(status),
      async () => new Response('{}', { status }),
    ]),
  ),
};

test('the table in docs/reference/retries.md lists each operation once', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
});

test('every operation is retried after exactly the failures listed in docs/reference/retries.md', async () => {
  const retried = await Promise.all(
    rows.map(async ({ id }) => {
      const names = await Promise.all(
        Object.entries(failures).map(async ([name, fail]) => ((await isRetried(id, name, fail)) ? name : '')),
      );
      return [id, names.filter(Boolean).sort()];
    }),
  );
  expect(Object.fromEntries(retried)).toEqual(
    Object.fromEntries(rows.map(({ id, retriedAfter }) => [id, [...retriedAfter].sort()])),
  );
});

async function isRetried(id: OperationId, failure: string, fail: () => Promise<Response>): Promise<boolean> {
  const { paginated, status } = operationOf(id);
  let attempts = 0;
  const succeed = () =>
    status === 204
      ? new Response(null, { status })
      : Response.json({ data: paginated ? { data: [] } : {} }, { status });
  const client = new Worktrack({
    baseUrl: 'https://work.example',
    token: 'wt_1',
    organization: 'org_acme',
    responseValidation: 'off',
    timeout: failure === 'timeout' ? 5 : Number.POSITIVE_INFINITY,
    retry: { limit: 1, maxDelay: 0 },
    fetch: async () => (attempts++ ? succeed() : fail()),
  });
  const { call, example } = operations[id];
  await Promise.resolve(call(client, own, example)).catch(() => {});
  return attempts === 2;
}
