import { defaultWire } from 'worktrack';
import { type ConformanceOptions, type ConformanceResult, runConformance } from 'worktrack/conformance';
import type { OperationId } from 'worktrack/contract';
import { createMockServer, type MockServer, type World, type WorldSettings } from 'worktrack/mock-server';
import { Harness } from '../../../addons/conformance/harness.js';
import { OwnRecords } from '../../../addons/conformance/own-records.js';
import { SharedRecords } from '../../../addons/conformance/records.js';
import type { Scenario } from '../../../addons/conformance/scenario.js';
import { Sender } from '../../../addons/conformance/sender.js';
import { everyOperation, operations } from '../../support/operations.js';

/** A value from a request or response. It isn't validated, because defects know which operation they change. */
export type Json = ReturnType<typeof JSON.parse>;

/** A request from the conformance kit. */
export interface Exchange {
  operation: OperationId;
  /** The one-based index of this call among the rule's calls to this operation. */
  nth: number;
  /** The parsed body; undefined if it's empty or isn't valid JSON. */
  body: Json;
  /** The token; undefined if the request has none. */
  token: string | undefined;
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

/** A defect in one operation. `nth` limits the defect to one of the rule's calls to the operation. */
const defect =
  (operation: OperationId, nth: number | undefined, respond: (exchange: Exchange) => Promise<Response>) =>
  (exchange: Exchange): Promise<Response> | undefined =>
    exchange.operation === operation && (nth ?? exchange.nth) === exchange.nth
      ? respond(exchange)
      : undefined;

/** Changes the record or list in successful responses. */
export const changes = (operation: OperationId, change: (data: Json) => unknown, nth?: number): Defect =>
  defect(operation, nth, async (exchange) => {
    const response = await exchange.send();
    return response.ok ? send(response.status, { data: change((await response.json()).data) }) : response;
  });

/** Returns the wrong items in a list or page. */
export const lists = (operation: OperationId, change: (items: Json[]) => unknown, nth?: number): Defect =>
  changes(
    operation,
    (data) => (Array.isArray(data) ? change(data) : { ...data, data: change(data.data) }),
    nth,
  );

export const reversed = (items: Json[]) => items.toReversed();

/** An organization with a second credential that has no scopes. */
export const world: World = {
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
    includeOptional: true,
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
 * Checks one rule against a deployment with a defect.
 *
 * @returns why the rule failed; undefined if it passed
 */
export async function failureOf(
  { run }: Scenario,
  deployment: (exchange: Exchange) => Promise<Response> | undefined,
): Promise<string | undefined> {
  const mock = createMockServer({ world });
  const own = new OwnRecords('testmark');
  const harnessOf = (fetch: typeof globalThis.fetch, shared?: SharedRecords) => {
    const limits = { maxRequests: 100, maxRateLimitWait: 0, maxResponseBytes: 2 ** 24, timeout: 30_000 };
    const sender = new Sender({ fetch, wait: async () => {}, ...limits });
    const limitedCredential = { token: 'wt_none', scopes: [] };
    return new Harness(
      { ...mock.clientOptions(), limitedCredential, own, sender, includeOptional: true, wire: defaultWire },
      shared,
    );
  };
  const sharedHarness = harnessOf(mock.fetch);
  const shared = new SharedRecords(sharedHarness);
  // The deployment's defects don't affect these requests.
  await sharedHarness.noteExisting('projects.create');
  await sharedHarness.noteExisting('documents.create');
  const calls = new Map<OperationId, number>();
  const harness = harnessOf(async (url, init) => {
    const exchange = read(mock, new URL(String(url)), init);
    const nth = (calls.get(exchange.operation) ?? 0) + 1;
    calls.set(exchange.operation, nth);
    return deployment({ ...exchange, nth }) ?? exchange.send();
  }, shared);
  try {
    await run(harness);
    return undefined;
  } catch (error) {
    // A TypeError's message depends on the JavaScript engine.
    return error instanceof TypeError ? 'unexpected response' : (error as Error).message;
  }
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
