import http, { type IncomingMessage } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import { onAbort } from '../shared/abort.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { toWebStream } from './web-stream.js';

/** A `fetch` function that manages its own connections. */
export interface NodeFetch {
  /**
   * Sends a request. Redirects are never followed, and the body must be a string.
   *
   * @throws TypeError if the body isn't a string
   */
  (url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Closes all connections. In-flight calls fail with a `ConnectionError`. */
  close(): void;
}

/**
 * Creates a `fetch` function that sends requests with `node:http` and `node:https` over persistent
 * connections. It uses less CPU time than the platform's `fetch`.
 *
 * @param options agent options for HTTP and HTTPS, such as `maxSockets` (unlimited by default) or `ca`.
 * `keepAlive` defaults to true. `timeout` closes idle connections and doesn't affect calls. It defaults to
 * 4,000 milliseconds, or to one second less than the server's `Keep-Alive` timeout if that is shorter.
 *
 * @example
 * ```ts
 * const client = new Worktrack({ fetch: nodeFetch() });
 * ```
 */
export function nodeFetch(options: AgentOptions = {}): NodeFetch {
  // Agents without a `timeout` ignore the server's `Keep-Alive` header.
  const pooled = createAgents({ keepAlive: true, timeout: 4000, ...options });
  // Writes use these agents if the server may close idle connections at any time, because a write that fails
  // for that reason can't be retried.
  const single = createAgents({ ...options, keepAlive: false });
  /** The origins that don't announce how long they keep idle connections open. */
  const withoutHint = new Set<string>();

  async function send(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', body = null, signal } = init;
    if (body !== null && typeof body !== 'string')
      throw new TypeError('nodeFetch: the body must be a string');
    const { protocol, hostname, port, pathname, search, origin } = new URL(url.toString());
    const isWrite = method === 'POST' || method === 'PATCH';
    const agents = isWrite && withoutHint.has(origin) ? single : pooled;
    const target = {
      // In URLs, IPv6 addresses are in brackets, which `node:http` doesn't accept.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || undefined,
      path: pathname + search,
      method,
      headers: headersOf(init.headers, body),
    };
    // Call the functions on the module objects, because MSW and other tools patch them there.
    const request =
      protocol === 'https:'
        ? https.request({ ...target, agent: agents.https })
        : http.request({ ...target, agent: agents.http });
    const message = await responseTo(request, body, signal ?? undefined);
    if (agents === pooled) {
      if (hasIdleHint(message)) withoutHint.delete(origin);
      else withoutHint.add(origin);
    }
    const status = message.statusCode as number;
    const hasBody = ![204, 205, 304].includes(status);
    // Without a body, wait until the message ends so that the next request can reuse the connection.
    if (!hasBody) await endOf(message);
    return new Response(hasBody ? toWebStream(message) : null, { status, headers: readHeaders(message) });
  }

  return Object.assign(send, {
    close() {
      for (const agent of [pooled.http, pooled.https, single.http, single.https]) {
        // Destroy queued requests. Otherwise, they would be sent as soon as a connection becomes free.
        const waiting = Object.values(agent.requests).flatMap((requests) => requests ?? []);
        for (const request of waiting) request.destroy(new Error('nodeFetch was closed'));
        agent.destroy();
      }
    },
  });
}

const createAgents = (options: AgentOptions) => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});

/** Sends the request and waits for the response's headers. */
function responseTo(
  request: http.ClientRequest,
  body: string | null,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      const reason: unknown = signal?.reason;
      request.destroy(reason instanceof Error ? reason : new Error(describeThrown(reason)));
    };
    const removeListener = signal && onAbort(signal, abort);
    // Once the response has started, errors are reported when the body is read.
    request.on('error', reject);
    request.once('response', resolve);
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the server unexpectedly switched protocols (101)'));
    });
    request.once('close', () => {
      removeListener?.();
      reject(new Error('the connection was closed'));
    });
    // Convert the body to bytes, because `node:http` would encode a string the same way as the headers.
    request.end(body === null ? undefined : Buffer.from(body));
  });
}

const endOf = (message: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    message.on('error', () => {}).once('close', resolve);
    message.resume();
  });

/**
 * Whether the server announces how long it keeps idle connections open. If so, the agent honors that
 * duration.
 */
const hasIdleHint = ({ headers }: IncomingMessage) => /timeout=\d/.test(String(headers['keep-alive']));

function headersOf(headers: RequestInit['headers'], body: string | null) {
  const named = headers && Object.getPrototypeOf(headers) === Object.prototype;
  // Drop the length's alternative, which a hook may have added.
  const { 'transfer-encoding': _, ...others } = named
    ? (headers as Record<string, string>)
    : Object.fromEntries(new Headers(headers));
  return {
    // `deflate` is omitted because servers use it for two different formats.
    'accept-encoding': 'gzip, br',
    ...others,
    // Set the length for every method, because `node:http` doesn't set it for a DELETE request with a body.
    ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
  };
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  return headers;
}
