import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ClientOptions, Worktrack } from 'worktrack';
import { listenOnLoopback } from '../../../support/loopback.js';

/** A request that the server received. */
export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest, index: number) => void;

/** Starts a loopback server for one test. Calls `respond` with each request and its zero-based index. */
export async function serve(respond: Respond) {
  const seen: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const entry = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    respond(response, entry, seen.push(entry) - 1);
  });
  const port = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    seen,
    server,
    client: (options: ClientOptions = {}) =>
      new Worktrack({
        baseUrl: origin,
        token: secret,
        organization: 'org_acme',
        responseValidation: 'off',
        retry: { maxDelay: 1 },
        ...options,
      }),
  };
}

/** Creates a client that uses a custom `fetch` and doesn't retry. */
export const clientWith = (fetch: typeof globalThis.fetch, options: ClientOptions = {}) =>
  new Worktrack({
    baseUrl: 'https://work.example',
    token: secret,
    organization: 'org_acme',
    responseValidation: 'off',
    retry: 0,
    fetch,
    ...options,
  });

export const secret = 'wt_secret_0123456789';

/** Sends a JSON response. */
export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Returns the error that the promise rejects with. */
export const errorOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
