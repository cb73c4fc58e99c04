import { type ConformanceOptions, type ConformanceResult, runConformance } from 'worktrack/conformance';
import type { OperationId } from 'worktrack/contract';
import { createMockServer, type MockServer, type World, type WorldSettings } from 'worktrack/mock-server';
import { everyOperation, operations } from '../../support/operations.js';

/** A value from a request or response. Defects know which operation they change, so it isn't validated. */
export type Json = ReturnType<typeof JSON.parse>;

/** A request from the conformance kit. */
export interface Exchange {
  operation: OperationId;
  /** The number of this call among the rule's calls of this operation, starting at 1. */
  nth: number;
  /** The parsed body; undefined if it's empty or isn't valid JSON. */
  body: Json;
  /** The token; undefined if the request has none. */
  token: string | undefined;
  /** The query parameters. */
  query: Record<string, string>;
  /** The ID of the record to delete. */
  deletes: string | undefined;
  /** Sends the request to the mock server. */
  send(changed?: Changes): Promise<Response>;
}

/** What to change in a request before it's sent to the mock server. */
interface Changes {
  token?: string;
  /** Changes the body fields and the query parameters. */
  fields?: (fields: Json) => object;
}

/** Breaks a deployment. Returns undefined for requests that the deployment handles correctly. */
export type Defect = (exchange: Exchange) => Promise<Response> | undefined;

const send = (status: number, body: Json): Response =>
  status === 204 ? new Response(null, { status }) : Response.json(body, { status });

/** A defect in one operation. `nth` limits it to one of the rule's calls of the operation. */
const defect =
  (operation: OperationId, nth: number | undefined, respond: (exchange: Exchange) => Promise<Response>) =>
  (exchange: Exchange): Promise<Response> | undefined =>
    exchange.operation === operation && (nth ?? exchange.nth) === exchange.nth
      ? respond(exchange)
      : undefined;

/** Responds with a status, without doing anything. */
export const responds = (operation: OperationId, status: number, nth?: number): Defect =>
  defect(operation, nth, async () => send(status, { data: { id: 'unknown' } }));

/** Responds as expected, without doing anything. */
export const pretends = (operation: OperationId, dataFor: (body: Json) => unknown): Defect =>
  defect(operation, undefined, async ({ body }) =>
    send(operations[operation].status, { data: dataFor(body) }),
  );

/** Accepts requests that should be rejected. */
export const accepts = (operation: OperationId, nth?: number): Defect =>
  defect(operation, nth, async (exchange) => {
    const response = await exchange.send();
    return response.ok ? response : send(operations[operation].status, { data: { id: 'unknown' } });
  });

/** Rejects requests that should be accepted. */
export const rejects = (operation: OperationId, nth?: number): Defect => responds(operation, 422, nth);

/** Changes the record or list in successful responses. */
export const changes = (operation: OperationId, change: (data: Json) => unknown, nth?: number): Defect =>
  defect(operation, nth, async (exchange) => {
    const response = await exchange.send();
    return response.ok ? send(response.status, { data: change((await response.json()).data) }) : response;
  });

/** Returns the wrong values for some fields. */
export const returns = (operation: OperationId, fields: object, nth?: number): Defect =>
  changes(operation, (record) => ({ ...record, ...fields }), nth);

/** Returns the wrong items in a list or page. */
export const lists = (operation: OperationId, change: (items: Json[]) => unknown, nth?: number): Defect =>
  changes(
    operation,
    (data) => (Array.isArray(data) ? change(data) : { ...data, data: change(data.data) }),
    nth,
  );

export const reversed = (items: Json[]) => items.toReversed();

/** Returns deleted records in lists. */
export function listsDeleted(operation: OperationId, deletion: OperationId): Defect {
  const deleted: Json[] = [];
  const list = lists(operation, (items) => [...items, ...deleted]);
  return (exchange) => {
    if (exchange.operation === deletion) deleted.push({ id: exchange.deletes });
    return list(exchange);
  };
}

/** Treats a request without a credential or with any other credential like one with all scopes. */
export const ignoresCredential = (operation: OperationId): Defect =>
  defect(operation, undefined, ({ send }) => send({ token: 'wt_all' }));

/** Accepts any token, but rejects a request without one. */
export const acceptsAnyToken = (operation: OperationId): Defect =>
  defect(operation, undefined, ({ token, send }) => send(token ? { token: 'wt_all' } : {}));

/** Accepts a request without a token, but rejects an unknown one. */
export const acceptsNoToken = (operation: OperationId): Defect =>
  defect(operation, undefined, ({ token, send }) => send(token === undefined ? { token: 'wt_all' } : {}));

/** Ignores a body field or query parameter. */
export const ignores = (operation: OperationId, field: string): Defect =>
  defect(operation, undefined, ({ send }) => send({ fields: ({ [field]: _, ...rest }) => rest }));

