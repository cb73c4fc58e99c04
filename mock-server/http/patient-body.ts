/** Milliseconds for which the rest of a body is still taken, and thrown away, once nobody reads it. */
const grace = 1000;

/**
 * A request whose body can be left in the middle without breaking the connection, over which the sender is
 * still to hear why. What follows is thrown away as it comes; a sender that does not end it in time has
 * heard, or never will, and loses the connection.
 *
 * Only a body of unannounced length needs it: of any other Node.js sees the end coming.
 */
export function withPatientBody(request: NodeRequest): Request {
  const { method, headers } = request;
  if (!headers.has('transfer-encoding') || !/^(POST|PUT|PATCH|DELETE)$/.test(method)) return request;
  // Read only here: asked for, the signal of a request is made.
  const { url, signal } = request;
  // Taken up only where it is read: Node.js looks after a body that nobody has touched.
  let reader: Reader | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (request.body as ReadableStream<Uint8Array>).getReader();
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        if (reader) void throwAway(reader, () => request.runtime?.node?.req?.socket.destroy());
      },
    },
    { highWaterMark: 0 },
  );
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

/** A request as srvx hands it on: with the connection it came over. */
export interface NodeRequest extends Request {
  runtime?: { node?: { req?: { socket: { destroy(): void } }; res?: { destroy(): void } } };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function throwAway(reader: Reader, breakOff: () => void): Promise<void> {
  const impatience = setTimeout(breakOff, grace);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The sender went away, which ends it as well.
  } finally {
    clearTimeout(impatience);
  }
}
