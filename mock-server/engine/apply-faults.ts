import type { OperationId } from '../../src/contract/index.js';
import { delay } from '../../src/shared/abort.js';
import { decodeCredential, type WireFormat } from '../../src/wire/index.js';
import { ConnectionFault, type Fault, type FaultError } from '../faults/fault.js';
import type { EngineParts, Exchange } from './exchange.js';

/**
 * Chooses the faults for a request and applies those that take effect before the operation: latency and
 * closed connections.
 *
 * @param injected a fault for this request only
 * @returns the fault that replaces or corrupts the response, if any
 * @throws ConnectionFault if a fault closes the connection
 */
export async function applyFaults(
  { state, wire, faults }: EngineParts,
  { request, entry }: Exchange,
  operation: OperationId,
  injected?: Fault,
): Promise<Fault | undefined> {
  const token = decodeCredential(wire.credential, request.headers);
  const credential = token === undefined ? undefined : state.credentials.get(token)?.name;
  const { latency, fault } = faults.choose({ operation, token, credential }, injected);
  if (fault) {
    entry.fault = describeFault(fault);
    entry.credential = credential;
  }
  if (latency > 0) await delay(latency, request.signal);
  if (fault?.error !== undefined) errors[fault.error].before?.();
  return fault;
}

/** Builds the response for a fault that has a `status`. */
export function faultResponse(fault: Fault, wire: WireFormat, { entry, headers }: Exchange): Response {
  const { status = 500, retryAfter, body, headers: extraHeaders } = fault;
  const all = new Headers(headers);
  if (retryAfter !== undefined) {
    all.set('retry-after', retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter));
  }
  if (typeof body !== 'string') all.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(extraHeaders ?? {})) all.set(name, value);
  const text = bodyOf(status, body, wire);
  entry.responseText = text ?? undefined;
  entry.responseHeaders = all;
  return new Response(text, { status, headers: all });
}

/** Corrupts the real response as the fault specifies. */
export async function corruptResponse(response: Response, { error }: Fault): Promise<Response> {
  return (error !== undefined && (await errors[error].after?.(response))) || response;
}

/** What each `error` value does, either before the operation runs or to its response. */
const errors: Record<FaultError, ErrorEffect> = {
  connection: {
    before() {
      throw new ConnectionFault('A fault closed the connection.');
    },
  },
  response_lost: {
    after() {
      throw new ConnectionFault('A fault closed the connection before the response was sent.');
    },
  },
  truncated: {
    async after(response) {
      const text = await response.text();
      const { status, headers } = response;
      if (text === '') return new Response(null, { status, headers });
      headers.set('content-length', String(new TextEncoder().encode(text).length));
      return new Response(streamThenFail(firstHalf(text)), { status, headers });
    },
  },
  malformed: {
    async after(response) {
      const text = await response.text();
      const { status, headers } = response;
      return new Response(text === '' ? null : firstHalf(text), { status, headers });
    },
  },
};

type ErrorEffect =
  | { before(): never; after?: never }
  | { before?: never; after(response: Response): Promise<Response> | never };

const describeFault = ({ status, error }: Fault): string =>
  status === undefined ? String(error).replace('_', ' ') : `status ${status}`;

function bodyOf(status: number, body: unknown, wire: WireFormat): string | null {
  if (status === 204 || status === 205 || status === 304) return null;
  if (typeof body === 'string') return body;
  const message = status === 429 ? 'Too many requests.' : `Injected fault: status ${status}.`;
  return JSON.stringify(
    body === undefined
      ? wire.error.encode({ message, code: status === 429 ? 'rate_limited' : undefined })
      : body,
  );
}

const firstHalf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** Creates a response body that sends the given text and then fails. */
function streamThenFail(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.error(new ConnectionFault('A fault closed the connection in the middle of the body.'));
      },
    },
    // This delays `pull` until the client has read the text, because an error would discard unread text.
    { highWaterMark: 0 },
  );
}