/** Ignores fields that are set to null instead of clearing them. */
export const ignoresNull = (operation: OperationId): Defect =>
  defect(operation, undefined, ({ send }) =>
    send({
      fields: (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    }),
  );

/** Ignores list items after the first `count`. */
export const ignoresItems = (operation: OperationId, field: string, count: number): Defect =>
  defect(operation, undefined, ({ send }) =>
    send({ fields: (fields) => ({ ...fields, [field]: fields[field].slice(0, count) }) }),
  );

/** Rejects requests that contain a field. */
export const rejectsField = (operation: OperationId, field: string): Defect =>
  defect(operation, undefined, (exchange) =>
    exchange.send().then((response) => (field in exchange.body ? send(422, {}) : response)),
  );

/** Accepts a string field up to `limit`, measured with `lengthOf`. */
export const limits = (
  operation: OperationId,
  field: string,
  limit: number,
  lengthOf = (text: string) => [...text].length,
): Defect =>
  defect(operation, undefined, async ({ body }) => {
    const value = body[field];
    return send(typeof value === 'string' && lengthOf(value) <= limit ? 201 : 422, {
      data: { id: 'unknown' },
    });
  });

/** An organization with a second credential that has no scopes. */
const world: World = {
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      users: [
        { name: 'Ada', role: 'owner' },
        { name: 'Grace', role: 'admin' },
        { name: 'Alan', role: 'member' },
      ],
      credentials: [{ token: 'wt_all' }, { token: 'wt_none', scopes: [] }],
    },
  ],
};

/** The name of a rule in tests and reports. */
export const nameOf = ({ operation, title }: ConformanceResult): string => `${operation} ${title}`;

/** Checks all rules, including this package's choices, against a deployment that forwards to a mock server. */
export async function check(
  deployment: (exchange: Exchange, mock: MockServer) => Promise<Response> | undefined,
  options: Partial<ConformanceOptions> = {},
  settings: WorldSettings = {},
) {
  const mock = createMockServer({ world: { ...world, settings } });
  const report = await runConformance({
    ...mock.clientOptions(),
    choices: true,
    limitedCredential: { token: 'wt_none', scopes: [] },
    ...options,
    fetch: async (url, init) => {
      const exchange = read(mock, new URL(String(url)), init);
      return deployment(exchange, mock) ?? exchange.send();
    },
  });
  return { mock, report };
}

/**
 * Checks the rules of some operations. While a rule is checked, the deployment has the defect for that rule.
 *
 * @param rules all rules of these operations, in the order of the run
 */
export async function checkWithDefects(
  rules: readonly string[],
  defects: ReadonlyMap<string, Defect>,
  operations: readonly OperationId[],
) {
  let current = 0;
  let finished = new Set<string>();
  let server: MockServer | undefined;
  const calls = new Map<OperationId, number>();
  const { report } = await check(
    (exchange, mock) => {
      server = mock;
      const nth = (calls.get(exchange.operation) ?? 0) + 1;
      calls.set(exchange.operation, nth);
      // The kit deletes a rule's records after it reports the result. Those requests belong to no rule.
      if (exchange.deletes && finished.has(exchange.deletes)) return undefined;
      return defects.get(rules[current] ?? '')?.({ ...exchange, nth });
    },
    {
      operations,
      onResult: () => {
        current += 1;
        calls.clear();
        const records = [...(server?.state.projects.all() ?? []), ...(server?.state.documents.all() ?? [])];
        finished = new Set(records.map(({ id }) => id));
      },
    },
  );
  return report;
}

const paths = everyOperation.map((operation) => {
  const { method, path } = operations[operation];
  return { operation, pattern: new RegExp(`^${method} /api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
});

function read(mock: MockServer, url: URL, init: RequestInit = {}): Exchange {
  const found = paths.find(({ pattern }) => pattern.test(`${init.method} ${url.pathname}`));
  if (!found) throw new Error(`no operation has the path of ${init.method} ${url}`);
  const body = parse(init.body);
  const query = Object.fromEntries(url.searchParams);
  return {
    operation: found.operation,
    nth: 1,
    body,
    token: new Headers(init.headers).get('authorization')?.replace(/^Bearer /, ''),
    query,
    deletes: init.method === 'DELETE' ? url.pathname.split('/').at(-1) : undefined,
    send: ({ token, fields } = {}) => {
      const changed = new URL(url);
      if (fields && !body) changed.search = String(new URLSearchParams({ ...fields(query) }));
      return mock.fetch(changed, {
        ...init,
        ...(token !== undefined && { headers: { ...init.headers, authorization: `Bearer ${token}` } }),
        ...(fields && body && { body: JSON.stringify(fields(body)) }),
      });
    },
  };
}

function parse(body: unknown): Json {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}
