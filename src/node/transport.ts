import http, { type IncomingMessage } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { readBody } from './read-body.js';

/** A transport with its own connections. */
export interface NodeTransport extends Transport {
  /** Closes all connections. Calls in flight fail with a `ConnectionError`. */
  close(): void;
}

/**
 * Creates a transport that sends requests with `node:http` and `node:https` over persistent connections. It needs
 * less CPU time than fetch (docs/performance.md). It works in Node.js and in runtimes with the same modules.
 *
 * @param options options of both agents, such as `maxSockets` (unlimited by default) or `ca`. `keepAlive` defaults
 * to true. `timeout`, the milliseconds after which an idle connection is closed, defaults to 4000, or to a second
 * less than the server's `Keep-Alive` header says if that is shorter. It doesn't affect calls.
 *
 * @example
 * ```ts
 * const client = new Worktrack({ transport: nodeTransport() });
 * ```
 */
export function nodeTransport(options: AgentOptions = {}): NodeTransport {
  const pooled = createAgents({ ...defaults, ...options });
  // Used for writes to servers that may close an idle connection at any moment.
  const single = createAgents({ ...options, keepAlive: false });
  /** The origins that don't announce how long they keep idle connections. */
  const withoutHint = new Set<string>();

  const transport = (sent: TransportRequest) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { protocol, hostname, port, pathname, search, origin } = new URL(sent.url);
      const isWrite = sent.method === 'POST' || sent.method === 'PATCH';
      const agents = isWrite && withoutHint.has(origin) ? single : pooled;
      const target = {
        // A URL has an IPv6 address in brackets, which node:http doesn't accept.
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || undefined,
        path: pathname + search,
        method: sent.method,
        headers: headersOf(sent),
      };
      // Called on the modules because MSW and others replace their functions.
      const request =
        protocol === 'https:'
          ? https.request({ ...target, agent: agents.https })
          : http.request({ ...target, agent: agents.http });
      const leave = sent.cancellation.listen(() => request.destroy(asError(sent.cancellation.reason)));
      let response: TransportResponse | undefined;
      // Once the response has started, reading its body reports the error. After a 204 it doesn't matter.
      const end = (cause?: Error) => (response ? resolve(response) : reject(cause));
      request.on('error', end);
      request.once('response', (message) => {
        response = asResponse(message);
        if (agents === pooled) {
          if (hasIdleHint(message)) withoutHint.delete(origin);
          else withoutHint.add(origin);
        }
        // Resolves once the message is over, so that the next request can reuse the connection.
        if (message.statusCode === 204) message.resume();
        else resolve(response);
      });
      request.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error("the server switched protocols (101), which the client didn't request"));
      });
      request.once('close', () => {
        leave();
        end();
      });
      // node:http would join a string with the head, which has another encoding.
      request.end(sent.body === undefined ? undefined : Buffer.from(sent.body));
    });

  return Object.assign(transport, {
    close() {
      for (const agent of [pooled.http, pooled.https, single.http, single.https]) {
        // Otherwise, queued requests would get the connections that become free.
        const waiting = Object.values(agent.requests).flatMap((requests) => requests ?? []);
        for (const request of waiting) request.destroy(new Error('the transport was closed'));
        agent.destroy();
      }
    },
  });
}

/**
 * Without a `timeout`, agents of Node.js 20 also ignore the server's `Keep-Alive` header, and could send a
 * write on a connection that the server is closing. The platform's fetch uses 4 seconds too.
 */
const defaults = { keepAlive: true, timeout: 4000 };

const createAgents = (options: AgentOptions) => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});

/** Whether the server announces how long it keeps idle connections, which the agent then respects. */
const hasIdleHint = ({ headers }: IncomingMessage) => /timeout=\d/.test(String(headers['keep-alive']));

function headersOf({ headers, body }: TransportRequest): Record<string, string | number> {
  // A hook may have added this header, which would contradict the length.
  const { 'transfer-encoding': _, ...withoutTransferEncoding } = headers;
  return {
    // `deflate` is omitted because servers use the name for two formats.
    'accept-encoding': 'gzip, br',
    ...withoutTransferEncoding,
    // The length is set for every method because node:http would send the body of a DELETE without one.
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
}

function asResponse(message: IncomingMessage): TransportResponse {
  let headers: Headers | undefined;
  return {
    status: message.statusCode as number,
    get headers() {
      headers ??= readHeaders(message);
      return headers;
    },
    read: (maxBytes) => readBody(message, maxBytes),
    discard: () => message.destroy(),
  };
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  return headers;
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));
