import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type OperationId, Worktrack } from 'worktrack';
import { operationIds, operationOf } from 'worktrack/contract';
import { calls } from './support/calls.js';

/** The rows of the table in the docs, which is made from the contract: operation, and after what it is repeated. */
const rows = [
  ...readFileSync(new URL('../../../docs/reference/retries.md', import.meta.url), 'utf8').matchAll(
    /^\| \[`([\w.]+)`\].*\| (yes|no) \| (.*) \|$/gm,
  ),
].map(([, id, safe, after]) => ({
  id: id as OperationId,
  safe: safe === 'yes',
  after: (after ?? '').split(', '),
}));

const refused = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
});

/** Every way in which an attempt can fail, by the word that the table has for it. */
const failures: Record<string, () => Promise<Response>> = {
  connection: () => Promise.reject(new TypeError('fetch failed')),
  'no connection made': () => Promise.reject(refused),
  timeout: () => new Promise(() => {}),
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504].map((status) => [
      String(status),
      async () => new Response('{}', { status }),
    ]),
  ),
};

it('the table in the docs has each of the thirty operations once', () => {
  expect(rows.map(({ id }) => id).sort()).toEqual([...operationIds].sort());
});

describe.each(rows)('$id is repeated after what the table says', ({ id, safe, after }) => {
  // A connection that was never made is one that failed.
  const repeated = new Set(safe ? [...after, 'no connection made'] : after);

  it.each(Object.entries(failures))('%s', async (name, fail) => {
    const { paginated, status } = operationOf(id);
    let attempts = 0;
    const answer = () =>
      status === 204
        ? new Response(null, { status })
        : Response.json({ data: paginated ? { data: [] } : {} }, { status });
    const client = new Worktrack({
      baseUrl: 'https://work.example',
      token: 'wt_1',
      organization: 'org_acme',
      responseValidation: 'off',
      timeout: name === 'timeout' ? 5 : 1000,
      retry: { limit: 1, maxDelay: 0 },
      fetch: async () => (attempts++ ? answer() : fail()),
    });
    await Promise.resolve(calls[id][0](client)).catch(() => {});
    expect(attempts).toBe(repeated.has(name) ? 2 : 1);
  });
});
