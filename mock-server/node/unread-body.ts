/** How long to drain an unread body, in milliseconds. */
const grace = 1000;

/** An srvx request that provides access to its connection. */
export interface NodeRequest extends Request {
  runtime?: { node?: { req: { socket: { destroy(): void } } } };
}

export const closeConnection = ({ runtime }: NodeRequest): void => runtime?.node?.req.socket.destroy();

/** Returns whether an error means that the client disconnected before sending the entire body. */
export const isDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException)?.code === 'ECONNRESET';

/**
 * Returns a request whose body doesn't have to be read completely. The unread part is drained, so that the
 * client can receive the response on the same connection. If the client doesn't finish sending the body in
 * time, the connection is closed.
 *
 * @param url replaces the request's URL
 */
export function withDrainedBody(request: NodeRequest, url: string): Request {
  const { method, headers } = request;
  // Node.js drains bodies that have a `Content-Length` by itself.
  const isStreamed = headers.has('transfer-encoding') && /^(POST|PUT|PATCH|DELETE)$/.test(method);
  if (!isStreamed) {
    // Change the URL in place, because the Request constructor rejects some methods, such as TRACE.
    return url === request.url ? request : Object.defineProperty(request, 'url', { value: url });
  }
  // Access the signal only if it's needed, because srvx creates it on first access.
  const { signal } = request;
  const body = drainedStream(request);
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

function drainedStream(request: NodeRequest): ReadableStream<Uint8Array> {
  // Create the reader on first use, because Node.js drains a body itself as long as nothing has accessed it.
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
        if (reader) void drain(reader, () => closeConnection(request));
      },
    },
    { highWaterMark: 0 },
  );
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function drain(reader: Reader, giveUp: () => void): Promise<void> {
  const timeout = setTimeout(giveUp, grace);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected, so there is nothing left to drain.
  } finally {
    clearTimeout(timeout);
  }
}
