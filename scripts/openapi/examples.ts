import { Worktrack } from 'worktrack';
import { type OperationId, operationIds } from 'worktrack/contract';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { operationExamples } from '../../docs/.vitepress/content/operation-examples.js';
import { apolloNow, apolloWorld } from '../../docs/.vitepress/content/world.js';

/** A request to the mock server and its response. */
export interface Exchange {
  query: Record<string, string>;
  /** Undefined if the request has no JSON body. */
  body: unknown;
  status: number;
  responseBody: unknown;
  retryAfter: string | null;
}

/**
 * Records the request and response for each operation's example. The operation pages use the same examples.
 */
export async function successes(): Promise<ReadonlyMap<OperationId, Exchange>> {
  const recorded = operationIds.map(async (id): Promise<[OperationId, Exchange]> => {
    const mock = exampleServer();
    const exchanges: Exchange[] = [];
    const client = new Worktrack({
      ...mock.clientOptions(),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const response = await mock.fetch(request.clone());
        exchanges.push(await exchangeOf(request, response.clone()));
        return response;
      },
    });
    await operationExamples[id](client);
    const [exchange] = exchanges;
    if (!exchange || exchanges.length > 1)
      throw new Error(`the example for ${id} must make exactly one call`);
    return [id, exchange];
  });
  return new Map(await Promise.all(recorded));
}

/** Creates a mock server with the examples' seed data and base URL. */
export const exampleServer = (options: MockServerOptions = {}) =>
  createMockServer({ now: apolloNow, world: apolloWorld, baseUrl: exampleBaseUrl, ...options });

/** The base URL in the examples. */
export const exampleBaseUrl = 'https://work.example.com';

/** The IDs in the examples, keyed by path parameter. */
export const exampleIds: Readonly<Record<string, string>> = {
  organization: 'org_acme',
  project: 'prj_apollo',
  board: 'brd_doing',
  ticket: 'tkt_radio',
  document: 'doc_runbook',
};

/** Reads a request and its response. Consumes both bodies. */
export async function exchangeOf(request: Request, response: Response): Promise<Exchange> {
  const [sent, received] = await Promise.all([request.text(), response.text()]);
  return {
    query: Object.fromEntries(new URL(request.url).searchParams),
    body: sent && isJson(sent) ? JSON.parse(sent) : undefined,
    status: response.status,
    responseBody: received ? JSON.parse(received) : undefined,
    retryAfter: response.headers.get('retry-after'),
  };
}

const isJson = (text: string) => text.startsWith('{');
