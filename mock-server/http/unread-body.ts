/** Milliseconds for which the rest of a body is drained once nobody reads it. */
const grace = 1000;

/** A request as srvx passes it on: with its connection. */
export interface NodeRequest extends Request {
  runtime?: { node?: { req?: { socket: { destroy(): void } }; res?: { destroy(): void } } };
}

/**
 * Returns a request whose body need not be read to its end: the rest is drained, so that the client
 * can still receive the response over the same connection. A client that doesn't finish its body in
 * time loses the connection.
 *
 * @param url replaces the request's own
 */
export function withDrainedBody(request: NodeRequest, url: string): Request {
  const { method, headers } = request;
  // Node.js drains a body of announced length by itself.
  const isStreamed = headers.has('transfer-encoding') && /^(POST|PUT|PATCH|DELETE)$/.test(method);
  if (!isStreamed && url === request.url) return request;
  // Read only here: srvx creates a request's signal when it is first read.
  const { signal } = request;
  const body = isStreamed ? drainedStream(request) : request.body;
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

function drainedStream(request: NodeRequest): ReadableStream<Uint8Array> {
  // Created on the first read: Node.js drains a body that nobody has touched by itself.
  let reader: Reader | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (request.body as ReadableStream<Uint8Array>).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        if (reader) void drain(reader, () => request.runtime?.node?.req?.socket.destroy());
      },
    },
    { highWaterMark: 0 },
  );
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function drain(reader: Reader, closeConnection: () => void): Promise<void> {
  const timeout = setTimeout(closeConnection, grace);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client went away, so there is nothing left to drain.
  } finally {
    clearTimeout(timeout);
  }
}
