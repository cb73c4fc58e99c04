import http, { type IncomingMessage } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { readBody } from './read-body.js';

/** A transport with connections of its own. */
export interface NodeTransport extends Transport {
  /** Closes all its connections; a call under way ends in a `ConnectionError`. */
  close(): void;
}

/**
 * Sends requests by `node:http` and `node:https` over connections that are kept, which costs less CPU time
 * than a bare fetch (docs/performance.md). For Node.js, and for what offers the same modules.
 *
 * @param options of the two agents, such as `maxSockets` (no limit by default) or `ca`; `keepAlive` is true
 * by default, and `timeout`, the milliseconds after which an idle connection is closed, is 4000, or a second
 * less than the server's `Keep-Alive` header announces where that is sooner; it ends no call
 *
 * @example
 * ```ts
 * const client = new Worktrack({ transport: nodeTransport() });
 * ```
 */
export function nodeTransport(options: AgentOptions = {}): NodeTransport {
  const pooled = createAgents({ ...defaults, ...options });
  // For writes to servers that may close an idle connection at any moment.
  const single = createAgents({ ...options, keepAlive: false });
  /** The origins that don't say how long they keep idle connections. */
  const withoutHint = new Set<string>();

  const transport = (sent: TransportRequest) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { protocol, hostname, port, pathname, search, origin } = new URL(sent.url);
      const isWrite = sent.method === 'POST' || sent.method === 'PATCH';
      const agents = isWrite && withoutHint.has(origin) ? single : pooled;
      const target = {
        // node:http wants the address itself, a URL writes an IPv6 one in brackets.
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || undefined,
        path: pathname + search,
        method: sent.method,
        headers: headersOf(sent),
      };
      // By way of the modules, whose functions MSW and others replace.
      const request =
        protocol === 'https:'
          ? https.request({ ...target, agent: agents.https })
          : http.request({ ...target, agent: agents.http });
      const leave = sent.cancellation.listen(() => request.destroy(asError(sent.cancellation.reason)));
      let answer: TransportResponse | undefined;
      // After the answer has begun an error is the body's, and told by it; what follows a 204 is of no matter.
      const end = (cause?: Error) => (answer ? resolve(answer) : reject(cause));
      request.on('error', end);
      request.once('response', (message) => {
        answer = asResponse(message);
        if (agents === pooled) {
          if (hasIdleHint(message)) withoutHint.delete(origin);
          else withoutHint.add(origin);
        }
        // Told once it is over, so that the next request finds the connection free.
        if (message.statusCode === 204) message.resume();
        else resolve(answer);
      });
      request.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the server changes the protocol (101), which was not asked for'));
      });
      request.once('close', () => {
        leave();
        end();
      });
      // As text it would be joined with the head, whose encoding is another.
      request.end(sent.body === undefined ? undefined : Buffer.from(sent.body));
    });

  return Object.assign(transport, {
    close() {
      for (const agent of [pooled.http, pooled.https, single.http, single.https]) {
        // Those that wait for a connection would get one, now that there is room.
        const waiting = Object.values(agent.requests).flatMap((requests) => requests ?? []);
        for (const request of waiting) request.destroy(new Error('the transport was closed'));
        agent.destroy();
      }
    },
  });
}

/**
 * Without a `timeout` of their own, agents of Node.js 20 heed no hint of the server's either, and a write may
 * go out on a connection that the server is closing. The platform's fetch has the same 4 s.
 */
const defaults = { keepAlive: true, timeout: 4000 };

const createAgents = (options: AgentOptions) => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});

/** Whether the server says how long it keeps an idle connection, which the agent then respects. */
const hasIdleHint = ({ headers }: IncomingMessage) => /timeout=\d/.test(String(headers['keep-alive']));

function headersOf({ headers, body }: TransportRequest): Record<string, string | number> {
  // A hook may have added it. It would contradict the length.
  const { 'transfer-encoding': _, ...withoutTransferEncoding } = headers;
  return {
    // Not deflate: what servers call so is one of two formats, which only its bytes tell.
    'accept-encoding': 'gzip, br',
    ...withoutTransferEncoding,
    // With a length for every method: node:http would send the body of a DELETE without one.
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
    read: (most) => readBody(message, most),
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
