import http, { type IncomingMessage } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { describeThrown } from '../shared/describe-thrown.js';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import { readBody } from './read-body.js';

/** A transport that manages its own connections. */
export interface NodeTransport extends Transport {
  /** Closes all connections. In-flight calls fail with a `ConnectionError`. */
  close(): void;
}

/**
 * Creates a transport that sends requests with `node:http` and `node:https` over persistent connections. It
 * uses less CPU time than fetch and works in any runtime with these modules, such as Node.js.
 *
 * @param options agent options for HTTP and HTTPS, such as `maxSockets` (unlimited by default) or `ca`.
 * `keepAlive` defaults to true. `timeout` closes idle connections and doesn't affect calls. It defaults to
 * 4,000 milliseconds, or to one second less than the server's `Keep-Alive` timeout if that is shorter.
 *
 * @example
 * ```ts
 * const client = new Worktrack({ transport: nodeTransport() });
 * ```
 */
export function nodeTransport(options: AgentOptions = {}): NodeTransport {
  const pooled = createAgents({ ...defaults, ...options });
  // Writes use these agents if the server may close idle connections at any time, because a write that fails
  // for that reason can't be retried.
  const single = createAgents({ ...options, keepAlive: false });
  /** The origins that don't announce how long they keep idle connections open. */
  const withoutHint = new Set<string>();

  const transport = (sent: TransportRequest) =>
    new Promise<TransportResponse>((resolve, reject) => {
      const { protocol, hostname, port, pathname, search, origin } = new URL(sent.url);
      const isWrite = sent.method === 'POST' || sent.method === 'PATCH';
      const agents = isWrite && withoutHint.has(origin) ? single : pooled;
      const target = {
        // In URLs, IPv6 addresses are in brackets, which `node:http` doesn't accept.
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || undefined,
        path: pathname + search,
        method: sent.method,
        headers: headersOf(sent),
      };
      // Call the functions on the module objects, because MSW and other tools patch them there.
      const request =
        protocol === 'https:'
          ? https.request({ ...target, agent: agents.https })
          : http.request({ ...target, agent: agents.http });
      const stopListening = sent.cancellation.listen(() =>
        request.destroy(asError(sent.cancellation.reason)),
      );
      let requestWritten = false;
      request.once('socket', (socket) => {
        const markWritten = () => {
          requestWritten = true;
        };
        if (isOpen(socket)) markWritten();
        else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', markWritten);
      });
      let response: TransportResponse | undefined;
      // Once the response has started, errors are reported when the body is read. A 204 response has no body.
      const end = (cause?: Error) => {
        if (response) return resolve(response);
        // After a cancellation, the error belongs to the caller and must not be modified.
        if (cause && !sent.cancellation.aborted) Object.assign(cause, { requestWritten });
        reject(cause);
      };
      request.on('error', end);
      request.once('response', (message) => {
        response = asResponse(message);
        if (agents === pooled) {
          if (hasIdleHint(message)) withoutHint.delete(origin);
          else withoutHint.add(origin);
        }
        // For a 204 response, wait until the message ends so that the next request can reuse the connection.
        if (message.statusCode === 204) message.resume();
        else resolve(response);
      });
      request.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the server unexpectedly switched protocols (101)'));
      });
      request.once('close', () => {
        stopListening();
        end();
      });
      // Convert the body to bytes, because `node:http` would encode a string the same way as the headers.
      request.end(sent.body === undefined ? undefined : Buffer.from(sent.body));
    });

  return Object.assign(transport, {
    close() {
      for (const agent of [pooled.http, pooled.https, single.http, single.https]) {
        // Destroy queued requests. Otherwise, they would be sent as soon as a connection becomes free.
        const waiting = Object.values(agent.requests).flatMap((requests) => requests ?? []);
        for (const request of waiting) request.destroy(new Error('the transport was closed'));
        agent.destroy();
      }
    },
  });
}

/**
 * In Node.js 20, agents without a `timeout` ignore the server's `Keep-Alive` header and could send a POST or
 * PATCH over a connection that the server is closing. Node.js's fetch also uses 4 seconds.
 */
const defaults = { keepAlive: true, timeout: 4000 };

const createAgents = (options: AgentOptions) => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});

/**
 * Whether the server announces how long it keeps idle connections open. If so, the agent honors that
 * duration.
 */
const hasIdleHint = ({ headers }: IncomingMessage) => /timeout=\d/.test(String(headers['keep-alive']));

function headersOf({ headers, body }: TransportRequest): Record<string, string | number> {
  // Drop this header, which a hook may have added, because it conflicts with `content-length`.
  const { 'transfer-encoding': _, ...withoutTransferEncoding } = headers;
  return {
    // `deflate` is omitted because servers use it for two different formats.
    'accept-encoding': 'gzip, br',
    ...withoutTransferEncoding,
    // Set the length for every method, because `node:http` doesn't set it for a DELETE request with a body.
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

/** Whether the socket can send data. Until it can, the request is only buffered. */
const isOpen = (socket: Socket & { secureConnecting?: boolean }) =>
  !socket.connecting && !socket.secureConnecting;

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(describeThrown(reason)));
