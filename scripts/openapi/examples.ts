import { Worktrack } from 'worktrack';
import { type OperationId, operationIds } from 'worktrack/contract';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { operationExamples } from '../../docs/.vitepress/content/operation-examples.js';
import { apolloNow, apolloWorld } from '../../docs/.vitepress/content/world.js';

/** A request that was really sent, and what the reference server answered. */
export interface Exchange {
  query: Record<string, string>;
  /** Undefined where there was none. */
  body: unknown;
  status: number;
  answer: unknown;
  retryAfter: string | null;
}

/** What goes over the wire in the example of each operation, which its page of the site shows too. */
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
    if (!exchange || exchanges.length > 1) throw new Error(`${id}: its example is one call`);
    return [id, exchange];
  });
  return new Map(await Promise.all(recorded));
}

/** A server with the world of the examples, at the address that the document names. */
export const exampleServer = (options: MockServerOptions = {}) =>
  createMockServer({ now: apolloNow, world: apolloWorld, baseUrl: exampleBaseUrl, ...options });

/** Where the examples' deployment is. */
export const exampleBaseUrl = 'https://work.example.com';

/** Ids of the examples' world, by the parameter of a path. */
export const exampleIds: Readonly<Record<string, string>> = {
  organization: 'org_acme',
  project: 'prj_apollo',
  board: 'brd_doing',
  ticket: 'tkt_radio',
  document: 'doc_runbook',
};

/** Reads both, so none of them can be read again. */
export async function exchangeOf(request: Request, response: Response): Promise<Exchange> {
  const [sent, answered] = await Promise.all([request.text(), response.text()]);
  return {
    query: Object.fromEntries(new URL(request.url).searchParams),
    body: sent && isJson(sent) ? JSON.parse(sent) : undefined,
    status: response.status,
    answer: answered ? JSON.parse(answered) : undefined,
    retryAfter: response.headers.get('retry-after'),
  };
}

const isJson = (text: string) => text.startsWith('{');
